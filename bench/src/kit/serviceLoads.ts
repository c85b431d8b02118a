import { giveEverybodyAScore, scorePaths } from './fill.js';
import { batchBodies, eventBodies } from './load.js';
import { getScript, type LoadScript, postScript } from './wrk.js';

/** The loads whose cost is measured and profiled. */
export const loadNames = ['post', 'batch', 'read', 'explain', 'history', 'book'] as const;
export type LoadName = (typeof loadNames)[number];

interface ServiceLoad {
  readonly title: string;
  readonly connections: number;
  /** Events follow from it, which are scored and logged later. */
  readonly writes: boolean;
}

export const loads: Readonly<Record<LoadName, ServiceLoad>> = {
  post: { title: 'POST /events', connections: 64, writes: true },
  batch: { title: 'POST /events/batch of 100', connections: 16, writes: true },
  read: { title: 'GET /users/{id}/score', connections: 64, writes: false },
  explain: { title: 'GET /users/{id}/score/explain', connections: 64, writes: false },
  history: { title: 'GET /users/{id}/score/history', connections: 64, writes: false },
  book: { title: 'GET /users?limit=50', connections: 64, writes: false },
};

/** The first page of the book. */
export const BOOK_PATH = '/api/v1/users?limit=50';

/** Writes what the load reads, and returns its requests. */
export async function prepareLoad(name: LoadName, url: string): Promise<LoadScript> {
  if (!loads[name].writes) await giveEverybodyAScore(url);
  switch (name) {
    case 'post':
      return postScript('/api/v1/events', eventBodies(50_000));
    case 'batch':
      return postScript('/api/v1/events/batch', batchBodies(300, 100));
    case 'read':
      return getScript(scorePaths());
    case 'explain':
      return getScript(scorePaths().map((path) => `${path}/explain`));
    case 'history':
      return getScript(scorePaths().map((path) => `${path}/history`));
    case 'book':
      return getScript([BOOK_PATH]);
  }
}
