import { fail } from '../../domain/errors.js';
import { DAY_MS, timeRangeOf } from '../../domain/timestamp.js';
import { KEPT_DAYS } from './parts.js';

interface WindowQuery {
  days?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Whole UTC days, both ends included. */
export interface UsageWindow {
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

const USUAL_DAYS = 7;

/**
 * The window a query asks for; the last seven days unless told. More than 400 days are cut to the last 400 of them, and
 * `truncated` says so, as it does where the window reaches back past what is kept (INTERFACE 4.3).
 */
export function windowOf(query: WindowQuery, now: Date): { window: UsageWindow; truncated: boolean } {
  const today = dayNumber(now);
  const asked = askedFor(query, today);
  const first = Math.max(asked.first, asked.last - (KEPT_DAYS - 1));
  return {
    window: { from: dateOf(first), to: dateOf(asked.last), days: asked.last - first + 1 },
    truncated: asked.first < Math.max(first, today - (KEPT_DAYS - 1)),
  };
}

function askedFor({ days, from, to }: WindowQuery, today: number): { first: number; last: number } {
  if (days !== undefined && (from ?? to) !== undefined) fail('USAGE_WINDOW_CONFLICT');
  const { start, end } = timeRangeOf({ from, to }, 'USAGE_RANGE_INVALID');
  if (start && end) return { first: dayNumber(start), last: dayNumber(end) };
  if (start || end) fail('USAGE_RANGE_INVALID', { message: '`from` and `to` go together: give both.' });
  return { first: today - (days ?? USUAL_DAYS) + 1, last: today };
}

function dayNumber(date: Date): number {
  return Math.floor(date.getTime() / DAY_MS);
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
