import { fourDecimals } from '#domain/points.js';
import type { Clock } from '#kit/clock.js';
import { isDatabaseUnavailable } from '#kit/db/database.js';
import type { Meter, Month } from '#kit/http/limits.js';
import type { KeyCaller } from '#kit/http/route.js';
import { type EnvelopeDraft, writeEnvelopes } from '#outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type Charge, type CrossedQuota, readUsed, saveCounts } from './store.js';
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

/** A month without a call for this long is read again: other processes may have counted calls. */
const STALE_AFTER_MS = 5_000;

/** The months of the platforms that call this process. */
export function createMonths({ db, clock }: Pick<ServiceDeps, 'db' | 'clock'>) {
  let period = periodAt(clock.now());
  const months = new Map<string, OpenMonth>();
  /** Months with calls to write, also of a period that is over. */
  const unwritten = new Set<OpenMonth>();
  return { monthOf, take, settle };

  function monthOf(caller: KeyCaller): Month | Promise<Month> {
    const now = clock.now();
    const month = currentMonth(caller.platformId, now);
    month.cap = caller.monthlyQuota;
    if (month.cap === 0 || now.getTime() - month.readAtMs < STALE_AFTER_MS) return month;
    month.reading ??= read(month);
    return month.reading;
  }

  function currentMonth(platformId: string, now: Date): OpenMonth {
    if (now < period.start || now >= period.end) {
      period = periodAt(now);
      months.clear();
    }
    const known = months.get(platformId);
    if (known) return known;
    const month = new OpenMonth(platformId, period, clock, unwritten);
    months.set(platformId, month);
    return month;
  }

  /**
   * When the database is away the call continues with the known count: it will fail by itself or
   * need no database.
   */
  async function read(month: OpenMonth): Promise<OpenMonth> {
    const written = await readUsed(db, month.platformId, month.period.start).catch(() => 0);
    month.know(Math.max(month.written, written));
    month.reading = null;
    return month;
  }

  /** Calls that are not written yet. */
  function take(): MonthCharge[] {
    const charges = [...unwritten].map((month) => ({
      month,
      platformId: month.platformId,
      period: month.period.start,
      calls: month.unwritten,
      cap: month.cap,
    }));
    // Charges that were given back add up to nothing.
    for (const { month, calls } of charges) if (calls === 0) unwritten.delete(month);
    return charges.filter(({ calls }) => calls !== 0);
  }

  /** These charges are written. @param totals the totals of all processes, in the same order. */
  function settle(charges: readonly MonthCharge[], totals: readonly number[]): void {
    charges.forEach(({ month, calls }, index) => {
      month.unwritten -= calls;
      month.know(totals[index] ?? month.written + calls);
      if (month.unwritten === 0) unwritten.delete(month);
    });
  }
}

interface MonthCharge extends Charge {
  readonly month: OpenMonth;
}

class OpenMonth implements Month {
  cap = 0;
  /** Calls of all processes, as last read. */
  written = 0;
  /** Calls of this process that are in no total yet. */
  unwritten = 0;
  readAtMs = Number.NEGATIVE_INFINITY;
  reading: Promise<OpenMonth> | null = null;

  constructor(
    readonly platformId: string,
    readonly period: Period,
    private readonly clock: Clock,
    private readonly changed: Set<OpenMonth>,
  ) {}

  get used(): number {
    return this.written + this.unwritten;
  }

  get end(): Date {
    return this.period.end;
  }

  get secondsUntilReset(): number {
    return secondsUntil(this.period.end, this.clock.now());
  }

  charge(calls: number): void {
    this.unwritten += calls;
    this.changed.add(this);
  }

  know(written: number): void {
    this.written = written;
    this.readAtMs = this.clock.now().getTime();
  }
}

/** A UTC calendar month (RULES M4). */
export interface Period {
  readonly start: Date;
  /** The start of the next month. */
  readonly end: Date;
}

export function periodAt(now: Date): Period {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}

/** Whole seconds, one at least. */
export function secondsUntil(end: Date, now: Date): number {
  return Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000));
}
