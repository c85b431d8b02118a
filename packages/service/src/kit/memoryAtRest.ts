import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface RestOptions {
  /** How often the process is looked at. */
  intervalMs?: number;
}

/** Below this share of one processor, the process counts as idle. */
const IDLE_SHARE = 0.05;
/** A collection stops the process for about 100 ms: it has to be worth that. */
const MIN_GROWTH_BYTES = 24_000_000;
/** V8 shrinks the young generation in a collection when little was allocated in the last five seconds. */
const YOUNG_REST_MS = 6000;
const MIN_YOUNG_BYTES = 8_000_000;
/** Further collections change nothing if this many did not. */
const MAX_YOUNG_TRIES = 3;

/**
 * Keeps the memory of an idle process small. V8 collects garbage when something is allocated, so
 * after a load an idle process would keep all of it. Returns a function that ends this.
 */
export function saveMemoryAtRest({ intervalMs = 2000 }: RestOptions = {}): () => void {
  // Read by V8 at each collection: collect when the heap has doubled. Not documented by Node.
  setFlagsFromString('--heap-growing-percent=100');
  const collect = compactingCollector();
  let restingBytes = 0;
  let restMs = 0;
  let youngTries = 0;
  let before = processorUse();
  const timer = setInterval(() => {
    // Not the utilization of the event loop: on a busy machine it counts the wait for a processor.
    const now = processorUse();
    const share = (now.usedMs - before.usedMs) / (now.atMs - before.atMs);
    restMs = share > IDLE_SHARE ? 0 : restMs + now.atMs - before.atMs;
    before = now;
    if (restMs === 0) {
      youngTries = 0;
      return;
    }
    const heapBytes = heldBytes();
    if (heapBytes >= restingBytes + MIN_GROWTH_BYTES) {
      collect();
      const leftBytes = heldBytes();
      // A collection that freed much makes room for another one, which can free whole pages.
      if (heapBytes - leftBytes < MIN_GROWTH_BYTES) restingBytes = leftBytes;
    } else if (restMs >= YOUNG_REST_MS && youngTries < MAX_YOUNG_TRIES && youngBytes() > MIN_YOUNG_BYTES) {
      youngTries += 1;
      collect();
      restingBytes = heldBytes();
    }
    before = processorUse();
  }, intervalMs).unref();
  return () => clearInterval(timer);
}

/** With the bodies of requests, which are outside of the heap. */
function heldBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}

/** Of all threads of the process. */
function processorUse(): { usedMs: number; atMs: number } {
  const { user, system } = process.cpuUsage();
  return { usedMs: (user + system) / 1000, atMs: performance.now() };
}

function youngBytes(): number {
  return (
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.physical_space_size ?? 0
  );
}

/** V8's own collector, which Node shows only under a flag: to a context that is made afterwards. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/**
 * Without compaction the first collection frees objects, and hardly a page of memory. The flag is of
 * the process: set while another thread works, a collection that this one begins moves its whole heap
 * in one turn. So only an idle process compacts.
 */
function compactingCollector(): () => void {
  const collect = garbageCollector();
  return () => {
    setFlagsFromString('--compact-on-every-full-gc');
    collect();
    setFlagsFromString('--no-compact-on-every-full-gc');
  };
}
