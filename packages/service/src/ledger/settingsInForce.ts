import { CLOCK_SKEW_MS } from '@reliability/proof';
import { HOUR_MS } from '#domain/timestamp.js';
import type { Queryable } from '#kit/db/database.js';

/** A window of disputes, in force since the start of the first process that had it. */
export interface DisputeWindow {
  readonly since: Date;
  readonly ms: number;
}

const NAME = 'disputeWindowMs';

/** Stores the window of disputes if it differs from the one in force. Call it before the process opens a dispute. */
export async function noteDisputeWindow(db: Queryable, ms: number, now: Date): Promise<void> {
  await db.execute(
    `insert into setting_in_force (name, value, since) select $1, $2::bigint, $3::timestamptz
     where $2::bigint is distinct from (select value from setting_in_force where name = $1 order by since desc limit 1)
     on conflict do nothing`,
    [NAME, ms, now],
  );
}

export function readDisputeWindows(db: Queryable): Promise<DisputeWindow[]> {
  return db.query<DisputeWindow>(
    'select since, value as ms from setting_in_force where name = $1 order by since',
    [NAME],
  );
}

/** Processes with the former value may run for so long: a fleet does not restart at one moment. */
const RESTART_MS = HOUR_MS;

/** The windows that a dispute opened at `at` can have. */
export function windowsAt(windows: readonly DisputeWindow[], at: Date): number[] {
  return windows
    .filter(({ since }, index) => {
      const until = windows[index + 1]?.since.getTime() ?? Number.POSITIVE_INFINITY;
      const begins = index === 0 ? Number.NEGATIVE_INFINITY : since.getTime() - CLOCK_SKEW_MS;
      return begins <= at.getTime() && at.getTime() < until + RESTART_MS;
    })
    .map(({ ms }) => ms);
}
