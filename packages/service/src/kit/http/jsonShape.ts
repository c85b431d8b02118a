import { fail } from '../../domain/errors.js';

/**
 * More than any body needs, and few enough that parsing cannot block the process: each new member
 * name costs JSON.parse half a microsecond, each array or object a tenth of that.
 */
const MAX_DEPTH = 64;
const MAX_VALUES = 50_000;
const MAX_MEMBERS = 15_000;
/** Each is cut out of the text separately to keep its digits. */
const MAX_LARGE_INTEGERS = 5000;

/** Properties of a JSON text that can be seen before parsing. */
export interface JsonShape {
  /** Member names, including duplicates. */
  readonly members: number;
  /** Whether an integer may be beyond 2^53. */
  readonly hasLargeInteger: boolean;
  /** Whether a number may be beyond the range of a double. */
  readonly mayOverflow: boolean;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
/** 2^53 has 16 digits and begins with a nine. */
const LARGE_DIGITS = 16;
/** A number without an exponent that overflows has more digits before its point. */
const OVERFLOWING_DIGITS = 308;

/**
 * Scans a JSON text once, at a nanosecond per byte. The counts are correct up to the first syntax
 * error.
 * Throws BAD_REQUEST if it is nested too deeply, PAYLOAD_TOO_LARGE if it has too many values.
 */
export function shapeOf(bytes: Uint8Array): JsonShape {
  let depth = 0;
  let values = 1;
  let members = 0;
  let largeIntegers = 0;
  let mayOverflow = false;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at + 1);
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > MAX_DEPTH) failDepth();
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        break;
      case COLON:
        members += 1;
        if (members > MAX_MEMBERS) failCount(MAX_MEMBERS, 'members');
        break;
      case COMMA:
        values += 1;
        if (values > MAX_VALUES) failCount(MAX_VALUES, 'values');
        break;
      default: {
        if (!isDigit(bytes[at])) break;
        const end = endOfDigits(bytes, at + 1);
        const digits = end - at;
        if (bytes[end] === POINT) at = endOfDigits(bytes, end + 1) - 1;
        else {
          if (digits > LARGE_DIGITS || (digits === LARGE_DIGITS && bytes[at] === NINE)) {
            largeIntegers += 1;
            if (largeIntegers > MAX_LARGE_INTEGERS) failCount(MAX_LARGE_INTEGERS, 'large integers');
          }
          at = end - 1;
        }
        if (digits > OVERFLOWING_DIGITS || isExponent(bytes[at + 1])) mayOverflow = true;
      }
    }
  }
  return { members, hasLargeInteger: largeIntegers > 0, mayOverflow };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

/** `e` or `E`. */
function isExponent(byte: number | undefined): boolean {
  return byte === 0x65 || byte === 0x45;
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

/** The position of the closing quotation mark. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function failDepth(): never {
  fail('BAD_REQUEST', { message: `The body is nested deeper than ${MAX_DEPTH} levels.` });
}

function failCount(limit: number, what: string): never {
  const message = `The body contains more than ${limit} ${what}. Split it into several requests.`;
  fail('PAYLOAD_TOO_LARGE', { message, details: { limit, of: what } });
}
