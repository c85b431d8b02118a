import { dayOf } from '@reliability/scoring';
import type { Database } from '../../../kit/db/database.js';
import type { RecomputeSignal } from '../../../ledger/recompute/signal.js';
import { type AgedPlace, queueAgedScores } from '../../../ledger/recompute/store.js';
import type { Sweep } from '../../../ledger/sweep.js';
import { retentionSweep } from './retention.js';

/** Every periodic sweep that can be asked for (RULES O2). */
export const sweepNames = ['reminders', 'expiry', 'disputes', 'decay', 'benchmarks', 'retention'] as const;
export type SweepName = (typeof sweepNames)[number];

/** What each name runs, one after the other; a name without any has nothing to sweep. */
export type Sweeps = Readonly<Record<SweepName, readonly Sweep[]>>;

interface SweepDeps {
  db: Database;
  signal: RecomputeSignal;
  /** Sweeps of the features, by the name they run under. */
  more?: Partial<Record<SweepName, readonly Sweep[]>>;
}

export function createSweeps({ db, signal, more = {} }: SweepDeps): Sweeps {
  const own: Partial<Sweeps> = { decay: [decaySweep(db, signal)], retention: [retentionSweep(db)] };
  const of = (name: SweepName) => [...(own[name] ?? []), ...(more[name] ?? [])];
  return {
    reminders: of('reminders'),
    expiry: of('expiry'),
    disputes: of('disputes'),
    decay: of('decay'),
    benchmarks: of('benchmarks'),
    retention: of('retention'),
  };
}

/** @returns how many things all sweeps of the name changed. */
export async function runSweeps(sweeps: readonly Sweep[], now: Date, until: AbortSignal): Promise<number> {
  let affected = 0;
  for (const sweep of sweeps) affected += await sweep(now, until);
  return affected;
}

const AGED_SCORES_PER_SLICE = 5000;

/** Queues every score whose ages were taken on an earlier day, as the recompute worker does once a day by itself. */
function decaySweep(db: Database, signal: RecomputeSignal): Sweep {
  return async (now, until) => {
    let queued = 0;
    for (let after: AgedPlace | null = null; !until.aborted; ) {
      const slice = await queueAgedScores(db, dayOf(now), after, AGED_SCORES_PER_SLICE, now);
      queued += slice.queued;
      signal.queued();
      if (slice.next === null) break;
      after = slice.next;
    }
    return queued;
  };
}
