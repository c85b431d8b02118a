import { createSharedState } from '#kit/backpressure/sharedState.js';
import type { Ledger } from './append.js';

type Pending = Pick<Ledger, 'pending' | 'pendingEvents'>;

/**
 * From so many requests waiting or being written, the recompute worker rests. Of several processes
 * each has a share of them. Below the minimum a share says nothing about the others.
 */
const PRESSED_FROM_REQUESTS = 32;
const MIN_PRESSED_FROM = 8;
/** So many events are several batches: a single client that sends one after another is no pressure. */
const PRESSED_FROM_EVENTS = 500;

/** Often, because nothing is pending for a moment after each group. */
const LOOK_MS = 20;
const SIGNAL_MS = 250;
/** A signal may be missed before the pressure counts as over. */
const SIGNAL_LASTS_MS = 600;

/**
 * How busy appends are. While they are, scores are computed later.
 * @param processes how many processes share the requests.
 */
export function createWritePressure(processes: () => number) {
  const ledgers: Pending[] = [];
  const { isOn, ...signals } = createSharedState({
    isHere: isHighHere,
    lookMs: LOOK_MS,
    restMs: SIGNAL_MS,
    lastsMs: SIGNAL_LASTS_MS,
  });
  return {
    ...signals,
    add: (ledger: Pending) => ledgers.push(ledger),
    isHigh: isOn,
  };

  function isHighHere(): boolean {
    const pending = ledgers.reduce((sum, ledger) => sum + ledger.pending, 0);
    if (pending >= Math.max(MIN_PRESSED_FROM, PRESSED_FROM_REQUESTS / processes())) return true;
    const events = ledgers.reduce((sum, ledger) => sum + ledger.pendingEvents, 0);
    return events >= PRESSED_FROM_EVENTS / processes();
  }
}
