import { dayFromIso, dayOf, isoFromDay } from '@reliability/scoring';
import { z } from 'zod';
import type { ErrorCode } from './errorCatalog.js';
import { fail } from './errors.js';

/** Four-digit years: JavaScript and PostgreSQL format only these alike. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Characters of a date or timestamp, with any number of decimals that means something. */
export const MAX_MOMENT = 64;

/** An RFC 3339 timestamp with its offset, read to the millisecond. */
export const timestamp = timestampFrom(EARLIEST_MS, 'must lie between the years 0001 and 9999');

export const outcomeTime = timestampFrom(0, 'must not lie before 1970-01-01 or after the year 9999');

function timestampFrom(earliestMs: number, message: string) {
  const isInRange = (text: string) => Date.parse(text) >= earliestMs && Date.parse(text) <= LATEST_MS;
  return z
    .string()
    .max(MAX_MOMENT, { abort: true })
    .check(z.iso.datetime({ offset: true, abort: true }))
    .refine(isInRange, message)
    .transform((text) => new Date(text));
}

/** Inclusive at both ends, to the millisecond; null: open. */
export interface TimeRange {
  readonly start: Date | null;
  readonly end: Date | null;
}

/** Throws `code` if one is no date or timestamp, or `from` is after `to`. */
export function timeRangeOf(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  code: ErrorCode,
): TimeRange {
  const start = from === undefined ? null : rangeEnd(from, 'from');
  const end = to === undefined ? null : rangeEnd(to, 'to');
  if (from !== undefined && !start) fail(code, { message: '`from` is not a date or an RFC 3339 timestamp.' });
  if (to !== undefined && !end) fail(code, { message: '`to` is not a date or an RFC 3339 timestamp.' });
  if (start && end && start > end) fail(code, { message: '`from` is after `to`.' });
  return { start, end };
}

/** One end of a range: a timestamp, or a date for its whole UTC day. Null: invalid. */
export function rangeEnd(text: string, end: 'from' | 'to'): Date | null {
  if (z.iso.date().safeParse(text).success) {
    const midnight = Date.parse(`${text}T00:00:00.000Z`);
    return midnight < EARLIEST_MS ? null : new Date(end === 'from' ? midnight : midnight + DAY_MS - 1);
  }
  const parsed = timestamp.safeParse(text);
  return parsed.success ? parsed.data : null;
}

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

/** Of `Date.toISOString`, from the year 1 on. */
const PLAIN_MOMENT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Parses only the format of `Date.toISOString`, 2026-03-01T00:00:00.000Z; null for anything else. */
export function plainMomentMs(text: string): number | null {
  if (!PLAIN_MOMENT.test(text)) return null;
  const ms = Date.parse(text);
  // Date.parse takes 30 February and 24:00 for the day that follows.
  return new Date(ms).getUTCDate() === Number(text.slice(8, 10)) ? ms : null;
}

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

interface WindowRule {
  readonly usualDays: number;
  /** Longer windows are cut at the start. */
  readonly maxDays: number;
  readonly invalid: ErrorCode;
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
 * An entry for each day of the window, oldest first; `of` answers for days on which nothing was counted, too.
 */
export function everyDay<T>({ from, days }: DayWindow, of: (date: string) => T): T[] {
  const first = dayFromIso(from);
  return Array.from({ length: days }, (_, index) => of(isoFromDay(first + index)));
}
