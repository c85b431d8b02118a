import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import { call, ExportPage, HistoryPage, type RawAnswer, Score, ScoreUpdated } from './api.js';
import { eventIdsOf } from './load.js';
import type { Receiver } from './receiver.js';
import type { TakenRequest } from './writeRequests.js';

/** A promise that the service did not keep. */
export interface BrokenPromise {
  readonly kind: 'lost' | 'doubled' | 'undelivered' | 'other';
  readonly text: string;
}

export type ExportedEvent = z.output<typeof ExportPage>['events'][number];

/** Compares the service's data with the acknowledged writes. Returns the broken promises. */
export async function findBrokenPromises(
  url: string,
  taken: readonly TakenRequest[],
  receiver: Receiver,
): Promise<BrokenPromise[]> {
  const events = (await pages(url, '/events/export?limit=1000', ExportPage)).flatMap((page) => page.events);
  return [
    ...compareWithAcknowledged(events, taken),
    ...(await compareReplays(url, taken)),
    ...(await compareScores(url, events)),
    ...(await compareDeliveries(url, events, receiver)),
  ];
}

/** Every page of a list. */
async function pages<Page extends { nextCursor: string | null }>(
  url: string,
  path: string,
  schema: z.ZodType<Page>,
): Promise<Page[]> {
  const found: Page[] = [];
  for (let cursor: string | null = ''; cursor !== null; cursor = found.at(-1)?.nextCursor ?? null) {
    const { text } = await read(url, cursor === '' ? path : `${path}&cursor=${cursor}`);
    found.push(schema.parse(JSON.parse(text)));
  }
  return found;
}

/** Waits when the platform's rate limit is used up. */
async function read(url: string, path: string): Promise<RawAnswer> {
  for (;;) {
    const answer = await call(url, 'GET', path);
    if (answer.status === 200) return answer;
    if (answer.status !== 429) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    await pause(1000);
  }
}

/**
 * Each acknowledged event must be recorded once under the returned id, and no other event may be.
 */
export function compareWithAcknowledged(
  events: readonly ExportedEvent[],
  taken: readonly TakenRequest[],
): BrokenPromise[] {
  const violations: BrokenPromise[] = [];
  const broken = (kind: BrokenPromise['kind'], text: string) => violations.push({ kind, text });
  const idOf = new Map<number, string>();
  const ids = new Set<string>();
  for (const { id, metadata } of events) {
    if (ids.has(id)) broken('doubled', `the export shows event ${id} twice`);
    if (idOf.has(metadata.n)) broken('doubled', `number ${metadata.n} is recorded twice`);
    ids.add(id);
    idOf.set(metadata.n, id);
  }
  let acknowledged = 0;
  for (const { numbers, eventIds } of taken) {
    numbers.forEach((n, index) => {
      acknowledged += 1;
      const recorded = idOf.get(n);
      if (recorded === undefined) broken('lost', `number ${n} was acknowledged and is lost`);
      else if (recorded !== eventIds[index]) {
        broken('other', `number ${n} was acknowledged as ${eventIds[index]} and is recorded as ${recorded}`);
      }
    });
  }
  if (events.length !== acknowledged) {
    broken('other', `${acknowledged} events were acknowledged, ${events.length} are recorded`);
  }
  return violations;
}

const REPLAYS = 400;

/** Repeats a sample of the requests: each must return the original events. */
async function compareReplays(url: string, taken: readonly TakenRequest[]): Promise<BrokenPromise[]> {
  const violations: BrokenPromise[] = [];
  const broken = (kind: BrokenPromise['kind'], text: string) => violations.push({ kind, text });
  const step = Math.max(1, Math.floor(taken.length / REPLAYS));
  for (let index = 0; index < taken.length; index += step) {
    const request = taken[index];
    if (!request) continue;
    const { path, headers, body } = request;
    const answer = await call(url, 'POST', path, { headers, body });
    if (answer.status >= 300) broken('other', `a replay was answered ${answer.status}: ${answer.text}`);
    else if (eventIdsOf(request, answer).join() !== request.eventIds.join()) {
      broken('doubled', `a replay names other events than the first answer: ${body}`);
    }
    const isMarked = answer.headers.get('idempotent-replay') === 'true';
    const isKeyed = 'Idempotency-Key' in headers || path === '/events';
    if (isKeyed && !isMarked) broken('other', `a replay does not call itself one: ${body}`);
  }
  return violations;
}

