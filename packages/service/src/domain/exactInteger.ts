/** An integer of JSON with more digits than a double holds, kept as it was written. */
export class ExactInteger {
  // Private to the language: code that lists the properties of a body finds none here.
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  toString(): string {
    return this.#digits;
  }

  /** `stringifyExact` makes a number of it: no text that was taken from a caller begins with a NUL. */
  toJSON(): string {
    return `\0${this.#digits}`;
  }
}

/** An integer of JSON as a value: a number, or what keeps the digits that a number would lose. */
export function integerOf(digits: string): number | ExactInteger {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : new ExactInteger(digits);
}

const MARKED = /"\\u0000(-?\d+)"(?!:)/g;

/** As JSON.stringify, with all digits of exact integers. */
export function stringifyExact(value: unknown): string {
  const text = JSON.stringify(value);
  // Nearly always there is none, and the look for a backslash costs next to nothing.
  return text?.includes('\\u0000') ? text.replace(MARKED, '$1') : text;
}

/** Digits enough to be past what a double holds. */
const MANY_DIGITS = /\d{16}/;
/** A string or an integer; numbers with a fraction or an exponent are left to JSON.parse. */
const STRING_OR_INTEGER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const LARGE_INTEGER = /^-?\d{16,}$/;

/** As JSON.parse of a text of our own, with integers that are exact. For texts of some kilobytes. */
export function parseExact(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  // No text that is stored holds a NUL.
  const marked = text.replace(STRING_OR_INTEGER, (token) =>
    LARGE_INTEGER.test(token) ? `"\\u0000${token}"` : token,
  );
  return JSON.parse(marked, (_, value) =>
    typeof value === 'string' && value.startsWith('\0') ? integerOf(value.slice(1)) : value,
  );
}
