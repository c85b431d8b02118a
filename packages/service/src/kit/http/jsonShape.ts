import { fail } from '../../domain/errors.js';

/**
 * More than any body needs, and so few that no body of them holds up the process: each new name of a member costs JSON.parse
 * half a microsecond, each array or object a tenth of that.
 */
const MAX_DEPTH = 64;
const MAX_VALUES = 50_000;
const MAX_MEMBERS = 15_000;
/** Each is cut out of the text by itself where its digits are kept. */
const MAX_LARGE_INTEGERS = 5000;

/** What the bytes of a JSON text show of it before there is a tree. */
export interface JsonShape {
  /** Names of members, repeated ones too. */
  readonly members: number;
  /** Some integer is past 2^53, or seems to be. */
  readonly hasLargeInteger: boolean;
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
/** 2^53 has so many, and begins with a nine. */
const LARGE_DIGITS = 16;

/**
 * Looks once over a JSON text, a nanosecond a byte. The counts are right up to the first syntax error.
 * Throws BAD_REQUEST where it nests too deep, PAYLOAD_TOO_LARGE where it holds too many values.
 */
export function shapeOf(bytes: Uint8Array): JsonShape {
  let depth = 0;
  let values = 1;
  let members = 0;
  let largeIntegers = 0;
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
      }
    }
  }
  return { members, hasLargeInteger: largeIntegers > 0 };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

/** The position of the quotation mark that ends the string. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function failDepth(): never {
  fail('BAD_REQUEST', { message: `The body nests deeper than ${MAX_DEPTH} levels.` });
}

function failCount(limit: number, what: string): never {
  const message = `The body holds more than ${limit} ${what}. Split it into several requests.`;
  fail('PAYLOAD_TOO_LARGE', { message, details: { limit, of: what } });
}
