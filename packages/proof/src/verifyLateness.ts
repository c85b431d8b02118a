import { LATE_AFTER_MS, latenessOf, spanOf } from './lateness.js';
import type { Receipt, ScoreProof } from './readProof.js';
import { failed, passed, type Step, unchecked } from './step.js';
import type { KeptFacts } from './verifyKept.js';

/**
 * No event was logged much later than it was recorded. Each says until when the log was complete before it, and this time never goes
 * back along the log: so a ledger that is logged a second time is late, and one that had to wait in a queue is not.
 * @param kept what a file from another day shows about the log
 */
export function checkLateness(proof: Receipt | ScoreProof, kept: KeptFacts | null): Step {
  const leaves =
    proof.kind === 'receipt'
      ? [proof.event]
      : proof.members.filter(({ log }) => log === null).flatMap(({ events }) => events);
  const opened = leaves
    .flatMap(({ leafIndex, fact }) => (fact ? [{ leafIndex, fact }] : []))
    .sort((a, b) => a.leafIndex - b.leafIndex);
  const afterKept: string[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const { leafIndex, fact } of opened) {
    const { eventId } = fact;
    const [recorded, complete] = [Date.parse(fact.at), Date.parse(fact.completeUntil)];
    if (Number.isNaN(recorded) || Number.isNaN(complete)) return failed('lateness', 'noDate');
    if (complete < latest) return failed('lateness', 'completeGoesBack', { eventId });
    latest = complete;
    const isAfterKept = kept !== null && leafIndex >= kept.size;
    // The kept log was complete until then, whatever this event says.
    const lateMs = latenessOf(recorded, isAfterKept ? Math.max(complete, kept.completeUntil) : complete);
    if (lateMs !== null) return failed('lateness', 'late', { eventId, ...spanOf(lateMs) });
    if (isAfterKept && recorded + LATE_AFTER_MS < kept.newest) afterKept.push(eventId);
  }
  const [eventId] = afterKept;
  if (kept && eventId !== undefined)
    return unchecked('lateness', 'afterKept', { eventId, date: new Date(kept.newest).toISOString() });
  return passed('lateness', 'inTime', { count: opened.length });
}
