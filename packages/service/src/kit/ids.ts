import { randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';

/** Makes UUIDv7 ids. */
export interface IdSource {
  /** An id whose time part is exactly `at`, and which sorts after every id made here before for the same millisecond. */
  at(at: Date): string;
}

export function createIdSource(): IdSource {
  let lastMs = -1;
  let sequence = 0;
  return {
    at(at) {
      const ms = at.getTime();
      // Starting low leaves room for two thousand million ids within one millisecond.
      sequence = ms === lastMs ? sequence + 1 : randomInt(1 << 16);
      lastMs = ms;
      v7({ msecs: ms, seq: sequence, rng: pooledRandom }, bytes);
      return writtenOut();
    },
  };
}

const bytes = new Uint8Array(16);
const letters = Buffer.from('00000000-0000-0000-0000-000000000000');
/** The position of each byte in them. */
const places = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const HEX_DIGITS = Buffer.from('0123456789abcdef');

/** In one piece: the library's own text is put together from twenty, which every reader of it has to join first. */
function writtenOut(): string {
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    const place = places[index] ?? 0;
    letters[place] = HEX_DIGITS[byte >> 4] ?? 0;
    letters[place + 1] = HEX_DIGITS[byte & 15] ?? 0;
  }
  return letters.toString('latin1');
}

const RANDOM_BYTES = 16;
const pool = new Uint8Array(512 * RANDOM_BYTES);
let taken = pool.length;

/** Random bytes of an id, drawn in bulk: asking the system for each sixteenth id took 3 % of the time of a write. */
function pooledRandom(): Uint8Array {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += RANDOM_BYTES;
  return pool.subarray(taken - RANDOM_BYTES, taken);
}

/** The smallest UUID that an id made at `at` or later can have: turns a range of time into a range of ids. */
export function lowestIdAt(at: Date): string {
  const ms = Math.min(Math.max(at.getTime(), 0), 2 ** 48 - 1);
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The ids of a range of time, both ends included to the millisecond: from the first on, and before the second. */
export function idsBetween(start: Date | null, end: Date | null): { lowest: string; beyond: string } {
  return {
    lowest: lowestIdAt(start ?? new Date(0)),
    beyond: end ? lowestIdAt(new Date(end.getTime() + 1)) : HIGHEST_ID,
  };
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
