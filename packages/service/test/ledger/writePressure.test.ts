import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWritePressure } from '#ledger/append/writePressure.js';

describe('write pressure', () => {
  const isHigh = (pending: number, pendingEvents: number, processes = 1) => {
    const pressure = createWritePressure(() => processes);
    pressure.add({ pending, pendingEvents });
    return pressure.isHigh();
  };

  it('comes from many requests, or from few with many events', () => {
    expect(isHigh(32, 32)).toBe(true);
    expect(isHigh(16, 1600)).toBe(true);
    expect(isHigh(31, 31)).toBe(false);
  });

  it('does not come from one client that sends batch after batch', () => {
    expect(isHigh(1, 100)).toBe(false);
  });

  it('adds up the ledger groups, and is shared among processes', () => {
    const pressure = createWritePressure(() => 1);
    pressure.add({ pending: 4, pendingEvents: 400 });
    expect(pressure.isHigh()).toBe(false);
    pressure.add({ pending: 4, pendingEvents: 400 });
    expect(pressure.isHigh()).toBe(true);
    expect(isHigh(4, 400, 2)).toBe(true);
  });
});

describe('pressure of another process', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pressureOf = (ledger: { pending: number; pendingEvents: number }) => {
    const pressure = createWritePressure(() => 1);
    pressure.add(ledger);
    return pressure;
  };

  it('counts while it signals', () => {
    const ledger = { pending: 64, pendingEvents: 64 };
    const there = pressureOf(ledger);
    const here = createWritePressure(() => 1);
    const stop = there.startSignals(here.noteSignal);
    expect(here.isHigh()).toBe(false);
    for (let waitedMs = 0; waitedMs < 3000; waitedMs += 100) {
      vi.advanceTimersByTime(100);
      expect(here.isHigh()).toBe(true);
    }
    ledger.pending = 3;
    vi.advanceTimersByTime(1000);
    expect(here.isHigh()).toBe(false);
    ledger.pending = 64;
    stop();
    vi.advanceTimersByTime(1000);
    expect(here.isHigh()).toBe(false);
  });

  it('is signalled a few times a second, however long it lasts', () => {
    const signal = vi.fn();
    const stop = pressureOf({ pending: 64, pendingEvents: 64 }).startSignals(signal);
    vi.advanceTimersByTime(10_000);
    stop();
    expect(signal.mock.calls.length).toBeGreaterThan(20);
    expect(signal.mock.calls.length).toBeLessThanOrEqual(40);
  });
});
