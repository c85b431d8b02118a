import { z } from 'zod';
import { ExactInteger } from '../exactInteger.js';
import { EventInput } from '../readOutcomeEvent.js';
import { namesSomebody } from '../sameParty.js';
import { plainMomentMs } from '../timestamp.js';
import { ofShort, Unusable, unreadable } from './unusable.js';

export const transformNames = [
  'cents_to_units',
  'decimal_comma',
  'iso_date',
  'day_month_year',
  'month_day_year',
  'lowercase',
  'trim',
  'boolean',
] as const;
export type TransformName = (typeof transformNames)[number];

/**
 * What a transform makes of a value; nothing is ever guessed. White space around a number, a date
 * or a yes is ignored.
 *
 * - cents_to_units: a hundredth of a whole number, or of text of one. No separators or currency signs.
 * - decimal_comma: 1.250,50 or 1 250,50, also with a euro behind it. Not 12.50: its dot separates no thousands.
 * - iso_date: an ISO 8601 date or timestamp (UTC without an offset), 10 digits of unix seconds or 13 of
 *   milliseconds become a timestamp in UTC. Not 03/04/2024.
 * - day_month_year, month_day_year: 03.10.2026, 3/10/26 or 3-10-2026, also with a time, in UTC. Of two digits,
 *   70 to 99 are years of the last century.
 * - lowercase, trim: of text. Numbers and booleans pass as they are, objects and arrays fail.
 * - boolean: true, t, yes, y, on, 1 and false, f, no, n, off, 0 in any case.
 */
export const transforms: Readonly<Record<TransformName, (value: unknown) => unknown>> = {
  cents_to_units: ofShort(unitsOfCents),
  decimal_comma: ofShort(numberWithComma),
  iso_date: ofShort(momentIn),
  day_month_year: ofShort((value) => momentOfDate(value, 'day')),
  month_day_year: ofShort((value) => momentOfDate(value, 'month')),
  lowercase: (value) => textOrScalar(value, (text) => text.toLowerCase()),
  trim: (value) => textOrScalar(value, (text) => text.trim()),
  boolean: ofShort(booleanOf),
};

export function isTransformName(name: unknown): name is TransformName {
  return (transformNames as readonly unknown[]).includes(name);
}

function unitsOfCents(value: unknown): unknown {
  const cents = typeof value === 'string' && WHOLE_NUMBER.test(value.trim()) ? Number(value) : value;
  if (typeof cents === 'number' && Number.isSafeInteger(cents)) return cents / 100;
  return unreadable('invalid_format', 'must be a whole number of cents', value);
}

const WHOLE_NUMBER = /^[+-]?\d+$/;

/** Numbers of JSON pass as they are. */
function numberWithComma(value: unknown): unknown {
  if (typeof value === 'number') return value;
  const text = typeof value === 'string' ? value.trim() : '';
  if (DECIMAL_COMMA.test(text)) return Number(text.replace(/[^\d,+-]/g, '').replace(',', '.'));
  return unreadable('invalid_format', 'must be a number with a decimal comma, such as 1.250,50', value);
}

// The spaces between thousands may be no-break spaces; the sign is the euro's.
const DECIMAL_COMMA =
  /^[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u202f]\d{3})+|\d+)(?:,\d+)?(?:[ \u00a0\u202f]?(?:\u20ac|EUR))?$/;

function textOrScalar(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value instanceof ExactInteger) return value;
  return unreadable('invalid_type', 'must be text', value);
}

function booleanOf(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (typeof word === 'string' || typeof word === 'number') {
    if (YES.has(word)) return true;
    if (NO.has(word)) return false;
  }
  return unreadable('invalid_format', 'must be yes or no, true or false, 1 or 0', value);
}

const YES: ReadonlySet<string | number> = new Set(['true', 't', 'yes', 'y', 'on', '1', 1]);
const NO: ReadonlySet<string | number> = new Set(['false', 'f', 'no', 'n', 'off', '0', 0]);

const isoDate = transforms.iso_date;

/** As RFC 3339 in UTC; a date is its first moment. */
function momentIn(value: unknown): unknown {
  if (typeof value === 'string' && plainMomentMs(value) !== null) return value;
  const text = typeof value === 'number' ? String(value) : value;
  const ms = typeof text === 'string' ? momentOf(text.trim()) : null;
  if (ms !== null && ms >= EARLIEST_MS && ms <= LATEST_MS) return new Date(ms).toISOString();
  return unreadable('invalid_format', 'must be an ISO 8601 date or timestamp, such as 2026-03-01', value);
}

const EXPECTED_DATE = {
  day: 'must be a date with the day first, such as 03.10.2026',
  month: 'must be a date with the month first, such as 10/03/2026',
} as const;

function momentOfDate(value: unknown, first: 'day' | 'month'): unknown {
  const parts = typeof value === 'string' ? DATE.exec(value.trim()) : null;
  const [, one = '', sign, two = '', again, year = '', hour = '0', minute = '00', second = '00', half] =
    parts ?? [];
  const [day, month] = first === 'day' ? [one, two] : [two, one];
  const date = [fullYear(year), ...[month, day].map(twoDigits)].join('-');
  const time = `${twoDigits(hourOf(Number(hour), half))}:${minute}:${second}.000Z`;
  const ms = parts && sign === again ? plainMomentMs(`${date}T${time}`) : null;
  return ms === null ? unreadable('invalid_format', EXPECTED_DATE[first], value) : new Date(ms).toISOString();
}

const DATE =
  /^(\d\d?)([./-]) ?(\d\d?)([./-]) ?(\d{4}|\d\d)(?:,? (\d\d?):(\d\d)(?::(\d\d))?(?:[ \u00a0\u202f]?([ap])m)?)?$/i;