const SCORE_LIMIT_MS = 60_000;

/** Every score must count exactly the exported events. */
async function compareScores(url: string, events: readonly ExportedEvent[]): Promise<BrokenPromise[]> {
  const expected = new Map<string, { total: number; verified: number }>();
  for (const { userId, isVerified } of events) {
    const counts = expected.get(userId) ?? { total: 0, verified: 0 };
    counts.total += 1;
    if (isVerified) counts.verified += 1;
    expected.set(userId, counts);
  }
  const until = Date.now() + SCORE_LIMIT_MS;
  let wrong = [...expected];
  for (;;) {
    const stillWrong: typeof wrong = [];
    for (const entry of wrong) if (!(await isScored(url, entry))) stillWrong.push(entry);
    wrong = stillWrong;
    if (wrong.length === 0 || Date.now() > until) break;
    await pause(100);
  }
  return wrong.map(([userId, { total }]) => ({
    kind: 'other',
    text: `the score of ${userId} never came to count its ${total} events`,
  }));
}

async function isScored(
  url: string,
  [userId, { total, verified }]: [string, { total: number; verified: number }],
): Promise<boolean> {
  const answer = await call(url, 'GET', `/users/${userId}/score`);
  if (answer.status !== 200) return false;
  const score = Score.parse(JSON.parse(answer.text));
  return score.totalEvents === total && score.verifiedEvents === verified;
}

/** A delivery claimed by a killed process is due again after 30 s. */
const DELIVERY_LIMIT_MS = 90_000;

/** Every score change must have reached the endpoint at least once, under one id. */
async function compareDeliveries(
  url: string,
  events: readonly ExportedEvent[],
  receiver: Receiver,
): Promise<BrokenPromise[]> {
  const missing = new Set<string>();
  for (const userId of new Set(events.map((event) => event.userId))) {
    for (const change of await changesOf(url, userId)) missing.add(change);
  }
  const expected = missing.size;
  const until = Date.now() + DELIVERY_LIMIT_MS;
  for (;;) {
    for (const change of delivered(receiver)) missing.delete(change);
    if (missing.size === 0 || Date.now() > until) break;
    await pause(200);
  }
  const violations: BrokenPromise[] = [...missing].map((change) => ({
    kind: 'undelivered',
    text: `no endpoint received ${change}`,
  }));
  const broken = (text: string) => violations.push({ kind: 'other', text });
  if (expected === 0) broken('no score changed: there was nothing to deliver');
  if (receiver.taken.size > expected) {
    broken(`${receiver.taken.size} envelopes are about ${expected} score changes`);
  }
  for (const text of receiver.violations) broken(text);
  return violations;
}

/** The score changes in a subject's history. */
async function changesOf(url: string, userId: string): Promise<string[]> {
  const history = await pages(url, `/users/${userId}/score/history?limit=100`, HistoryPage);
  return history
    .flatMap((page) => page.history)
    .filter(({ finalScore, previousScore }) => finalScore !== previousScore)
    .map(({ finalScore, computedAt }) => `${userId} at ${computedAt}: ${finalScore}`);
}

function delivered({ taken }: Receiver): string[] {
  return [...taken.values()].map((body) => {
    const { user, computedAt, score } = ScoreUpdated.parse(JSON.parse(body)).data;
    return `${user.externalId} at ${computedAt}: ${score}`;
  });
}
