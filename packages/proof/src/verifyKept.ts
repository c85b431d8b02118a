import { equalBytes, toBase64 } from './bytes.js';
import { ProofFormatError } from './proofFormatError.js';
import { type EventFact, type ProvenLeaf, type Receipt, readProof, type ScoreProof } from './readProof.js';
import { failed, passed, type Step, unchecked } from './step.js';
import { ownMember } from './verifyChain.js';
import type { CheckedCheckpoint } from './verifyCheckpoint.js';
import type { KeptFile } from './verifyHistory.js';
import { isIncluded } from './verifyInclusion.js';

/** What a kept file shows about the log. */
export interface KeptFacts {
  /** Leaves under its checkpoint. */
  size: number;
  /** The newest date in it, of a fact or of a cosignature; in milliseconds since 1970. */
  newest: number;
  /** Until when its log was complete. */
  completeUntil: number;
}

/** The events of a subject that a file shows. */
interface OwnEvents {
  subject: string;
  leaves: ProvenLeaf<EventFact>[];
}

/**
 * Every event leaf of the kept file's subject is in this file at the same place with the same data, and before any other of that
 * subject. Otherwise the subject's ledger was logged a second time. The step is null where a checkpoint alone was kept.
 */
export function checkKept(
  proof: Receipt | ScoreProof,
  { file }: KeptFile,
  checkpoint: CheckedCheckpoint,
  cosigned: readonly Date[],
): { step: Step | null; facts: KeptFacts } {
  const { size } = checkpoint;
  const kept = file === undefined ? null : readKept(file);
  const before = kept && ownEventsOf(kept);
  const facts = { size, ...timesOf(kept, before?.leaves ?? [], cosigned) };
  if (!kept || !before) return { step: null, facts };
  const shown = kept.kind === 'receipt' ? before.leaves : [kept.snapshot, ...before.leaves];
  if (!shown.every((leaf) => isIncluded(leaf, checkpoint)))
    return {
      step: failed('kept', 'keptNotIncluded'),
      facts: { size, newest: 0, completeUntil: Number.NEGATIVE_INFINITY },
    };
  return { step: compare(before, kept, proof), facts };
}

/** Of a file of everything held, the proof of the score. Throws ProofFormatError. */
function readKept(file: unknown): Receipt | ScoreProof {
  const kept = readProof(file);
  if (kept.kind !== 'held file') return kept;
  if (kept.proof) return kept.proof;
  throw new ProofFormatError('The kept file has no proof of a score');
}

function timesOf(
  kept: Receipt | ScoreProof | null,
  leaves: readonly ProvenLeaf<EventFact>[],
  cosigned: readonly Date[],
): Omit<KeptFacts, 'size'> {
  const facts = leaves.flatMap(({ fact }) => (fact ? [fact] : []));
  const snapshots = kept?.kind === 'score proof' && kept.snapshot.fact ? [kept.snapshot.fact] : [];
  const dates = [...facts, ...snapshots].map(({ at }) => Date.parse(at));
  return {
    newest: latest([...dates, ...cosigned.map((time) => time.getTime())]),
    completeUntil: latest(facts.map(({ completeUntil }) => Date.parse(completeUntil))),
  };
}

function latest(times: readonly number[]): number {
  const valid = times.filter((time) => !Number.isNaN(time));
  return valid.reduce((last, time) => Math.max(last, time), Number.NEGATIVE_INFINITY);
}

function ownEventsOf(proof: Receipt | ScoreProof): OwnEvents {
  if (proof.kind === 'receipt') return { subject: proof.event.fact?.subject ?? '', leaves: [proof.event] };
  return { subject: proof.snapshot.fact?.subject ?? '', leaves: ownMember(proof)?.events ?? [] };
}

function compare(before: OwnEvents, kept: Receipt | ScoreProof, proof: Receipt | ScoreProof): Step {
  const now = ownEventsOf(proof);
  if (before.subject !== now.subject) return unchecked('kept', 'keptOtherSubject');
  const byPosition = new Map(now.leaves.map((leaf) => [leaf.fact?.position, leaf]));
  const missing: ProvenLeaf<EventFact>[] = [];
  for (const leaf of before.leaves) {
    const same = byPosition.get(leaf.fact?.position);
    if (!same) missing.push(leaf);
    else if (same.leafIndex !== leaf.leafIndex || !equalBytes(same.commitment, leaf.commitment))
      return failed('kept', 'keptChanged', placeOf(leaf, same));
  }
  const disorder = disorderOf([...missing, ...now.leaves]);
  if (disorder) return disorder;
  const [first] = missing;
  if (!first) return passed('kept', 'keptContained', { count: before.leaves.length });
  if (proof.kind === 'receipt') return unchecked('kept', 'keptByReceipt', { count: missing.length });
  const isOlder = kept.kind === 'receipt' || proof.snapshot.leafIndex < kept.snapshot.leafIndex;
  const { eventId = '' } = first.fact ?? {};
  return isOlder
    ? unchecked('kept', 'keptNotCounted', { eventId })
    : failed('kept', 'keptMissing', { eventId, count: missing.length });
}

function placeOf({ fact, leafIndex }: ProvenLeaf<EventFact>, now: ProvenLeaf<EventFact>) {
  return { eventId: fact?.eventId ?? '', position: fact?.position ?? 0, kept: leafIndex, now: now.leafIndex };
}

/** A ledger is logged by position, and each event names the one before. */
function disorderOf(leaves: ProvenLeaf<EventFact>[]): Step | null {
  const position = ({ fact }: ProvenLeaf<EventFact>) => fact?.position ?? 0;
  const sorted = leaves.sort((a, b) => position(a) - position(b));
  for (const [i, leaf] of sorted.entries()) {
    const before = sorted[i - 1];
    if (!before) continue;
    const isNext = position(leaf) === position(before) + 1;
    const isLinked = !isNext || leaf.fact?.previous === toBase64(before.commitment);
    if (leaf.leafIndex <= before.leafIndex || !isLinked)
      return failed('kept', 'keptDisorder', { eventId: leaf.fact?.eventId ?? '', position: position(leaf) });
  }
  return null;
}
