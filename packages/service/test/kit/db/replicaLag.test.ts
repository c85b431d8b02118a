import { expect, test } from 'vitest';
import { createReplicaLag } from '../../../src/shape/replica/replica.js';

/** A position that the primary told at a time, a position that the replica has replayed, or that it went away. */
type Step = { written: string; atMs: number } | { replayed: string } | 'away';

const written = (position: string, atMs: number): Step => ({ written: position, atMs });
const replayed = (position: string): Step => ({ replayed: position });
const several = [written('0/3000000', 1_000), written('0/4000000', 1_250), written('1/0', 1_500)];
const idle = [1_000, 2_000, 3_000].flatMap((ms) => [written('0/3000000', ms), replayed('0/3000000')]);

test.each<[what: string, steps: Step[], askedMs: number, ageMs: number | null]>([
  [
    'unknown before a position was replayed',
    [written('0/30000A0', 1_000), replayed('0/3000000')],
    1_500,
    null,
  ],
  ['since the newest replayed position was told', [...several, replayed('0/FFFFFFFF')], 1_600, 350],
  ['since the last position, once all are replayed', [...several, replayed('1/0')], 1_600, 100],
  ['small while the primary is idle', idle, 3_100, 100],
  [
    'growing while nothing is replayed',
    [...idle, written('0/3000010', 4_000), replayed('0/3000000')],
    7_000,
    4_000,
  ],
  [
    'unknown after the replica went away',
    [written('0/3000000', 1_000), 'away', replayed('0/3000000')],
    1_100,
    null,
  ],
])('the age of a replica is %s', (_, steps, askedMs, ageMs) => {
  const lag = createReplicaLag();
  for (const step of steps) {
    if (step === 'away') lag.forget();
    else if ('replayed' in step) lag.noteReplayed(step.replayed);
    else lag.noteWritten(step.written, step.atMs);
  }
  expect(lag.ageMs(askedMs)).toBe(ageMs);
});