function twoDigits(digits: string | number): string {
  return String(digits).padStart(2, '0');
}

/** No outcome was before 1970. */
function fullYear(year: string): string {
  if (year.length !== 2) return year;
  return year < '70' ? `20${year}` : `19${year}`;
}

/** 12 am is midnight. Not of the clock: 99, which no time has. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return 99;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

const UNIX_TIME = /^(?:\d{10}|\d{13})$/;
const UNIX_SECONDS_DIGITS = 10;
const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|UTC|[+-]\d\d(?::?\d\d)?))?)?$/i;

function momentOf(text: string): number | null {
  if (UNIX_TIME.test(text)) return text.length === UNIX_SECONDS_DIGITS ? Number(text) * 1000 : Number(text);
  const [match, date, time = '00:00', second = '00', fraction = '', offset = 'Z'] = ISO.exec(text) ?? [];
  if (!match) return null;
  const ms = plainMomentMs(`${date}T${time}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  const offsetMinutes = minutesOf(offset);
  return ms === null || offsetMinutes === null ? null : ms - offsetMinutes * MINUTE_MS;
}

const MINUTE_MS = 60_000;

function minutesOf(offset: string): number | null {
  if (/^(?:Z|UTC)$/i.test(offset)) return 0;
  const digits = offset.replace(/[+:-]/g, '');
  const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

type EventField = Exclude<keyof typeof EventInput.shape, 'metadata'>;
/** The targets of rules besides the entries of `metadata`: the fields of an event and its attester. */
export type MappingField = EventField | 'verifiedBy';

export interface ValueKind {
  readonly transforms: readonly TransformName[];
  /** The field's value or an `Unusable`. Never called with undefined, null or ''. */
  read(value: unknown): unknown;
  /** Converts a value of the mapping itself: a constant, a default or an entry of a table. */
  finish(value: unknown): unknown;
}

const { userId, eventType, stakeLevel, isVerified, transactionValue, dueDate, completedAt, idempotencyKey } =
  EventInput.shape;
/** A name or reference (RULES X5). */
const party = z.string().max(255, { abort: true }).refine(namesSomebody, 'must name somebody');

export const dateTransforms = ['iso_date', 'day_month_year', 'month_day_year'] as const;

export const mappingFields: Readonly<Record<MappingField, ValueKind>> = {
  userId: kindOf(['lowercase', 'trim', 'iso_date'], readText, userId),
  eventType: kindOf(['trim'], readText, eventType),
  stakeLevel: kindOf(['trim'], readText, stakeLevel),
  isVerified: kindOf(['boolean', 'trim'], ofShort(readFlag), isVerified),
  transactionValue: kindOf(
    ['cents_to_units', 'decimal_comma', 'trim'],
    ofShort(readNumber),
    transactionValue,
  ),
  dueDate: kindOf([...dateTransforms, 'trim'], ofShort(readMoment), dueDate, isoDate),
  completedAt: kindOf([...dateTransforms, 'trim'], ofShort(readMoment), completedAt, isoDate),
  idempotencyKey: kindOf(['lowercase', 'trim', 'iso_date'], readText, idempotencyKey),
  verifiedBy: kindOf(['lowercase', 'trim', 'iso_date'], readText, party),
};

/** An entry of `metadata` is stored unchanged. */
export const metadataEntry: ValueKind = kindOf(transformNames, (value) => value, z.unknown());

export function isMappingField(name: string): name is MappingField {
  return Object.hasOwn(mappingFields, name);
}

function kindOf(
  accepted: readonly TransformName[],
  read: (value: unknown) => unknown,
  schema: z.ZodType,
  readWritten = read,
): ValueKind {
  return {
    transforms: accepted,
    read,
    finish(written) {
      const value = readWritten(written);
      if (value instanceof Unusable) return value;
      const issue = schema.safeParse(value).error?.issues[0];
      return issue ? unusableBy(issue) : value;
    },
  };
}

function unusableBy(issue: z.core.$ZodIssue): Unusable {
  switch (issue.code) {
    case 'invalid_value':
      return new Unusable(issue.code, `must be one of ${issue.values.join(', ')}`);
    case 'too_small':
      return new Unusable(issue.code, `must not be less than ${issue.minimum}`);
    case 'too_big': {
      const unit = issue.origin === 'string' ? ' characters' : '';
      return new Unusable(issue.code, `must not be more than ${issue.maximum}${unit}`);
    }
    default:
      return new Unusable('custom', issue.message);
  }
}

/** Many systems use numeric ids. Integers are converted exactly. */
function readText(value: unknown): unknown {
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value) || value instanceof ExactInteger) return String(value);
  return unreadable('invalid_type', 'must be text or a whole number', value);
}

function readNumber(value: unknown): unknown {
  const text = value instanceof ExactInteger ? String(value) : value;
  const number = typeof text === 'string' && NUMBER.test(text.trim()) ? Number(text) : text;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  const hint = '; the transform decimal_comma takes 1.250,50';
  return unreadable('invalid_format', 'must be a number with a decimal point', value, hint);
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function readFlag(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === 'true' || word === 'false') return word === 'true';
  return unreadable(
    'invalid_type',
    'must be true or false',
    value,
    '; the transform boolean takes other words',
  );
}

/** The validation of the event checks the calendar. */
function readMoment(value: unknown): unknown {
  if (typeof value === 'string' && RFC_3339_FORM.test(value)) return value;
  const hint = '; the transform iso_date takes dates, day_month_year takes 03.10.2026';
  return unreadable('invalid_format', 'must be an RFC 3339 timestamp', value, hint);
}

const RFC_3339_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
