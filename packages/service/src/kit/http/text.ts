import { isUtf8 } from 'node:buffer';
import { fail, type ServiceError, type ValidationDetail, validationError } from '#domain/errors.js';
import { scanJson } from '#domain/jsonScan.js';

/** Whether the text can be stored and sent unchanged: no NUL, no lone surrogate (RULES X5). */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Finds a key or value that cannot be stored: a text, or a number that overflows a double and would
 * be stored as null. Recursion is safe: `scanJson` has limited the depth.
 * @param path dotted path of the value in the body.
 */
export function findUnstorable(value: unknown, path = ''): ValidationDetail | null {
  if (typeof value === 'string') return isStorableText(value) ? null : unstorable(path);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return null;
    return { path, code: 'too_big', message: 'is a number beyond 1.8e308, which cannot be stored' };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const key of Object.keys(value)) {
    if (!isStorableText(key)) return unstorable(path);
    const found = findUnstorable(value[key as keyof typeof value], path === '' ? key : `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

function unstorable(path: string): ValidationDetail {
  return {
    path,
    code: 'invalid_format',
    message: 'contains a NUL character or half of a surrogate pair, which cannot be stored',
  };
}

/** For items of routes with `itemsStandAlone`, as `findUnstorable`. */
export function refusalOfUnstorable(item: unknown, path: string): ServiceError | null {
  const error = findUnstorable(item, path);
  return error && validationError([error]);
}

export interface SeparatedText {
  readonly rest: Uint8Array<ArrayBuffer>;
  /** UTF-8. Null: the object has no such text. */
  readonly text: Uint8Array | null;
  readonly storageError: ValidationDetail | null;
}

const MAX_REST_BYTES = 1024 * 1024;

/**
 * Takes the text `name` out of a JSON object and resolves its escapes in the memory of the body:
 * parsing a body of 32 MiB takes four times as much memory. Throws BAD_REQUEST or PAYLOAD_TOO_LARGE.
 */
export function separateText(raw: Buffer<ArrayBuffer>, name: string): SeparatedText {
  if (!isUtf8(raw)) fail('BAD_REQUEST', { message: 'The body is not valid UTF-8.' });
  const { longText: place } = scanJson(raw, { longText: name });
  const restBytes = raw.length - (place ? place.end - place.start : 0);
  if (restBytes > MAX_REST_BYTES) {
    const message = `All members except \`${name}\` may have 1 MiB together, and have ${restBytes} bytes.`;
    fail('PAYLOAD_TOO_LARGE', { message, details: { limit: MAX_REST_BYTES, of: `bytes except ${name}` } });
  }
  const rest = new Uint8Array(restBytes);
  if (!place) {
    rest.set(raw);
    return { rest, text: null, storageError: null };
  }
  rest.set(raw.subarray(0, place.start));
  rest.set(raw.subarray(place.end), place.start);
  const { end, isStorable } = resolveEscapes(raw, place.start, place.end);
  const storageError = isStorable ? null : findUnstorable({ [name]: '\0' });
  return { rest, text: raw.subarray(place.start, end), storageError };
}

const BACKSLASH = 0x5c;

/** By the letter after the backslash: b, f, n, r, t, and three that stand for themselves. */
const ESCAPES: ReadonlyMap<number | undefined, number> = new Map(
  Array.from('bfnrt"\\/', (letter, index) => [letter.charCodeAt(0), '\b\f\n\r\t"\\/'.charCodeAt(index)]),
);

/** Resolves escapes where they are: none is shorter than its character in UTF-8. */
function resolveEscapes(bytes: Buffer, start: number, end: number): { end: number; isStorable: boolean } {
  let written = start;
  let isStorable = true;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20) refuse(at, 'a control character in a text is not escaped');
    if (byte !== BACKSLASH) {
      bytes[written++] = byte;
      continue;
    }
    at += 1;
    const simple = ESCAPES.get(bytes[at]);
    if (simple !== undefined) {
      bytes[written++] = simple;
      continue;
    }
    let code = bytes[at] === 0x75 ? hexAt(bytes, at + 1) : Number.NaN;
    if (Number.isNaN(code)) refuse(at, 'an unknown escape in a text');
    at += 4;
    const isHigh = code >= 0xd800 && code <= 0xdbff;
    if (isHigh && bytes[at + 1] === BACKSLASH && bytes[at + 2] === 0x75) {
      const low = hexAt(bytes, at + 3);
      if (low >= 0xdc00 && low <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
      }
    }
    if (code === 0 || (code >= 0xd800 && code <= 0xdfff)) isStorable = false;
    written = writeCharacter(bytes, written, code);
  }
  return { end: written, isStorable };
}

function hexAt(bytes: Uint8Array, start: number): number {
  let code = 0;
  for (let at = start; at < start + 4; at += 1) code = code * 16 + digitOf(bytes[at]);
  return code;
}

function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}

/** By hand: `bytes.write` takes six times as long. */
function writeCharacter(bytes: Uint8Array, start: number, code: number): number {
  let at = start;
  if (code < 0x80) bytes[at++] = code;
  else {
    if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
    else {
      if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
      else {
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
      }
      bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    }
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return at;
}

function refuse(at: number, reason: string): never {
  fail('BAD_REQUEST', { message: `The body is not JSON: ${reason}, at position ${at}` });
}
