import { type OutcomeClass, outcomeClassOf } from '@reliability/scoring';
import { assertNever } from '../../../domain/errors.js';
import { witnessOf } from './documentAttesters.js';
import type { ReadClaim } from './documentClaim.js';

/** What to do about one claim, in sentences for the person who handed it in. */
export function adviceFor(claim: ReadClaim): string {
  return [...placeOf(claim), ...(isOutcome(claim) ? timingOf(claim) : [])].join(' ');
}

function isOutcome({ standing }: ReadClaim): boolean {
  return standing === 'confirmable' || standing === 'reportable';
}

function placeOf(claim: ReadClaim): string[] {
  switch (claim.standing) {
    case 'qualification':
      return [
        'This belongs in the verified profile and moves no score.',
        ...(claim.verification === 'verified'
          ? ['As submitted, it counts as verified there.']
          : [`It counts as verified there once ${witnessNameOf(claim)} confirms it by a reference request.`]),
      ];
    case 'project':
      return [
        'A project is shown as its owner presents it and is never scored.',
        'If somebody ordered it, report that outcome instead and have them confirm it.',
      ];
    case 'engineOnly':
      return [
        'The service writes this entry itself when a dispute is opened or decided.',
        'It cannot be reported, so neither scenario counts it.',
      ];
    case 'confirmable':
    case 'reportable':
      return [meaningOf(outcomeClassOf(claim.eventType)), verificationOf(claim)];
    default:
      return assertNever(claim.standing);
  }
}

function meaningOf(outcome: OutcomeClass): string {
  switch (outcome) {
    case 'positive':
      return 'A completed outcome: it counts in favour of the record.';
    case 'breach':
      return 'A missed obligation: it counts against the record. Make sure that the cause did not lie with somebody else.';
    case 'contested':
      return 'A contested outcome: it weighs on the record, and opens a dispute when it is reported.';
    case 'none':
      return 'A cancellation: it counts neither for nor against the record.';
    default:
      return assertNever(outcome);
  }
}

function verificationOf(claim: ReadClaim): string {
  const witness = witnessNameOf(claim);
  const toConfirm =
    claim.standing === 'confirmable'
      ? `Ask ${witness} to confirm it.`
      : `Report it as verified only when it was ${witness} that confirmed it.`;
  switch (claim.verification) {
    case 'verified':
      return `As submitted, it counts as verified by ${witness}. Keep that confirmation: whoever reports an event answers for it.`;
    case 'unconfirmed':
      return `A witness is named but has not confirmed yet, so it would be recorded as unverified and build little. ${toConfirm}`;
    case 'witnessMissing':
      return `It is called verified, but \`counterpartyRef\` names nobody who verified it, so it counts as self-attested. ${toConfirm}`;
    case 'selfNamed':
      return `The party named is the subject, who runs it, or the platform that reports it, and nobody confirms their own work, so it counts as self-attested. ${toConfirm}`;
    case 'selfAttested':
      return `Nobody but the subject stands behind it yet, so it would be recorded as unverified and build little. ${toConfirm}`;
    default:
      return assertNever(claim.verification);
  }
}

/** Timeliness comes from the two dates alone (RULES S8). */
function timingOf({ eventType, completedAt, dueDate }: ReadClaim): string[] {
  const outcome = outcomeClassOf(eventType);
  if (outcome === 'breach' && completedAt)
    return ['If nothing was delivered, leave `completedAt` out: it says when a delivery happened.'];
  if (outcome !== 'positive') return [];
  if (completedAt && dueDate) {
    return completedAt > dueDate ? ['It was completed after its due date, so it counts as late.'] : [];
  }
  const missing = completedAt
    ? '`dueDate` is'
    : dueDate
      ? '`completedAt` is'
      : '`dueDate` and `completedAt` are';
  return [`As ${missing} missing, it can count as completed, never as completed on time.`];
}

function witnessNameOf({ namedParty, eventType }: ReadClaim): string {
  return namedParty === null ? witnessOf[eventType].who : `"${namedParty}"`;
}
