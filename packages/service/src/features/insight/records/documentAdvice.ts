import { type OutcomeClass, outcomeClassOf } from '@reliability/scoring';
import { assertNever } from '../../../domain/errors.js';
import { attesterOf } from './documentAttesters.js';
import type { ReadClaim } from './documentClaim.js';

/** What to do about one claim, in sentences for the person who submitted it. */
export function adviceFor(claim: ReadClaim): string {
  return [...routeAdvice(claim), ...(isOutcome(claim) ? timingOf(claim) : [])].join(' ');
}

function isOutcome({ route }: ReadClaim): boolean {
  return route === 'confirmable' || route === 'reportable';
}

function routeAdvice(claim: ReadClaim): string[] {
  switch (claim.route) {
    case 'qualification':
      return [
        'This belongs in the verified profile and changes no score.',
        ...(claim.verification === 'verified'
          ? ['As submitted, it counts as verified there.']
          : [
              `It counts as verified there once ${attesterNameOf(claim)} confirms it by a reference request.`,
            ]),
      ];
    case 'project':
      return [
        'A project is displayed as its owner describes it and is never scored.',
        'If it was done for a client, report that outcome instead and ask the client to confirm it.',
      ];
    case 'engineOnly':
      return [
        'The service writes this entry itself when a dispute is opened or decided.',
        'It cannot be reported, so neither projection counts it.',
      ];
    case 'confirmable':
    case 'reportable':
      return [meaningOf(outcomeClassOf(claim.eventType)), verificationOf(claim)];
    default:
      return assertNever(claim.route);
  }
}

function meaningOf(outcome: OutcomeClass): string {
  switch (outcome) {
    case 'positive':
      return 'A completed outcome: it counts in favour of the record.';
    case 'breach':
      return 'A missed obligation: it counts against the record. Check that the cause did not lie with another party.';
    case 'contested':
      return 'A contested outcome: it counts against the record, and a report of it opens a dispute.';
    case 'none':
      return 'A cancellation: it counts neither for nor against the record.';
    default:
      return assertNever(outcome);
  }
}

function verificationOf(claim: ReadClaim): string {
  const attester = attesterNameOf(claim);
  const toConfirm =
    claim.route === 'confirmable'
      ? `Ask ${attester} to confirm it.`
      : `Report it as verified only if ${attester} confirmed it.`;
  switch (claim.verification) {
    case 'verified':
      return `As submitted, it counts as verified by ${attester}. Keep that confirmation: the platform that reports an event is responsible for it.`;
    case 'unconfirmed':
      return `A witness is named but has not confirmed yet, so it would be recorded as unverified and count little. ${toConfirm}`;
    case 'witnessMissing':
      return `It was submitted as verified, but \`counterpartyRef\` names no witness, so it counts as self-attested. ${toConfirm}`;
    case 'selfNamed':
      return `The named party is the subject, its operator or the reporting platform. These cannot confirm the subject's work, so it counts as self-attested. ${toConfirm}`;
    case 'selfAttested':
      return `No other party has confirmed it yet, so it would be recorded as unverified and count little. ${toConfirm}`;
    default:
      return assertNever(claim.verification);
  }
}

/** Timeliness comes from the two dates alone (RULES S8). */
function timingOf({ eventType, completedAt, dueDate }: ReadClaim): string[] {
  const outcome = outcomeClassOf(eventType);
  if (outcome === 'breach' && completedAt)
    return ['If nothing was delivered, leave out `completedAt`: it is the time of a delivery.'];
  if (outcome !== 'positive') return [];
  if (completedAt && dueDate) {
    return completedAt > dueDate ? ['It was completed after its due date, so it counts as late.'] : [];
  }
  const missing = completedAt
    ? '`dueDate` is'
    : dueDate
      ? '`completedAt` is'
      : '`dueDate` and `completedAt` are';
  return [`Because ${missing} missing, it can count as completed, but not as on time.`];
}

function attesterNameOf({ namedParty, eventType }: ReadClaim): string {
  return namedParty === null ? attesterOf[eventType].who : `"${namedParty}"`;
}
