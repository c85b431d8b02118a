import { describe, expect, test } from 'vitest';
import {
  createTargetWindows,
  type SendBudget,
  shareSends,
  type TargetWindows,
  type WindowLimits,
} from '#outbox/targetWindows.js';

const webhooks: WindowLimits = { kind: 'webhook', itemsPerSend: 1, maxSendsPerTarget: 32, minIntervalMs: 0 };
const channels: WindowLimits = {
  kind: 'channel',
  itemsPerSend: 50,
  maxSendsPerTarget: 1,
  minIntervalMs: 1000,
};

function windowsAt(time: { ms: number }, maxSends = 512): TargetWindows {
  return createTargetWindows([webhooks, channels], { budget: shareSends(maxSends)(), nowMs: () => time.ms });
}

function capacityOf(windows: TargetWindows, targetId: string) {
  return windows.capacity()?.windows.find((window) => window.targetId === targetId);
}

function send(windows: TargetWindows, targetId: string, isSuccess: boolean, limits = webhooks): void {
  const slot = windows.take(limits, targetId);
  slot.ended(isSuccess);
  slot.release();
}

describe('the window of a target', () => {
  test('starts with four concurrent sends, or fewer if its kind allows fewer', () => {
    expect(windowsAt({ ms: 0 }).capacity()?.fresh).toEqual([
      { kind: 'webhook', rows: 4 },
      { kind: 'channel', rows: 50 },
    ]);
  });

  test('grows by one with each success up to the maximum of its kind', () => {
    const windows = windowsAt({ ms: 0 });
    send(windows, 'a', true);
    expect(capacityOf(windows, 'a')).toMatchObject({ rows: 5 });
    for (let count = 0; count < 100; count += 1) send(windows, 'a', true);
    expect(capacityOf(windows, 'a')).toMatchObject({ rows: 32 });
  });

  test('falls to one after a failure', () => {
    const windows = windowsAt({ ms: 0 });
    for (let count = 0; count < 10; count += 1) send(windows, 'a', true);
    send(windows, 'a', false);
    expect(capacityOf(windows, 'a')).toEqual({ targetId: 'a', rows: 1, isHealthy: false });
  });

  test('has capacity again when a send ends, before its result is recorded', () => {
    const windows = windowsAt({ ms: 0 });
    const slots = [1, 2, 3, 4].map(() => windows.take(webhooks, 'a'));
    expect(capacityOf(windows, 'a')).toMatchObject({ rows: 0 });
    slots[0]?.ended(true);
    expect(capacityOf(windows, 'a')).toMatchObject({ rows: 2 });
    expect(windows.capacity()).toMatchObject({ rows: 508 });
    slots[0]?.release();
    expect(capacityOf(windows, 'a')).toMatchObject({ rows: 2 });
    expect(windows.capacity()).toMatchObject({ rows: 509 });
  });

  test('keeps the minimum interval of its kind between sends', () => {
    const time = { ms: 5000 };
    const windows = windowsAt(time);
    send(windows, 'c', true, channels);
    time.ms += 999;
    expect(capacityOf(windows, 'c')).toMatchObject({ rows: 0 });
    time.ms += 1;
    expect(capacityOf(windows, 'c')).toMatchObject({ rows: 50 });
  });

  test('is removed after two idle minutes, but not during a send', () => {
    const time = { ms: 0 };
    const windows = windowsAt(time);
    send(windows, 'a', false);
    windows.take(webhooks, 'b');
    time.ms += 120_001;
    expect(windows.capacity()?.windows.map(({ targetId }) => targetId)).toEqual(['b']);
  });
});

describe('all windows together', () => {
  test('any number of hanging targets leaves half of the slots to healthy ones', () => {
    const time = { ms: 0 };
    const windows = windowsAt(time, 100);
    send(windows, 'good', true);
    for (let count = 0; count < 40; count += 1) windows.take(webhooks, `hanging-${count}`);
    expect(windows.capacity()).toMatchObject({ rows: 60, unhealthyRows: 10 });
    for (let count = 40; count < 50; count += 1) windows.take(webhooks, `hanging-${count}`);
    time.ms += 5000;
    expect(windows.capacity()).toMatchObject({ rows: 50, unhealthyRows: 0 });
    expect(capacityOf(windows, 'good')).toMatchObject({ isHealthy: true });
  });

  test('a healthy target counts as unhealthy while a send takes longer than a second', () => {
    const time = { ms: 0 };
    const windows = windowsAt(time, 100);
    send(windows, 'a', true);
    const slow = windows.take(webhooks, 'a');
    time.ms += 1000;
    expect(capacityOf(windows, 'a')).toMatchObject({ isHealthy: true });
    time.ms += 1;
    expect(capacityOf(windows, 'a')).toMatchObject({ isHealthy: false });
    expect(windows.capacity()).toMatchObject({ unhealthyRows: 49 });
    slow.ended(true);
    expect(capacityOf(windows, 'a')).toMatchObject({ isHealthy: true });
  });
});

describe('the sends that the ledger groups of a process share', () => {
  const fill = (budget: SendBudget) => {
    const { slots } = budget.free(0);
    for (let n = 0; n < slots; n += 1) budget.take();
    return slots;
  };

  test('one group may use all of them, also when another has stopped', () => {
    const next = shareSends(512);
    const [left, other] = [next(), next()];
    left.leave();
    expect(fill(other)).toBe(512);
  });

  test('a busy group leaves slots to the others, which get their part when it has sent some', () => {
    const next = shareSends(300);
    const [busy, late] = [next(), next()];
    let held = 0;
    for (let taken = 1; taken > 0; ) held += taken = fill(busy);
    expect(late.free(0).slots).toBeGreaterThan(0);
    let theirs = 0;
    for (let sent = 0; sent < 1000; sent += 1) {
      busy.release();
      theirs += fill(late);
      held += fill(busy) - 1;
    }
    expect(held + theirs).toBeLessThanOrEqual(300);
    expect(theirs).toBeGreaterThan(held / 2);
  });

  test('targets that hang in one group do not take the half that is for healthy ones', () => {
    const next = shareSends(100);
    const [hanging, other] = [next(), next()];
    for (let n = 0; n < 40; n += 1) hanging.take();
    expect(hanging.free(40).unhealthy).toBe(0);
    expect(other.free(0).unhealthy).toBe(6);
    for (let n = 0; n < 40; n += 1) hanging.release();
    expect(other.free(0).unhealthy).toBe(33);
  });
});
