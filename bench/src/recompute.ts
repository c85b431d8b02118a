import { systemClock } from '../../packages/service/src/kit/clock.js';
import type { Database } from '../../packages/service/src/kit/db/database.js';
import { createIdSource } from '../../packages/service/src/kit/ids.js';
import { recomputeRecords } from '../../packages/service/src/ledger/recompute/recompute.js';
import type { Bench } from './kit/bench.js';
import { type Figure, type Line, Samples, whole } from './kit/figure.js';
import { DOZEN, EVERYTHING, type FilledSubject, fillLedger } from './kit/longLedger.js';
import { type Home, startService } from './kit/server.js';
import { openHome } from './kit/watched.js';

const SHORT = 1_000;
const LONG = 1_000_000;
const REPEATS = 60;

/** The cost of a recompute must depend on the tallies, not on the length of the ledger. */
export const recompute: Figure = { name: 'recompute', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const onPostgres = await measureOn(bench, 'PostgreSQL', await bench.postgres());
  const embedded = bench.embedded();
  const onPglite = await measureOn(bench, 'PGlite', embedded);
  embedded.drop();
  return [...onPostgres, ...onPglite.map((line) => ({ ...line, target: null }))];
}

async function measureOn(bench: Bench, setting: string, home: Home): Promise<Line[]> {
  await (await startService(home)).stop(); // creates the tables and the platform
  const db = await openHome(home);
  try {
    const short = await fillLedger(db, 'short', SHORT, DOZEN);
    const long = await fillLedger(db, 'long', LONG, DOZEN);
    const varied = await fillLedger(db, 'varied', LONG, EVERYTHING);
    bench.say(`  ${setting}: wrote ledgers of ${whole(SHORT)} and ${whole(LONG)} events`);
    const [shortMs, longMs, variedMs] = await inTurn(db, [short, long, varied]);
    const line = (subject: FilledSubject, samples: Samples, target: Line['target']): Line => ({
      what: `recompute, ${whole(LONG)} events in ${whole(subject.tallies)} tallies`,
      setting,
      value: samples.milliseconds(),
      baseline: shortMs.milliseconds(`${whole(SHORT)} events in ${whole(short.tallies)} tallies`),
      measure: samples.median / shortMs.median,
      unit: 'ratio',
      target,
    });
    return [line(long, longMs, { under: 2 }), line(varied, variedMs, null)];
  } finally {
    await db.close();
  }
}

type Three<T> = readonly [T, T, T];

// Times recomputeRecords itself, with a queue row as in the worker. eventToScore measures the path through queue and wake-up.
async function inTurn(db: Database, subjects: Three<FilledSubject>): Promise<Three<Samples>> {
  const samples: Three<Samples> = [new Samples(), new Samples(), new Samples()];
  // The default limit. The velocity guard makes each recompute count the last hour.
  const deps = { db, clock: systemClock, ids: createIdSource(), velocityMaxPerHour: 500 };
  for (let repeat = -WARM_UPS; repeat < REPEATS; repeat += 1) {
    for (const [index, subject] of subjects.entries()) {
      await db.execute('insert into recompute_queue (record_id, enqueued_at) values ($1, $2)', [
        subject.id,
        new Date(),
      ]);
      const startedAt = performance.now();
      const { entries } = await recomputeRecords(deps, [subject.id]);
      const lastedMs = performance.now() - startedAt;
      if (entries.length !== 1) throw new Error('the recompute found nothing to do');
      if (repeat >= 0) samples[index]?.add(lastedMs);
    }
  }
  for (const subject of subjects) await assertCounted(db, subject);
  return samples;
}

const WARM_UPS = 10;

async function assertCounted(db: Database, { id, events }: FilledSubject): Promise<void> {
  const [score] = await db.query<{ totalEvents: number }>(
    'select total_events from score where subject_id = $1',
    [id],
  );
  if (score?.totalEvents !== events)
    throw new Error(`a score counts ${score?.totalEvents} of ${events} events`);
}
