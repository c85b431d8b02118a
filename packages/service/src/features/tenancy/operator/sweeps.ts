import { dayOf } from '@reliability/scoring';
import { fail } from '#domain/errors.js';
import type { Clock } from '#kit/clock.js';
import { type Database, isDatabaseUnavailable } from '#kit/db/database.js';
import type { Wakes } from '#kit/db/wakes.js';
import { type AgedPosition, queueAgedScores } from '#ledger/recompute/store.js';
import type { Sweep } from '#ledger/sweep.js';
import { retentionSweep } from './retention.js';

/** Every periodic sweep that the operator can run (RULES O2). */
export const sweepNames = ['reminders', 'expiry', 'disputes', 'decay', 'benchmarks', 'retention'] as const;
type SweepName = (typeof sweepNames)[number];

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
async function runSweeps(sweeps: readonly Sweep[], now: Date, until: AbortSignal): Promise<number> {
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

/** Timers of the schedule. */
export type SweepTimers = Pick<typeof globalThis, 'setTimeout' | 'clearTimeout'>;

interface SchedulerDeps {
  sweeps: Sweeps;
  clock: Clock;
  log: { info(details: object, message: string): void; error(details: object, message: string): void };
  /** Default: those of Node. */
  timers?: SweepTimers | undefined;
}

const MINUTE_MS = 60_000;
/** Without `decay`, which the recompute worker runs. */
const SCHEDULE: readonly { name: SweepName; everyMs: number; firstMs: number }[] = [
  { name: 'disputes', everyMs: MINUTE_MS, firstMs: MINUTE_MS / 2 },
  { name: 'reminders', everyMs: 60 * MINUTE_MS, firstMs: MINUTE_MS },
  { name: 'expiry', everyMs: 10 * MINUTE_MS, firstMs: 2 * MINUTE_MS },
  { name: 'retention', everyMs: 60 * MINUTE_MS, firstMs: 5 * MINUTE_MS },
  { name: 'benchmarks', everyMs: 10 * MINUTE_MS, firstMs: 4 * MINUTE_MS },
];

/**
 * Runs the periodic sweeps while the process lives, each on its own timer: a long sweep delays no
 * other. Several processes share the work (inSlices).
 * @returns stop: running sweeps end after their current slice.
 */
export function startSweeps(deps: SchedulerDeps): () => Promise<void> {
  const { setTimeout, clearTimeout } = deps.timers ?? globalThis;
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  for (const { name, everyMs, firstMs } of SCHEDULE) later(name, firstMs, everyMs);
  return () => {
    stopping.abort();
    for (const timer of timers) clearTimeout(timer);
    return Promise.all(underWay).then(() => undefined);
  };

  function later(name: SweepName, afterMs: number, everyMs: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const work = sweep(name).then(() => {
        underWay.delete(work);
        if (!stopping.signal.aborted) later(name, everyMs, everyMs);
      });
      underWay.add(work);
    }, afterMs);
    timer.unref();
    timers.add(timer);
  }

  async function sweep(name: SweepName): Promise<void> {
    try {
      const affected = await runSweeps(deps.sweeps[name], deps.clock.now(), stopping.signal);
      if (affected > 0) deps.log.info({ sweep: name, affected }, 'sweep finished');
    } catch (error) {
      // Readiness reports an unreachable database; the next round tries again.
      if (!isDatabaseUnavailable(error)) deps.log.error({ err: error, sweep: name }, 'sweep failed');
    }
  }
}
