import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { quietLog } from '#harness/quietLog.js';
import { type Sweeps, type SweepTimers, startSweeps } from '../../../src/features/tenancy/operator/sweeps.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const none: Sweeps = { reminders: [], expiry: [], disputes: [], decay: [], benchmarks: [], retention: [] };

describe('the schedule', () => {
  test('runs retention hourly until it is stopped', async () => {
    const runs: AbortSignal[] = [];
    const { stop, pass } = schedule({ retention: [async (_, until) => runs.push(until)] });
    await pass(5 * MINUTE_MS);
    expect(runs).toHaveLength(1);
    await pass(2 * HOUR_MS);
    expect(runs).toHaveLength(3);
    await stop();
    await pass(5 * HOUR_MS);
    expect(runs).toHaveLength(3);
    expect(runs.every((until) => until.aborted)).toBe(true);
  });

  test('a hanging sweep does not delay others, and a stop waits for it', async () => {
    let disputes = 0;
    let end = () => {};
    const hanging = () => new Promise<number>((resolve) => (end = () => resolve(0)));
    const { stop, pass } = schedule({ retention: [hanging], disputes: [async () => (disputes += 1)] });
    await pass(65 * MINUTE_MS);
    expect(disputes).toBe(65);
    let isStopped = false;
    const stopped = stop().then(() => {
      isStopped = true;
    });
    await pass(MINUTE_MS);
    expect(isStopped).toBe(false);
    end();
    await stopped;
  });

  test('continues after a failed sweep', async () => {
    let count = 0;
    const failing = async () => {
      count += 1;
      throw new Error('no');
    };
    const { stop, pass } = schedule({ retention: [failing] });
    await pass(3 * HOUR_MS);
    expect(count).toBe(3);
    await stop();
  });
});

/** Timers of its own: services of other files run in this process, and their timers must stay real. */
function schedule(sweeps: Partial<Sweeps>) {
  let nowMs = 0;
  const waiting = new Map<object, { atMs: number; run: () => void }>();
  const timers = {
    setTimeout(run: () => void, afterMs: number) {
      const timer = { unref: () => timer };
      waiting.set(timer, { atMs: nowMs + afterMs, run });
      return timer;
    },
    clearTimeout: (timer: object) => waiting.delete(timer),
  } as unknown as SweepTimers;
  const clock = { now: () => new Date(nowMs) };
  const stop = startSweeps({ sweeps: { ...none, ...sweeps }, clock, log: quietLog, timers });
  return { stop, pass };

  async function pass(ms: number): Promise<void> {
    const untilMs = nowMs + ms;
    for (;;) {
      const [next] = [...waiting].sort(([, a], [, b]) => a.atMs - b.atMs);
      if (!next || next[1].atMs > untilMs) break;
      const [timer, { atMs, run }] = next;
      waiting.delete(timer);
      nowMs = atMs;
      run();
      await turn();
    }
    nowMs = untilMs;
  }
}
