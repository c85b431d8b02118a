import { randomBytes } from 'node:crypto';
import { type Place, scanJson } from './jsonScan.js';

/** A JSON integer beyond the precision of a double, stored as its digits. */
export class ExactInteger {
  // A private field, so that code that lists properties finds none.
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  toString(): string {
    return this.#digits;
  }

  /**
   * `stringifyExact` turns it into a number. Callers' texts cannot contain NUL, so the mark is unambiguous.
   */
  toJSON(): string {
    return `\0${this.#digits}`;
  }
}

/** A JSON integer: a number, or an ExactInteger if a number would lose digits. */
export function integerOf(digits: string): number | ExactInteger {
  // Converting hundreds of digits takes a microsecond.
  if (digits.length > MAX_SAFE_LENGTH) return new ExactInteger(digits);
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : new ExactInteger(digits);
}

/** Of the smallest safe integer, with its sign. JSON has no leading zeros. */
const MAX_SAFE_LENGTH = String(Number.MIN_SAFE_INTEGER).length;

const MARKED = /"\\u0000(-?\d+)"(?!:)/g;

export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value);
  // Almost never present, and the search is cheap.
  return text?.includes('\\u0000') ? text.replace(MARKED, '$1') : text;
}

/** Enough digits to exceed the precision of a double. */
const MANY_DIGITS = /\d{16}/;

/** JSON.parse with exact integers, for texts that this service stored, up to some kilobytes. */
export function parseExact(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  const bytes = Buffer.from(text);
  const marked = markIntegers(bytes, scanJson(bytes).largeIntegers);
  return reviveIntegers(JSON.parse(marked.text), marked.mark, 'keep');
}

export interface MarkedJson {
  text: string;
  mark: string;
}

export function markIntegers(json: Buffer, places: readonly Place[]): MarkedJson {
  // Random, so that no caller can disguise a text as a number.
  const mark = `${randomBytes(12).toString('base64')}:`;
  let text = '';
  let taken = 0;
  for (const { start, end } of places) {
    text += `${json.toString('utf8', taken, start)}"${mark}${json.toString('latin1', start, end)}"`;
    taken = end;
  }
  return { text: text + json.toString('utf8', taken), mark };
}

/** 'look': not here, but in the caller's own values below. 'drop': also not below. */
type Keeping = 'look' | 'keep' | 'drop';
/** Members with the caller's own values, stored as given. All other fields have their own range. */
const EXACT_UNDER: ReadonlySet<string> = new Set(['metadata', 'records']);
/** The constant of a mapping rule is the value of a field, even if the field is `metadata`. */
const NEVER_EXACT_UNDER = 'mapping';

/** Puts the integers in place of their marks. Recursion is safe: `scanJson` has limited the depth. */
export function reviveIntegers(value: unknown, mark: string, keeping: Keeping): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(mark)) return value;
    const digits = value.slice(mark.length);
    return keeping === 'keep' ? integerOf(digits) : Number(digits);
  }
  if (typeof value !== 'object' || value === null) return value;
  const container = value as Record<string, unknown>;
  for (const key of Object.keys(container)) {
    container[key] = reviveIntegers(container[key], mark, keepingUnder(key, keeping));
  }
  return value;
}

function keepingUnder(key: string, keeping: Keeping): Keeping {
  if (keeping !== 'look') return keeping;
  if (key === NEVER_EXACT_UNDER) return 'drop';
  return EXACT_UNDER.has(key) ? 'keep' : 'look';
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactInteger)
  );
}
