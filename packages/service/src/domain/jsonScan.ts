import { fail, type ValidationDetail } from './errors.js';

/**
 * More than any body needs, and few enough that parsing cannot block the process: each new member
 * name costs JSON.parse half a microsecond, each array or object a tenth of that.
 */
const MAX_DEPTH = 64;
const MAX_VALUES = 50_000;
const MAX_MEMBERS = 15_000;
/** Each is cut out of the text separately to keep its digits. */
const MAX_LARGE_INTEGERS = 5000;

export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface JsonScan {
  readonly members: number;
  /** Integers that may be beyond 2^53, with their signs. */
  readonly largeIntegers: readonly Place[];
  readonly mayOverflow: boolean;
  /** The first text of the name `longText` in the outermost object, without its quotation marks. */
  readonly longText: Place | null;
  readonly repeated: ValidationDetail | null;
}

interface ScanOptions {
  longText?: string;
  /** Looks for a name that an object has twice. Of valid JSON only; it costs as much as parsing. */
  findsRepeated?: boolean;
}

interface Open {
  /** Null for an array, before the first name of an object, too. */
  names: Set<string> | null;
  name: string;
  index: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** 2^53 has 16 digits and begins with a nine. */
const LARGE_DIGITS = 16;
/** A number without an exponent that overflows has more digits before its point. */
const OVERFLOWING_DIGITS = 308;

/**
 * Scans a JSON text once, at a nanosecond per byte. What it finds is correct up to the first syntax error.
 * Throws BAD_REQUEST if it is nested too deeply, PAYLOAD_TOO_LARGE if it has too many values.
 */
export function scanJson(bytes: Buffer, { longText, findsRepeated = false }: ScanOptions = {}): JsonScan {
  let depth = 0;
  let values = 1;
  let members = 0;
  let mayOverflow = false;
  const largeIntegers: Place[] = [];
  let [lastText, lastTextEnd] = [0, 0];
  let isLongText = false;
  let place: Place | null = null;
  const open: Open[] | null = findsRepeated ? [] : null;
  let repeated: ValidationDetail | null = null;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        lastText = at;
        at = endOfString(bytes, at + 1);
        lastTextEnd = at;
        if (isLongText && at < bytes.length) place ??= { start: lastText + 1, end: at };
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth += 1;
        values += 1;
        if (depth > MAX_DEPTH)
          fail('BAD_REQUEST', { message: `The body is nested deeper than ${MAX_DEPTH} levels.` });
        open?.push({ names: null, name: '', index: 0 });
        isLongText = false;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth -= 1;
        open?.pop();
        isLongText = false;
        break;
      case COLON:
        members += 1;
        if (members > MAX_MEMBERS) failCount(MAX_MEMBERS, 'members');
        isLongText = depth === 1 && longText !== undefined && isName(bytes, lastText, lastTextEnd, longText);
        if (open) repeated ??= noteName(open, bytes.toString('utf8', lastText, lastTextEnd + 1));
        break;
      case COMMA: {
        values += 1;
        if (values > MAX_VALUES) failCount(MAX_VALUES, 'values');
        const inner = open?.at(-1);
        if (inner) inner.index += 1;
        isLongText = false;
        break;
      }
      default: {
        if (!isDigit(bytes[at])) break;
        const start = at;
        const end = endOfDigits(bytes, at + 1);
        const digits = end - start;
        const isLarge = digits > LARGE_DIGITS || (digits === LARGE_DIGITS && bytes[at] === NINE);
        at = (bytes[end] === POINT ? endOfDigits(bytes, end + 1) : end) - 1;
        if (isExponent(bytes[at + 1])) {
          mayOverflow = true;
          at = endOfExponent(bytes, at + 2) - 1;
        } else if (digits > OVERFLOWING_DIGITS) mayOverflow = true;
        if (!isLarge || at >= end) break;
        largeIntegers.push({ start: bytes[start - 1] === MINUS ? start - 1 : start, end });
        if (largeIntegers.length > MAX_LARGE_INTEGERS) failCount(MAX_LARGE_INTEGERS, 'large integers');
      }
    }
  }
  return { members, largeIntegers, mayOverflow, longText: place, repeated };
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function isExponent(byte: number | undefined): boolean {
  return byte === 0x65 || byte === 0x45;
}

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start;
  while (isDigit(bytes[at])) at += 1;
  return at;
}

/** @param start behind its letter */
function endOfExponent(bytes: Uint8Array, start: number): number {
  return endOfDigits(bytes, bytes[start] === MINUS || bytes[start] === 0x2b ? start + 1 : start);
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function isName(bytes: Buffer, start: number, end: number, name: string): boolean {
  // Each character may be an escape.
  if (end - start - 1 > name.length * 6) return false;
  try {
    return JSON.parse(bytes.toString('utf8', start, end + 1)) === name;
  } catch {
    return false;
  }
}

const MAX_PATH = 255;
const MAX_NAME = 64;

/** Escapes are decoded: "a" and "\u0061" are the same name. */
function noteName(open: readonly Open[], quoted: string): ValidationDetail | null {
  const inner = open.at(-1);
  if (!inner) return null;
  const name = JSON.parse(quoted) as string;
  inner.name = name;
  inner.names ??= new Set();
  if (!inner.names.has(name)) {
    inner.names.add(name);
    return null;
  }
  const steps = open.map((at) => (at.names ? at.name : String(at.index)));
  const printed = name.slice(0, MAX_NAME).toWellFormed();
  return {
    path: steps.join('.').slice(0, MAX_PATH).toWellFormed(),
    code: 'custom',
    message: `duplicate name "${printed}": send it once, or one of the two values would be lost`,
  };
}

function failCount(limit: number, what: string): never {
  const message = `The body contains more than ${limit} ${what}. Split it into several requests.`;
  fail('PAYLOAD_TOO_LARGE', { message, details: { limit, of: what } });
}
