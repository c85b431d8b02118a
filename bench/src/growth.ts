import { type Bench, checkpoint, type PostgresHome } from './kit/bench.js';
import { type Figure, type Line, type Measured, Samples, whole } from './kit/figure.js';
import { holdLog, type Ledger, openLedger } from './kit/growthLedger.js';
import { growthLoads } from './kit/growthLoads.js';
import { describeSizes, resetReads } from './kit/growthSizes.js';
import { processorMs } from './kit/processorTime.js';
import { seedBook } from './kit/seed/seedBook.js';
import { startService } from './kit/server.js';

const SMALL = { subjects: 100_000, events: 1_000_000, neighbours: 0 };
/** Of the time that the same takes on the small ledger. */
const MAX_GROWTH = 1.3;

/**
 * What a ledger of `--times` million events costs more than one of a million. The seeded events have no leaves in the log, whose own
 * growth `logSize` measures, so the log is held.
 */
export const growth: Figure = { name: 'growth', measure };

async function measure(bench: Bench): Promise<Measured> {
  return measureGrowth(bench, await seeded(bench, 1), await seeded(bench, bench.times));
}

async function seeded(bench: Bench, times: number): Promise<PostgresHome> {
  const home = await bench.postgres();
  await (await startService(home)).stop(); // creates the tables and the platform
  const { events, seconds } = await seedBook(home.databaseUrl, { ...SMALL, times }, bench.say);
  bench.say(`  ${whole(events)} events seeded in ${whole(seconds)} s`);
  return home;
}

/** Compares two ledgers that are seeded. */
export async function measureGrowth(
  bench: Bench,
  smallHome: PostgresHome,
  largeHome: PostgresHome,
): Promise<Measured> {
  const releases = [await holdLog(smallHome), await holdLog(largeHome)];
  const ledgers = [await openLedger(smallHome), await openLedger(largeHome)] as const;
  for (const { home } of ledgers) await resetReads(home);
  const lines: Line[] = [];
  for (const { what, run } of growthLoads) {
    const costs = ledgers.map(() => ({ wall: new Samples(), processor: new Samples() }));
    for (let round = 0; round <= bench.rounds; round += 1) {
      for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const ledger = ledgers[index] as Ledger;
        await checkpoint(ledger.home);
        const beforeMs = await processorMs(ledger.server, ledger.home);
        const { units, wallMs } = await run(ledger, bench, round);
        const usedMs = (await processorMs(ledger.server, ledger.home)) - beforeMs;
        if (round === 0)
          bench.say(`  ${what}, first round: ${whole((usedMs * 1000) / units)} µs of processor time`);
        if (round === 0) continue; // warms up
        costs[index]?.wall.add((wallMs * 1000) / units);
        costs[index]?.processor.add((usedMs * 1000) / units);
      }
    }
    const found = linesOf(what, ledgers, costs);
    for (const { what: name, value, baseline, measure } of found)
      bench.say(`  ${name}: ${value}, ${baseline}: ${measure.toFixed(2)}`);
    lines.push(...found);
  }
  const appendix = await describeSizes(ledgers);
  for (const { server } of ledgers) await server.stop();
  for (const release of releases) await release();
  return { lines, appendix };
}

interface Costs {
  wall: Samples;
  processor: Samples;
}

function linesOf(what: string, ledgers: readonly Ledger[], costs: readonly Costs[]): Line[] {
  const [small, large] = costs as [Costs, Costs];
  const [few, many] = ledgers.map(({ events }) => `${whole(events / 1_000_000)} million events`);
  return (['wall', 'processor'] as const).map((part) => ({
    what: part === 'wall' ? what : `${what}: processor time`,
    setting: `PostgreSQL, ROLE=all, ${many}`,
    value: large[part].microseconds(),
    baseline: small[part].microseconds(few),
    measure: large[part].median / small[part].median,
    unit: 'ratio',
    target: { under: MAX_GROWTH },
  }));
}
