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
   * `stringifyExact` turns it into a number. Callers' texts cannot contain NUL, so the mark is
   * unambiguous.
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

/** JSON.stringify with all digits of exact integers. */
export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value);
  // Almost never present, and the search is cheap.
  return text?.includes('\\u0000') ? text.replace(MARKED, '$1') : text;
}

/** Enough digits to exceed the precision of a double. */
const MANY_DIGITS = /\d{16}/;
/** A string or an integer; numbers with a fraction or an exponent are left to JSON.parse. */
const STRING_OR_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const LARGE_INTEGER = /^-?\d{16,}$/;

/** JSON.parse with exact integers, for texts that this service stored, up to some kilobytes. */
export function parseExact(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  // Stored texts contain no NUL.
  const marked = text.replace(STRING_OR_INTEGER, (token) =>
    LARGE_INTEGER.test(token) ? `"\\u0000${token}"` : token,
  );
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith('\0') ? integerOf(value.slice(1)) : value,
  );
}
