import {
  findSubjects,
  readEventsOf,
  runBacktest,
} from '../../packages/service/src/features/insight/backtest/runBacktest.js';
import type { Database } from '../../packages/service/src/kit/db/database.js';
import type { Bench } from './kit/bench.js';
import { type Figure, type Line, Samples, tenth, whole } from './kit/figure.js';
import { seedBook } from './kit/seed/seedBook.js';
import { startService } from './kit/server.js';
import { openHome } from './kit/watched.js';

const SUBJECTS = 50_000;
const EVENTS = 1_000_000;
const PAGE_SUBJECTS = 250;

/** A backtest of a million events, beside reading the same rows and doing nothing with them. */
export const backtest: Figure = { name: 'backtest', measure };

async function measure(bench: Bench): Promise<Line[]> {
  const home = await bench.postgres();
  await (await startService(home)).stop(); // creates the tables and the platform
  const sizes = { subjects: SUBJECTS, events: EVENTS, neighbours: 0 };
  const { platformId, events } = await seedBook(home.databaseUrl, sizes, bench.say);
  const db = await openHome(home);
  try {
    const [reads, runs] = [new Samples(), new Samples()];
    let pairs = 0;
    let mostMb = 0;
    for (let round = 0; round < bench.rounds; round += 1) {
      reads.add(await timed(() => readAll(db, platformId)));
      const before = usedMb();
      const startedAt = performance.now();
      const report = await runBacktest([db], {
        platformId,
        livemode: true,
        options: { by: 'outcome', everyDays: 30, horizonDays: 90, from: null, to: null },
        now: new Date(),
        onProgress: () => {
          mostMb = Math.max(mostMb, usedMb() - before);
        },
      });
      runs.add((performance.now() - startedAt) / 1000);
      pairs = report?.pairs ?? 0;
    }
    const what = `backtest of ${whole(events)} events, ${whole(pairs)} pairs`;
    const setting = 'PostgreSQL';
    const read = `reading the rows ${tenth(reads.median)} s`;
    return [
      {
        what,
        setting,
        value: `${tenth(runs.median)} s`,
        baseline: '',
        measure: runs.median,
        unit: 's',
        target: { under: 60 },
      },
      {
        what,
        setting,
        value: `${tenth(runs.median)} s`,
        baseline: read,
        measure: runs.median / reads.median,
        unit: 'ratio',
        target: null,
      },
      {
        what: `memory of a ${what}`,
        setting,
        value: `${whole(mostMb)} MB`,
        baseline: '',
        measure: mostMb,
        unit: 'MB',
        target: null,
      },
    ];
  } finally {
    await db.close();
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

async function readAll(db: Database, platformId: string): Promise<void> {
  for (let after = ''; ; ) {
    const page = await findSubjects(db, { platformId, livemode: true }, after, PAGE_SUBJECTS);
    await readEventsOf(
      db,
      page.map(({ subjectId }) => subjectId),
    );
    const last = page.at(-1);
    if (!last || page.length < PAGE_SUBJECTS) return;
    after = last.externalId;
  }
}

function usedMb(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
