import { CLOCK_SKEW_MS } from '@reliability/proof';
import { HOUR_MS } from '#domain/timestamp.js';
import type { Queryable } from '#kit/db/database.js';

/** A window of disputes or of reviews, in force since the start of the first process that had it. */
export interface Window {
  readonly since: Date;
  readonly ms: number;
}

const settings = {
  disputes: { name: 'disputeWindowMs', variable: 'DISPUTE_WINDOW_HOURS' },
  reviews: { name: 'reviewWindowMs', variable: 'REVIEW_WINDOW_HOURS' },
} as const;
type Windowed = keyof typeof settings;

/** Stores a window if it differs from the one in force. Call it before the process opens a dispute or a review. */
export async function noteWindow(db: Queryable, of: Windowed, ms: number, now: Date): Promise<void> {
  await db.execute(
    `insert into setting_in_force (name, value, since) select $1, $2::bigint, $3::timestamptz
     where $2::bigint is distinct from (select value from setting_in_force where name = $1 order by since desc limit 1)
     on conflict do nothing`,
    [settings[of].name, ms, now],
  );
}

export function readWindows(db: Queryable, of: Windowed): Promise<Window[]> {
  return db.query<Window>('select since, value as ms from setting_in_force where name = $1 order by since', [
    settings[of].name,
  ]);
}

/** Why the end of a window is none that it can have; null: it is one. */
export function faultOfWindow(
  of: Windowed,
  windows: readonly Window[],
  { openedAt, respondBy }: { openedAt: Date; respondBy: Date },
): string | null {
  const { variable } = settings[of];
  const window = respondBy.getTime() - openedAt.getTime();
  const due = windowsAt(windows, openedAt);
  if (due.length === 0) return `no ${variable} is stored for the time of its opening`;
  if (due.includes(window)) return null;
  return `respond_by is ${hours(window)} h after its opening, ${variable} was ${due.map(hours).join(' or ')}`;
}

function hours(ms: number): number {
  return ms / HOUR_MS;
}

/** Processes with the former value may run for so long: a fleet does not restart at one moment. */
const RESTART_MS = HOUR_MS;

/** The windows that a dispute or a review opened at `at` can have. */
function windowsAt(windows: readonly Window[], at: Date): number[] {
  return windows
    .filter(({ since }, index) => {
      const until = windows[index + 1]?.since.getTime() ?? Number.POSITIVE_INFINITY;
      const begins = index === 0 ? Number.NEGATIVE_INFINITY : since.getTime() - CLOCK_SKEW_MS;
      return begins <= at.getTime() && at.getTime() < until + RESTART_MS;
    })
    .map(({ ms }) => ms);
}
