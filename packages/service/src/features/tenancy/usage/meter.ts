import type { Clock } from '../../../kit/clock.js';
import { type Database, isDatabaseUnavailable } from '../../../kit/db/database.js';
import type { Meter } from '../../../kit/http/meter.js';
import type { IdSource } from '../../../kit/ids.js';
import { writeEnvelopes } from '../../../outbox/envelopes.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';
import { createMonths } from './months.js';
import { quotaWarningOf } from './quotaWarning.js';
import { saveCounts } from './store.js';
import { createTallies } from './tallies.js';

/** The meter of this process: counts in memory, written down once a second. */
export interface UsageMeter extends Meter {
  /** Writes what has been counted, so that a read right after sees it. Throws when the database refuses, and loses nothing. */
  flush(): Promise<void>;
  /** Writes from second to second. Answers stop, which writes the last counts. */
  start(): () => Promise<void>;
}

interface MeterDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  outbox: Pick<OutboxSignal, 'written'>;
  log: { warn(details: object, message: string): void };
  config: { quotaWarningShare: number };
}

const FLUSH_EVERY_MS = 1000;

/**
 * A process sees at once what it counts itself, and what others count when it writes: for at most a second a platform can go
 * past its quota by what it calls elsewhere. What was counted and not yet written goes with a process that is killed. Where
 * the connection breaks while a second is being committed, that second may be counted twice.
 */
export function createUsageMeter({ db, clock, ids, outbox, log, config }: MeterDeps): UsageMeter {
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
      if (crossed.length > 0) outbox.written();
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
