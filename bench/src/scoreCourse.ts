import type { Bench } from './kit/bench.js';
import { type Figure, type Line, Samples, whole } from './kit/figure.js';
import { DOZEN, EVERYTHING, fillLedger, type Variety } from './kit/longLedger.js';
import { type Home, LIVE_KEY, type Server, startService } from './kit/server.js';
import { openHome } from './kit/watched.js';

const TEN_YEARS = 3650;
const REPEATS = 15;
const WARM_UPS = 3;

const ledgers: readonly { name: string; events: number; variety: Variety }[] = [
  { name: 'usual', events: 10_000, variety: { ...DOZEN, days: 365 } },
  { name: 'long', events: 100_000, variety: { ...DOZEN, days: TEN_YEARS } },
  { name: 'varied', events: 100_000, variety: { ...EVERYTHING, days: TEN_YEARS } },
  { name: 'huge', events: 1_000_000, variety: { ...DOZEN, days: TEN_YEARS } },
];

/** The course of a long record and why its score moved, over HTTP, against the read of its score. */
export const scoreCourse: Figure = { name: 'scoreCourse', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const home = await bench.postgres();
  await (await startService(home)).stop(); // creates the tables and the platform
  const tallies = await fill(home);
  const service = await startService(home);
  try {
    const lines: Line[] = [];
    for (const { name, events } of ledgers) {
      await scored(service, name);
      const years = name === 'usual' ? 'a year' : 'ten years';
      const setting = `${whole(events)} events, ${whole(tallies.get(name) ?? 0)} tallies, ${years}`;
      lines.push(...(await measureLedger(service, name, setting, events)));
      bench.say(`  ${setting}`);
    }
    return lines;
  } finally {
    await service.stop();
  }
}

async function fill(home: Home): Promise<Map<string, number>> {
  const tallies = new Map<string, number>();
  const db = await openHome(home);
  try {
    for (const { name, events, variety } of ledgers) {
      const filled = await fillLedger(db, name, events, variety);
      tallies.set(name, filled.tallies);
      await db.execute('insert into recompute_queue (record_id, enqueued_at) values ($1, now())', [
        filled.id,
      ]);
    }
    await db.execute('analyze');
  } finally {
    await db.close();
  }
  return tallies;
}

/** Waits for the score. */
async function scored(service: Server, name: string): Promise<void> {
  while ((await get(service, `${name}/score`)).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Each with the ledger for which it has a limit. */
const reads: readonly { path: string; events?: number; limitMs?: number }[] = [
  { path: 'score/course?by=outcome', events: 100_000, limitMs: 300 },
  { path: 'score/course?by=outcome&step=day', events: 100_000, limitMs: 300 },
  { path: 'score/course?by=recorded' },
  { path: 'score/change', events: 10_000, limitMs: 150 },
  { path: 'score/change?from=2016-01-01' },
];

async function measureLedger(
  service: Server,
  name: string,
  setting: string,
  events: number,
): Promise<Line[]> {
  const score = new Samples();
  const timed = reads.map((read) => ({ ...read, samples: new Samples() }));
  for (let repeat = -WARM_UPS; repeat < REPEATS; repeat += 1) {
    const scoreMs = await timeOf(service, `${name}/score`);
    if (repeat >= 0) score.add(scoreMs);
    for (const { path, samples } of timed) {
      const ms = await timeOf(service, `${name}/${path}`);
      if (repeat >= 0) samples.add(ms);
    }
  }
  const ratioOf = ({ median }: Samples) => whole(median / score.median);
  return timed.map(({ path, limitMs, samples, ...read }) => ({
    what: `GET /users/{id}/${path}`,
    setting: `PostgreSQL, ${setting}`,
    value: samples.milliseconds(),
    baseline: `${ratioOf(samples)} times GET /users/{id}/score, ${score.milliseconds()}`,
    measure: samples.median,
    unit: 'ms',
    target: limitMs !== undefined && read.events === events ? { under: limitMs } : null,
  }));
}

async function timeOf(service: Server, path: string): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await get(service, path);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  return performance.now() - startedAt;
}

async function get({ url }: Server, path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${url}/api/v1/users/${path}`, {
    headers: { Authorization: `Bearer ${LIVE_KEY}` },
  });
  return { status: answer.status, text: await answer.text() };
}
