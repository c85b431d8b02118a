import { dayFromIso, dayOf, isoFromDay } from '@reliability/scoring';
import type { ErrorCode } from './errorCatalog.js';
import { fail } from './errors.js';
import { timeRangeOf } from './timestamp.js';

/** Whole UTC days, inclusive. */
export interface DayWindow {
  readonly from: string;
  readonly to: string;
  readonly days: number;
}

/** The window in a query: a number of days up to today, or both ends. */
export interface WindowQuery {
  days?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export interface WindowRule {
  readonly usualDays: number;
  /** Longer windows are cut at the start. */
  readonly maxDays: number;
  /** The code for an invalid or missing end, or `from` after `to`. */
  readonly invalid: ErrorCode;
  /** The code for a query with both. */
  readonly conflict: ErrorCode;
}

/** The window of a query; `firstAsked` is its first day before any cut. */
export function dayWindowOf(
  query: WindowQuery,
  rule: WindowRule,
  now: Date,
): { window: DayWindow; first: number; firstAsked: number } {
  const asked = askedFor(query, rule, dayOf(now));
  const first = Math.max(asked.first, asked.last - (rule.maxDays - 1));
  const window = { from: isoFromDay(first), to: isoFromDay(asked.last), days: asked.last - first + 1 };
  return { window, first, firstAsked: asked.first };
}

function askedFor(
  { days, from, to }: WindowQuery,
  { usualDays, invalid, conflict }: WindowRule,
  today: number,
): { first: number; last: number } {
  if (days !== undefined && (from ?? to) !== undefined) fail(conflict);
  const { start, end } = timeRangeOf({ from, to }, invalid);
  if (start && end) return { first: dayOf(start), last: dayOf(end) };
  if (start || end) fail(invalid, { message: 'Only one of `from` and `to` is given. Give both.' });
  return { first: today - (days ?? usualDays) + 1, last: today };
}

/**
 * An entry for each day of the window, oldest first; `of` answers for days on which nothing was
 * counted, too.
 */
export function everyDay<T>({ from, days }: DayWindow, of: (date: string) => T): T[] {
  const first = dayFromIso(from);
  return Array.from({ length: days }, (_, index) => of(isoFromDay(first + index)));
}
