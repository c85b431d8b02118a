import type { Clock } from '../../../kit/clock.js';
import { isDatabaseUnavailable } from '../../../kit/db/database.js';
import { runSweeps, type SweepName, type Sweeps } from './sweeps.js';

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
