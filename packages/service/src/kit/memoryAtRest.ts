import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Below this share of one processor, the process counts as idle. */
const IDLE_SHARE = 0.05;
/** A collection stops the process for about 100 ms: it has to be worth that, by growth or by work before it. */
const MIN_GROWTH_BYTES = 24_000_000;
const MIN_WORK_MS = 2000;
/**
 * Collections in a row. The first frees objects, the next ones whole pages, and one after six
 * seconds the young generation, which V8 shrinks when little was allocated in the last five.
 */
const ROUNDS = 4;

/**
 * Keeps the memory of an idle process small. V8 collects garbage when something is allocated, so
 * after a load an idle process would keep all of it. Returns a function that ends this.
 * @param intervalMs how often the process is looked at.
 */
export function saveMemoryAtRest(intervalMs = 2000): () => void {
  const collect = garbageCollector();
  let restingBytes = 0;
  let workedMs = 0;
  let rounds = 0;
  let before = process.cpuUsage();
  const timer = setInterval(() => {
    // Not the utilization of the event loop: on a busy machine it counts the wait for a processor.
    const { user, system } = process.cpuUsage(before);
    const usedMs = (user + system) / 1000;
    const isIdle = usedMs <= IDLE_SHARE * intervalMs;
    if (!isIdle) workedMs += usedMs;
    else if (workedMs >= MIN_WORK_MS || heldBytes() >= restingBytes + MIN_GROWTH_BYTES) {
      rounds = ROUNDS;
      workedMs = 0;
    }
    if (isIdle && rounds > 0) {
      rounds -= 1;
      collect();
      restingBytes = heldBytes();
    }
    before = process.cpuUsage();
  }, intervalMs).unref();
  return () => clearInterval(timer);
}

/** With the bodies of requests, which are outside of the heap. */
function heldBytes(): number {
  const { total_heap_size, external_memory } = getHeapStatistics();
  return total_heap_size + external_memory;
}

/** V8's own collector. Node shows it with `--expose-gc` only: here to a context that is made afterwards. */
export function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
