import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { saveMemoryAtRest } from '#kit/memoryAtRest.js';

const HELD_BYTES = 64_000_000;

test('an idle process collects what it no longer needs, and then lets the collector rest', async () => {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().filter(isForced).length;
  });
  observer.observe({ entryTypes: ['gc'] });
  allocate(HELD_BYTES);
  const heldBytes = getHeapStatistics().total_heap_size;
  const end = saveMemoryAtRest(50);
  try {
    await expect.poll(() => collections).toBeGreaterThan(0);
    // V8 gives pages back beside the program.
    await expect.poll(() => getHeapStatistics().total_heap_size).toBeLessThan(heldBytes);
    await expect.poll(() => hasRested(() => collections)).toBe(true);
  } finally {
    end();
    observer.disconnect();
  }
});

/** By `gc`, not by V8's own decision. */
function isForced(entry: PerformanceEntry): boolean {
  const { flags } = (entry as PerformanceEntry & { detail: { flags: number } }).detail;
  return (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0;
}

async function hasRested(count: () => number): Promise<boolean> {
  const before = count();
  await new Promise((resolve) => setTimeout(resolve, 500));
  return count() === before;
}

/** Objects that live long enough to leave the young generation, and are needed no more afterwards. */
function allocate(bytes: number): void {
  const held: number[][] = [];
  for (let size = 0; size < bytes; size += 8000) held.push(Array.from({ length: 1000 }, Math.random));
}
