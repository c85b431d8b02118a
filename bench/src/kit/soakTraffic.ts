import { type ClientRequest, get } from 'node:http';
import { importCompleted, saveMapping, sendCsv } from './importCalls.js';
import { csvOf, HISTORY_MAPPING, historyRows } from './importFile.js';
import { SUBJECTS, subjectName } from './load.js';
import { pause } from './scratch.js';
import { LIVE_KEY, type Server, startOtherServer } from './server.js';

const headers = { Authorization: `Bearer ${LIVE_KEY}` };

/** Endpoints that accept every delivery. */
export interface Endpoints {
  readonly count: number;
  received(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts endpoints and subscribes them to every change of a score. */
export async function subscribeEndpoints({ url }: Server, count: number): Promise<Endpoints> {
  const receivers = await startOtherServer('receivers', [String(count)]);
  const ask = async (path: string) => JSON.parse(await (await fetch(receivers.url + path)).text());
  for (const port of (await ask('/ports')).slice(0, count)) {
    const answer = await fetch(`${url}/api/v1/webhooks`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/`, events: ['score.updated'] }),
    });
    if (answer.status !== 201) throw new Error(`a webhook was answered with ${answer.status}`);
    await answer.arrayBuffer();
  }
  return { count, received: async () => (await ask('/counts')).count, stop: () => receivers.stop() };
}

/** Live streams that stay open. */
export interface OpenStreams {
  /** Envelopes that each of them received. */
  readonly received: readonly number[];
  /** Streams that the service closed. */
  readonly closed: number;
  stop(): void;
}

export async function openStreams({ url }: Server, count: number): Promise<OpenStreams> {
  const received = Array<number>(count).fill(0);
  let closed = 0;
  const open = (index: number) =>
    new Promise<ClientRequest>((resolve, reject) => {
      const opened = get(`${url}/api/v1/events/stream`, { agent: false, headers }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`a stream was answered with ${answer.statusCode}`));
        answer.setEncoding('utf8');
        answer.on('error', () => {}); // the connection is cut at the end
        answer.once('close', () => {
          closed += 1;
        });
        // The name of an event is the first line of its frame; a frame may arrive in two pieces.
        let rest = '';
        answer.on('data', (text: string) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          received[index] = (received[index] ?? 0) + lines.filter((line) => line === SCORE_UPDATED).length;
        });
        resolve(opened);
      });
      opened.on('error', reject);
    });
  const streams = await Promise.all(received.map((_, index) => open(index)));
  return {
    received,
    get closed() {
      return closed;
    },
    stop() {
      for (const stream of streams) stream.destroy();
    },
  };
}

const SCORE_UPDATED = 'event: score.updated';

/** Imports files of so many rows about new subjects. */
export async function importer({ url }: Server, rows: number): Promise<(batch: string) => Promise<void>> {
  const mapping = await saveMapping(url, 'soak', HISTORY_MAPPING);
  return async (batch) => {
    const csv = csvOf(historyRows(batch, rows / 10, rows));
    const { id } = await sendCsv(`${url}/api/v1/imports?mappingId=${mapping.id}`, csv);
    await importCompleted(url, id, rows, 500);
  };
}

const READS = [
  (user: string) => `users/${user}/score`,
  (user: string) => `users/${user}/score/explain`,
  (user: string) => `users/${user}/score/history`,
  (user: string) => `users/${user}/score/components`,
  (user: string) => `users/${user}/timeline`,
  (user: string) => `users/${user}/risk`,
  (user: string) => `users/${user}/trust-summary`,
  () => 'users?limit=50',
  () => 'users/summary',
  () => 'events/export?limit=100',
  () => 'usage',
] as const;

export interface Reads {
  /** Answers by status, of those that are neither 200 nor 404. */
  readonly unexpected: ReadonlyMap<number, number>;
  readonly count: number;
  stop(): Promise<void>;
}

/** Reads pages and subjects by turns, so many a second, one after another. */
export function readByTurns({ url }: Server, perSecond: number): Reads {
  const unexpected = new Map<number, number>();
  let [count, isStopping] = [0, false];
  const loop = async () => {
    for (; !isStopping; count += 1) {
      const user = subjectName((count * 7919) % SUBJECTS);
      const path = READS[count % READS.length]?.(user);
      const answer = await fetch(`${url}/api/v1/${path}`, { headers });
      await answer.arrayBuffer();
      // A subject of which no event has been written yet is not found.
      if (answer.status !== 200 && answer.status !== 404)
        unexpected.set(answer.status, (unexpected.get(answer.status) ?? 0) + 1);
      await pause(1000 / perSecond);
    }
  };
  const running = loop();
  running.catch(() => undefined); // stop() reports it
  return {
    unexpected,
    get count() {
      return count;
    },
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
