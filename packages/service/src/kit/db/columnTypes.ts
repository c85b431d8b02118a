import type { CustomTypesConfig } from 'pg';
import pg from 'pg';

/**
 * Converts column values to JavaScript values on both engines (the doc of Queryable has the table).
 * Set for the whole pool, because the service needs one conversion per type.
 */
export const columnTypes: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    return textParsers.get(oid) ?? pg.types.getTypeParser(oid, 'text');
  },
};

const INT8 = 20;
const DATE = 1082;
const TIMESTAMP = 1114;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;
const INT2_ARRAY = 1005;
const INT4_ARRAY = 1007;
const INT8_ARRAY = 1016;
const DATE_ARRAY = 1182;
const NUMERIC_ARRAY = 1231;
const UUID_ARRAY = 2951;

const readMoment: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ, 'text');

const textParsers = new Map<number, (text: string) => unknown>([
  [INT8, toSafeInteger],
  [NUMERIC, Number],
  // A day has no time zone; the Date of pg would shift it by the time zone of the machine.
  // Timestamps without time zone are not used and stay text.
  [DATE, asIs],
  [TIMESTAMP, asIs],
  [TIMESTAMPTZ, momentOf],
  [INT2_ARRAY, unquoted(Number)],
  [INT4_ARRAY, unquoted(Number)],
  [INT8_ARRAY, unquoted(toSafeInteger)],
  [NUMERIC_ARRAY, unquoted(Number)],
  [UUID_ARRAY, unquoted(asIs)],
  [DATE_ARRAY, unquoted(asIs)],
]);

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the integer ${text} exceeds 2^53 - 1`);
  return value;
}

/**
 * `2026-03-01 12:00:00.5+00` as ISO 8601, for which Node's parser takes a fifth of the time. Other forms
 * (the year 10000, BC, offsets with minutes) are left to pg.
 */
function momentOf(text: string): Date {
  const sign = text.charAt(text.length - 3);
  if (text.charAt(10) !== ' ' || (sign !== '+' && sign !== '-')) return readMoment(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`);
}

/**
 * One dimension only, of elements that are never quoted. A record has thousands of integers, and the
 * parser of pg reads character by character.
 */
function unquoted<T>(read: (item: string) => T): (text: string) => (T | null)[] {
  return (text) => {
    if (text === '{}') return [];
    const items = text.slice(1, -1).split(',');
    return items.map((item) => (item === 'NULL' ? null : read(item)));
  };
}

function asIs(text: string): string {
  return text;
}
