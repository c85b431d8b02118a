import type { CustomTypesConfig } from 'pg';
import pg from 'pg';

/**
 * How column values become JavaScript values on both engines (the table is in the doc of Queryable). Set for the
 * whole pool, because the service never wants two readings of one type.
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
const NUMERIC = 1700;
const INT2_ARRAY = 1005;
const INT4_ARRAY = 1007;
const INT8_ARRAY = 1016;
const DATE_ARRAY = 1182;
const NUMERIC_ARRAY = 1231;

const TEXT_ARRAY: number = 1009;

const readTextArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY, 'text');

const textParsers = new Map<number, (text: string) => unknown>([
  [INT8, toSafeInteger],
  [NUMERIC, Number],
  // A day has no zone; pg's own Date would shift it by the machine's. Timestamps without zone are not used, and left as text.
  [DATE, asIs],
  [TIMESTAMP, asIs],
  [INT2_ARRAY, integersOf],
  [INT4_ARRAY, integersOf],
  [INT8_ARRAY, arrayOf(toSafeInteger)],
  [NUMERIC_ARRAY, arrayOf(Number)],
  [DATE_ARRAY, arrayOf(asIs)],
]);

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`the integer ${text} is past what a number holds exactly`);
  return value;
}

/** Of one dimension. A record has thousands of them, and pg's own reading takes each letter by itself. */
function integersOf(text: string): (number | null)[] {
  if (text === '{}') return [];
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item === 'NULL' ? null : Number(item)));
}

function asIs(text: string): string {
  return text;
}

function arrayOf<T>(read: (text: string) => T): (text: string) => (T | null)[] {
  return (text) => readTextArray(text).map((item) => (item === null ? null : read(item)));
}
