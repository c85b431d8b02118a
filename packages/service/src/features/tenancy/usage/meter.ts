import { fourDecimals } from '../../../domain/points.js';
import { isDatabaseUnavailable } from '../../../kit/db/database.js';
import type { Meter } from '../../../kit/http/limits.js';
import { type EnvelopeDraft, writeEnvelopes } from '../../../outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { createMonths, periodAt } from './months.js';
import { type CrossedQuota, saveCounts } from './store.js';
import { createTallies } from './tallies.js';

/** The meter of this process: counts in memory, written once a second. */
export interface UsageMeter extends Meter {
  /**
   * Writes the counts, so that a read right after sees them. Throws when the database is away; the
   * counts are kept then.
   */
  flush(): Promise<void>;
  /** Starts writing. Returns stop, which writes the last counts. */
  start(): () => Promise<void>;
}

interface MeterDeps extends Pick<ServiceDeps, 'db' | 'clock' | 'ids'> {
  wakes: Pick<ServiceDeps['wakes'], 'raise'>;
  log: { warn(details: object, message: string): void };
  config: { quotaWarningShare: number };
}

const FLUSH_EVERY_MS = 1000;

/**
 * A process knows its own counts at once and those of other processes when it writes: for at most a
 * second a platform can pass its quota by calls to other processes. A killed process loses the
 * counts of its last second. If the connection breaks during a commit, that second may be counted
 * twice.
 */
export function createUsageMeter({ db, clock, ids, wakes, log, config }: MeterDeps): UsageMeter {
  const tallies = createTallies(clock);
  const months = createMonths({ db, clock });
  let underWay: Promise<void> = Promise.resolve();
  return { monthOf: months.monthOf, count: tallies.count, flush, start };

  function flush(): Promise<void> {
    const turn = underWay.then(write);
    underWay = turn.catch(() => undefined);
    return turn;
  }

  async function write(): Promise<void> {
    const rows = tallies.take();
    const charges = months.take();
    if (rows.length === 0 && charges.length === 0) return;
    try {
      const when = { at: clock.now(), warningShare: config.quotaWarningShare };
      const { totals, crossed } = await db.transaction(async (tx) => {
        const saved = await saveCounts(tx, rows, charges, when);
        const warnings = saved.crossed.map((quota) => quotaWarningOf(quota, when.warningShare));
        await writeEnvelopes(tx, ids, when.at, warnings);
        return saved;
      });
      months.settle(charges, totals);
      if (crossed.length > 0) wakes.raise('deliveries');
    } catch (error) {
      tallies.putBack(rows);
      throw error;
    }
  }

  function start(): () => Promise<void> {
    const writeQuietly = () =>
      flush().catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) log.warn({ err: error }, 'usage counts could not be written');
      });
    const timer = setInterval(writeQuietly, FLUSH_EVERY_MS);
    timer.unref();
    return () => {
      clearInterval(timer);
      return writeQuietly();
    };
  }
}

/** `usage.quota_warning` (RULES N7). Only live calls count, so it is always in live mode. */
function quotaWarningOf(
  { platformId, period, used, cap }: CrossedQuota,
  warningShare: number,
): EnvelopeDraft {
  return {
    type: 'usage.quota_warning',
    platformId,
    livemode: true,
    subjectId: null,
    data: {
      used,
      cap,
      remaining: Math.max(0, cap - used),
      ratio: fourDecimals(used / cap),
      threshold: warningShare,
      periodEnd: periodAt(new Date(period)).end.toISOString(),
    },
  };
}
