import { dayOf } from '@reliability/scoring';
import { fail } from '../../../domain/errors.js';
import type { Database } from '../../../kit/db/database.js';
import type { Wakes } from '../../../kit/db/wakes.js';
import { type AgedPosition, queueAgedScores } from '../../../ledger/recompute/store.js';
import type { Sweep } from '../../../ledger/sweep.js';
import { retentionSweep } from './retention.js';

/** Every periodic sweep that the operator can run (RULES O2). */
export const sweepNames = ['reminders', 'expiry', 'disputes', 'decay', 'benchmarks', 'retention'] as const;
export type SweepName = (typeof sweepNames)[number];

/** The sweeps of each name, run one after the other. */
export type Sweeps = Readonly<Record<SweepName, readonly Sweep[]>>;

interface SweepDeps {
  db: Database;
  wakes: Pick<Wakes, 'raise'>;
  /** RETENTION_TEXT_DAYS. */
  textDays?: number | undefined;
  /** Sweeps of the rooms, by name. */
  more?: readonly Partial<Sweeps>[];
}

export function createSweeps({ db, wakes, textDays, more = [] }: SweepDeps): Sweeps {
  const own: Partial<Sweeps> = {
    decay: [decaySweep(db, wakes)],
    retention: [retentionSweep(db, textDays)],
  };
  const of = (name: SweepName) => [...(own[name] ?? []), ...more.flatMap((sweeps) => sweeps[name] ?? [])];
  return {
    reminders: of('reminders'),
    expiry: of('expiry'),
    disputes: of('disputes'),
    decay: of('decay'),
    benchmarks: of('benchmarks'),
    retention: of('retention'),
  };
}

/**
 * Runs a sweep now that also runs on a schedule (RULES O2). Throws NOT_FOUND for an unknown name.
 */
export async function runSweep(sweeps: Sweeps, asked: string, now: Date) {
  const name = sweepNames.find((known) => known === asked);
  if (!name)
    fail('NOT_FOUND', { message: `There is no sweep "${asked}". Sweeps: ${sweepNames.join(', ')}.` });
  const affected = await runSweeps(sweeps[name], now, new AbortController().signal);
  return { name, affected };
}

/** @returns how many rows the sweeps changed. */
export async function runSweeps(sweeps: readonly Sweep[], now: Date, until: AbortSignal): Promise<number> {
  let affected = 0;
  for (const sweep of sweeps) affected += await sweep(now, until);
  return affected;
}

const AGED_SCORES_PER_SLICE = 5000;

/** Queues every score computed on an earlier day. The recompute worker does the same once a day. */
function decaySweep(db: Database, wakes: Pick<Wakes, 'raise'>): Sweep {
  return async (now, until) => {
    let queued = 0;
    for (let after: AgedPosition | null = null; !until.aborted; ) {
      const slice = await queueAgedScores(db, dayOf(now), after, AGED_SCORES_PER_SLICE, now);
      queued += slice.queued;
      wakes.raise('scores');
      if (slice.next === null) break;
      after = slice.next;
    }
    return queued;
  };
}
