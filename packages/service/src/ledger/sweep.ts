import { DAY_MS } from '#domain/timestamp.js';
import type { Database, Tx } from '#kit/db/database.js';
import { lockOfGroup } from '#kit/db/groups.js';

/** Until nothing is left or `until` aborts. Returns the rows that it changed or queued (RULES O2). */
export type Sweep = (now: Date, until: AbortSignal) => Promise<number>;

export interface Slice {
  affected: number;
  isLast: boolean;
}

/**
 * The end of a retention period. `RETENTION_TEXT_DAYS` (undefined: unset) shortens that of copies of texts.
 */
export function keptSince(now: Date, days: number, textDays?: number): Date {
  return new Date(now.getTime() - Math.min(days, textDays ?? days) * DAY_MS);
}

/** Snapshots that only show ageing are thinned after so long (RULES O3). */
export const DECAY_SNAPSHOT_DAYS = 30;

/** Rows per transaction: few enough for short locks, enough to share the cost of a transaction. */
export const SLICE_ROWS = 1000;

/**
 * Runs slices, each in its own transaction, under an advisory lock per slice. Stops when another
 * process holds the lock, which then does the rest. Returns the total of rows changed.
 * @param name identifies the work in the lock.
 */
export async function inSlices(
  db: Database,
  name: string,
  until: AbortSignal,
  work: (tx: Tx) => Promise<Slice>,
): Promise<number> {
  let affected = 0;
  while (!until.aborted) {
    const slice = await db.transaction(async (tx) => ((await isAlone(tx, name)) ? work(tx) : null));
    if (!slice) break;
    affected += slice.affected;
    if (slice.isLast) break;
  }
  return affected;
}

/** The rows of a table that end at a time. Names and columns are constants. */
export interface Expiring {
  readonly table: string;
  readonly key: string;
  readonly time: string;
  /** `time` has a BRIN index, which an order would leave unused. */
  readonly isBrin?: true;
}

/** Deletes the rows whose time is before `before`, the oldest first. Returns their number. */
export function removeExpired(
  db: Database,
  { table, key, time, isBrin }: Expiring,
  before: Date | string,
  until: AbortSignal,
): Promise<number> {
  const text = `delete from ${table} where (${key}) in (
    select ${key} from ${table} where ${time} < $1 ${isBrin ? '' : `order by ${time}`} limit $2
  )`;
  return inSlices(db, table, until, async (tx) => {
    const affected = await tx.execute(text, [before, SLICE_ROWS]);
    return { affected, isLast: affected < SLICE_ROWS };
  });
}

async function isAlone(tx: Tx, name: string): Promise<boolean> {
  const [row] = await tx.query<{ isMine: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as is_mine',
    [lockOfGroup(tx, `sweep ${name}`)],
  );
  return row?.isMine === true;
}
