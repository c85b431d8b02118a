import type { VerifierKey } from './note.js';
import type { Ed25519Verify } from './noteVerification.js';
import { ProofFormatError } from './proofFormatError.js';
import type { EventFact, HeldFile, HeldOutcome, Receipt } from './readProof.js';
import { failed, passed, type Step, unchecked } from './step.js';
import { derivedSubject, ownMember } from './verifyChain.js';
import { checkCheckpoint } from './verifyCheckpoint.js';
import { checkInclusion, type Pause } from './verifyInclusion.js';

/** The service signs one for all receipts of a file. */
const MAX_CHECKPOINTS = 10;
const MAX_REFUSED = 10;

/** What a file of everything held has besides the proof of the score. */
export async function checkHeld(
  file: HeldFile,
  logKeys: readonly VerifierKey[],
  verifySignature: Ed25519Verify,
  pause: Pause | undefined,
): Promise<Step[]> {
  const steps: Step[] = [];
  const owner = (file.proof?.snapshot ?? file.receipts[0]?.event)?.fact?.subject;
  for (const [note, receipts] of byCheckpoint(file.receipts)) {
    steps.push(...receipts.flatMap((receipt) => refuse(receipt, file.userId, owner)).slice(0, MAX_REFUSED));
    const { checkpoint, step } = await checkCheckpoint(note, logKeys, verifySignature);
    const leaves = receipts.map((receipt) => receipt.event);
    steps.push(step, await checkInclusion('events', leaves, checkpoint, pause));
  }
  return [...steps, compareOutcomes(file)];
}

/** A receipt of another event, or of another subject, proves nothing of this file. */
function refuse({ eventId, event }: Receipt, userId: string, owner: string | undefined): Step[] {
  const { kind, eventId: factId, subject = '', platformId = '' } = event.fact ?? {};
  if (kind !== 'event' || factId !== eventId)
    return [failed('event', 'otherEvent', { eventId, kind, factId })];
  return subject === owner && subject === derivedSubject(platformId, userId)
    ? []
    : [failed('subject', 'notAbout', { userId, platformId })];
}

function byCheckpoint(receipts: readonly Receipt[]): Map<string, Receipt[]> {
  const groups = new Map<string, Receipt[]>();
  for (const receipt of receipts) {
    const group = groups.get(receipt.checkpoint);
    if (group) group.push(receipt);
    else groups.set(receipt.checkpoint, [receipt]);
  }
  if (groups.size > MAX_CHECKPOINTS)
    throw new ProofFormatError(
      `The receipts have ${groups.size} checkpoints, at most ${MAX_CHECKPOINTS} are read`,
    );
  return groups;
}

/** The outcomes are what the facts say, and none is left out: proof and receipts alone do not show that. */
function compareOutcomes({ proof, receipts, outcomes }: HeldFile): Step {
  const counted = proof ? (ownMember(proof)?.events ?? []) : [];
  const leaves = [...counted, ...receipts.map(({ event }) => event)];
  const facts = new Map(leaves.flatMap(({ fact }) => (fact ? [[fact.eventId, fact] as const] : [])));
  let unproven = 0;
  for (const outcome of outcomes) {
    const fact = facts.get(outcome.eventId);
    facts.delete(outcome.eventId);
    if (!fact) unproven += 1;
    else if (!isSame(outcome, fact))
      return failed('outcomes', 'outcomeDiffers', { eventId: outcome.eventId });
  }
  const [left] = facts.keys();
  if (left !== undefined) return failed('outcomes', 'outcomeMissing', { eventId: left, count: facts.size });
  const of = outcomes.length;
  return unproven > 0
    ? unchecked('outcomes', 'outcomesUnproven', { unproven, of })
    : passed('outcomes', 'outcomesProven', { of });
}

function isSame(outcome: HeldOutcome, fact: EventFact): boolean {
  return (
    outcome.recordedAt === fact.at &&
    outcome.eventType === fact.eventType &&
    outcome.stakeLevel === fact.stakeLevel &&
    outcome.isVerified === fact.isVerified &&
    outcome.completedAt === fact.completedAt &&
    outcome.dueDate === fact.dueDate
  );
}
