/**
 * Arrays as statement parameters, in PostgreSQL's binary format (array_send). For a thousand rows it costs a
 * fraction of the text form, in which both sides escape, parse and check each element. pg sends a Buffer as
 * binary. The statement must name the type of the parameter (`$1::uuid[]`), since the elements carry theirs.
 *
 * Each function takes the rows and a function that reads one element; null and undefined become NULL. A value
 * that does not fit the type throws.
 */

export type Read<Row, Value> = (row: Row) => Value | null | undefined;

export const uuids = arraysOf(2950, putUuid);
export const texts = arraysOf(25, putText);
/** Of JSON texts. */
export const jsons = arraysOf(114, putText);

export const booleans = arraysOf(16, (value: boolean) => {
  putLength(1);
  bytes[at] = value ? 1 : 0;
  at += 1;
});

export const int2s = arraysOf(21, (value: number) => {
  putLength(2);
  view.setInt16(at, within(value, -(2 ** 15), 2 ** 15 - 1));
  at += 2;
});

export const int4s = arraysOf(23, (value: number) => {
  putLength(4);
  putInt32(within(value, -(2 ** 31), 2 ** 31 - 1));
});

/** Of times: a Date, or milliseconds since 1970. */
export const timestamptzs = arraysOf(1184, (moment: Date | number) => {
  putLength(8);
  const ms = typeof moment === 'number' ? moment : moment.getTime();
  putMicroseconds(within(ms, EARLIEST_MS, LATEST_MS) - EPOCH_MS);
});

export const byteas = arraysOf(17, (value: Uint8Array) => {
  putLength(value.length);
  bytes.set(value, at);
  at += value.length;
});

/** Sent as text: the binary form has base-10000 digits, and arrays of numbers are short here. */
export function numerics<Row>(rows: readonly Row[], read: Read<Row, number>): string {
  const written = rows.map((row) => {
    const value = read(row) ?? 'NULL';
    if (value !== 'NULL' && !Number.isFinite(value)) throw new RangeError(`${value} cannot be stored`);
    return value;
  });
  return `{${written.join(',')}}`;
}

/** One buffer serves all arrays: each is written synchronously and then copied. */
let bytes = Buffer.allocUnsafeSlow(64 * 1024);
let view = viewOf(bytes);
let at = 0;
let hasNull = false;

const HEADER_BYTES = 20;
/** 2000-01-01, the epoch of PostgreSQL. */
const EPOCH_MS = 946_684_800_000;
/** Both sides write years in this range with four digits. */
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');
/** After a larger array the buffer shrinks to this size. */
const MAX_IDLE_BYTES = 1024 * 1024;

/** @param put writes the length and the bytes of an element. */
function arraysOf<Value>(elementType: number, put: (value: Value) => void) {
  return <Row>(rows: readonly Row[], read: Read<Row, Value>): Buffer => {
    at = HEADER_BYTES;
    hasNull = false;
    for (const row of rows) {
      const value = read(row);
      if (value === null || value === undefined) {
        hasNull = true;
        reserve(4);
        putInt32(-1);
      } else put(value);
    }
    view.setInt32(0, rows.length === 0 ? 0 : 1); // dimensions
    view.setInt32(4, hasNull ? 1 : 0);
    view.setInt32(8, elementType);
    view.setInt32(12, rows.length);
    view.setInt32(16, 1); // the first index
    const array = Buffer.from(bytes.subarray(0, rows.length === 0 ? HEADER_BYTES - 8 : at));
    if (bytes.length > MAX_IDLE_BYTES) resize(MAX_IDLE_BYTES);
    return array;
  };
}

/** Without the check bits would be lost silently. The text form would be refused. */
function within(value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`${value} does not fit its column`);
}

function putLength(length: number): void {
  reserve(4 + length);
  putInt32(length);
}

function putInt32(value: number): void {
  view.setInt32(at, value);
  at += 4;
}

function putText(text: string): void {
  reserve(4 + text.length * 3);
  const start = at + 4;
  const length = putAscii(text, start) ? text.length : bytes.write(text, start);
  putInt32(length);
  at = start + length;
}

/** Short ASCII texts are copied byte by byte: a native call for each costs more. */
function putAscii(text: string, start: number): boolean {
  if (text.length > SHORT_TEXT) return false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) return false;
    bytes[start + index] = code;
  }
  return true;
}

const SHORT_TEXT = 100;

function putUuid(id: string): void {
  putLength(16);
  let seen = id.length === UUID_LENGTH ? 0 : NO_DIGIT;
  for (let index = 0; index < UUID_LENGTH; index += 2) {
    if (id.charCodeAt(index) === DASH) index += 1;
    const high = HEX_DIGITS[id.charCodeAt(index)] ?? NO_DIGIT;
    const low = HEX_DIGITS[id.charCodeAt(index + 1)] ?? NO_DIGIT;
    seen |= high | low;
    bytes[at] = (high << 4) | low;
    at += 1;
  }
  if (seen >= NO_DIGIT) throw new TypeError(`${id} is not a UUID`);
}

const UUID_LENGTH = 36;
const DASH = '-'.charCodeAt(0);
const NO_DIGIT = 0x80;
const HEX_DIGITS = hexDigits();

function hexDigits(): Uint8Array {
  const digits = new Uint8Array(128).fill(NO_DIGIT);
  for (let value = 0; value < 16; value += 1) {
    digits[value.toString(16).charCodeAt(0)] = value;
    digits[value.toString(16).toUpperCase().charCodeAt(0)] = value;
  }
  return digits;
}

function putMicroseconds(ms: number): void {
  const us = ms * 1000;
  if (Number.isSafeInteger(us)) {
    const high = Math.floor(us / 2 ** 32);
    view.setInt32(at, high);
    view.setUint32(at + 4, us - high * 2 ** 32);
  } else view.setBigInt64(at, BigInt(ms) * 1000n);
  at += 8;
}

function reserve(count: number): void {
  if (at + count > bytes.length) resize(Math.max(bytes.length * 2, at + count));
}

function resize(length: number): void {
  const used = bytes.subarray(0, Math.min(at, length));
  bytes = Buffer.allocUnsafeSlow(length);
  bytes.set(used);
  view = viewOf(bytes);
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
