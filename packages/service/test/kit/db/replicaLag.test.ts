import { expect, test } from 'vitest';
import { createReplicaLag } from '../../../src/shape/replica/replica.js';

test('nothing is known before the replica has replayed a position of the primary', () => {
  const lag = createReplicaLag();
  lag.noteWritten('0/30000A0', 1_000);
  lag.noteReplayed('0/3000000');
  expect(lag.ageMs(1_500)).toBeNull();
});

test('the replica holds everything up to the time at which the newest replayed position was asked for', () => {
  const lag = createReplicaLag();
  lag.noteWritten('0/3000000', 1_000);
  lag.noteWritten('0/4000000', 1_250);
  lag.noteWritten('1/0', 1_500);
  lag.noteReplayed('0/FFFFFFFF');
  expect(lag.ageMs(1_600)).toBe(350);
  lag.noteReplayed('1/0');
  expect(lag.ageMs(1_600)).toBe(100);
});

test('an idle primary causes no lag', () => {
  const lag = createReplicaLag();
  for (const askedMs of [1_000, 2_000, 3_000]) {
    lag.noteWritten('0/3000000', askedMs);
    lag.noteReplayed('0/3000000');
  }
  expect(lag.ageMs(3_100)).toBe(100);
});

test('a replica that replays nothing becomes older while the primary goes on', () => {
  const lag = createReplicaLag();
  lag.noteWritten('0/3000000', 1_000);
  lag.noteReplayed('0/3000000');
  lag.noteWritten('0/3000010', 2_000);
  lag.noteReplayed('0/3000000');
  expect(lag.ageMs(5_000)).toBe(4_000);
});

test('a replica that went away is not trusted for what was measured before', () => {
  const lag = createReplicaLag();
  lag.noteWritten('0/3000000', 1_000);
  lag.forget();
  lag.noteReplayed('0/3000000');
  expect(lag.ageMs(1_100)).toBeNull();
});
