import { describe, expect, test } from 'vitest';
import { createLanes, type LaneLimits, type Lanes } from '../../src/outbox/lanes.js';

const webhooks: LaneLimits = { kind: 'webhook', itemsPerSend: 1, maxSendsPerLane: 32, minIntervalMs: 0 };
const channels: LaneLimits = { kind: 'channel', itemsPerSend: 50, maxSendsPerLane: 1, minIntervalMs: 1000 };

function lanesAt(time: { ms: number }, mostSends = 512): Lanes {
  return createLanes([webhooks, channels], { mostSends, nowMs: () => time.ms });
}

function roomOf(lanes: Lanes, targetId: string) {
  return lanes.room()?.lanes.find((lane) => lane.targetId === targetId);
}

function send(lanes: Lanes, targetId: string, isSuccess: boolean, limits = webhooks): void {
  const place = lanes.enter(limits, targetId);
  place.ended(isSuccess);
  place.leave();
}

describe('a lane', () => {
  test('starts with four sends at once, or as few as its kind allows', () => {
    expect(lanesAt({ ms: 0 }).room()?.fresh).toEqual([
      { kind: 'webhook', rows: 4 },
      { kind: 'channel', rows: 50 },
    ]);
  });

  test('grows by one with each success, up to the most of its kind', () => {
    const lanes = lanesAt({ ms: 0 });
    send(lanes, 'a', true);
    expect(roomOf(lanes, 'a')).toMatchObject({ rows: 5 });
    for (let count = 0; count < 100; count += 1) send(lanes, 'a', true);
    expect(roomOf(lanes, 'a')).toMatchObject({ rows: 32 });
  });

  test('falls to one with a failure', () => {
    const lanes = lanesAt({ ms: 0 });
    for (let count = 0; count < 10; count += 1) send(lanes, 'a', true);
    send(lanes, 'a', false);
    expect(roomOf(lanes, 'a')).toEqual({ targetId: 'a', rows: 1, isGood: false });
  });

  test('has room again once a send is over, also before it is recorded', () => {
    const lanes = lanesAt({ ms: 0 });
    const places = [1, 2, 3, 4].map(() => lanes.enter(webhooks, 'a'));
    expect(roomOf(lanes, 'a')).toMatchObject({ rows: 0 });
    places[0]?.ended(true);
    expect(roomOf(lanes, 'a')).toMatchObject({ rows: 2 });
    expect(lanes.room()).toMatchObject({ rows: 508 });
    places[0]?.leave();
    expect(roomOf(lanes, 'a')).toMatchObject({ rows: 2 });
    expect(lanes.room()).toMatchObject({ rows: 509 });
  });

  test('keeps the distance between sends that its kind wants', () => {
    const time = { ms: 5000 };
    const lanes = lanesAt(time);
    send(lanes, 'c', true, channels);
    time.ms += 999;
    expect(roomOf(lanes, 'c')).toMatchObject({ rows: 0 });
    time.ms += 1;
    expect(roomOf(lanes, 'c')).toMatchObject({ rows: 50 });
  });

  test('is forgotten after two idle minutes, but not while something is under way', () => {
    const time = { ms: 0 };
    const lanes = lanesAt(time);
    send(lanes, 'a', false);
    lanes.enter(webhooks, 'b');
    time.ms += 120_001;
    expect(lanes.room()?.lanes.map(({ targetId }) => targetId)).toEqual(['b']);
  });

  test('may have more when it was given all it had room for', () => {
    const lanes = lanesAt({ ms: 0 });
    const room = lanes.room();
    if (!room) throw new Error('there is room at the start');
    const full = lanes.enter(webhooks, 'full');
    const sparse = lanes.enter(webhooks, 'sparse');
    lanes.noteClaim(
      room,
      new Map([
        ['full', 4],
        ['sparse', 3],
      ]),
    );
    expect(full.ended(true)).toBe(true);
    expect(sparse.ended(true)).toBe(false);
  });
});

describe('all lanes together', () => {
  test('hanging targets, however many, leave half of the places to good ones', () => {
    const time = { ms: 0 };
    const lanes = lanesAt(time, 100);
    send(lanes, 'good', true);
    for (let count = 0; count < 40; count += 1) lanes.enter(webhooks, `hanging-${count}`);
    expect(lanes.room()).toMatchObject({ rows: 60, doubtfulRows: 10 });
    for (let count = 40; count < 50; count += 1) lanes.enter(webhooks, `hanging-${count}`);
    time.ms += 5000;
    expect(lanes.room()).toMatchObject({ rows: 50, doubtfulRows: 0 });
    expect(roomOf(lanes, 'good')).toMatchObject({ isGood: true });
  });

  test('a target that has always been good counts as doubtful once a send takes more than a second', () => {
    const time = { ms: 0 };
    const lanes = lanesAt(time, 100);
    send(lanes, 'a', true);
    const slow = lanes.enter(webhooks, 'a');
    time.ms += 1000;
    expect(roomOf(lanes, 'a')).toMatchObject({ isGood: true });
    time.ms += 1;
    expect(roomOf(lanes, 'a')).toMatchObject({ isGood: false });
    expect(lanes.room()).toMatchObject({ doubtfulRows: 49 });
    slow.ended(true);
    expect(roomOf(lanes, 'a')).toMatchObject({ isGood: true });
  });

  test('there is no room once every place is taken', () => {
    const lanes = lanesAt({ ms: 0 }, 2);
    lanes.enter(webhooks, 'a');
    const place = lanes.enter(webhooks, 'b');
    expect(lanes.room()).toBeNull();
    place.leave();
    expect(lanes.room()).toMatchObject({ rows: 1 });
  });
});
