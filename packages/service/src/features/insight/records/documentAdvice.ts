import {
  type EventKind,
  type EventType,
  eventKindOf,
  type OutcomeClass,
  outcomeClassOf,
  type StakeLevel,
} from '@reliability/scoring';
import { confirmableEventTypes, isIngestible } from '#domain/catalogues/enums.js';
import { type Insiders, isAttester } from '#domain/declaredSubject.js';
import { assertNever } from '#domain/errors.js';
import { namesSomebody } from '#domain/sameParty.js';
import { attesterOf } from './documentAttesters.js';

/** The statement that a document is said to prove. */
export interface Claim {
  readonly title: string;
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  readonly issuedBy: string | null;
  readonly counterpartyRef: string | null;
  readonly completedAt: Date | null;
  readonly dueDate: Date | null;
  readonly isVerified: boolean;
}

/** A claim and its classification. */
export interface ReadClaim extends Claim {
  readonly route: ClaimRoute;
  readonly verification: Verification;
  /**
   * Another party that the claim names: the counterparty, else the issuer; null if it names none.
   */
  readonly namedParty: string | null;
}

/** How a claim could be submitted: to the ledger, to the profile, or not at all. */
type ClaimRoute = 'confirmable' | 'reportable' | 'engineOnly' | Exclude<EventKind, 'outcome'>;

/** Whether a claim is verified as submitted, and if not, why. */
type Verification =
  | 'verified'
  /** A counterparty is named, but has not confirmed. */
  | 'unconfirmed'
  /** Submitted as verified without a party who verified it. */
  | 'witnessMissing'
  /** The party named is the subject, its operator, or the platform. */
  | 'selfNamed'
  | 'selfAttested';

/** Classifies a claim about the subject with these insiders. */
export function readClaim(claim: Claim, insiders: Insiders): ReadClaim {
  const parties = [claim.counterpartyRef, claim.issuedBy];
  return {
    ...claim,
    route: routeOf(claim.eventType),
    verification: verificationOf(claim, insiders),
    namedParty: parties.find((party) => isAttester(party, insiders)) ?? null,
  };
}

function routeOf(eventType: EventType): ClaimRoute {
  const kind = eventKindOf(eventType);
  if (kind !== 'outcome') return kind;
  if ((confirmableEventTypes as readonly EventType[]).includes(eventType)) return 'confirmable';
  return isIngestible(eventType) ? 'reportable' : 'engineOnly';
}

/**
 * An issuer is not an attester: its name is on a document that the subject submitted (RULES V12).
 */
function verificationOf({ counterpartyRef, isVerified }: Claim, insiders: Insiders): Verification {
  if (isAttester(counterpartyRef, insiders)) {
    // A platform cannot verify a subject that it operates itself.
    return isVerified && !insiders.declared.isOwn ? 'verified' : 'unconfirmed';
  }
  if (namesSomebody(counterpartyRef)) return 'selfNamed';
  return isVerified ? 'witnessMissing' : 'selfAttested';
}

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
      return [meaningOf(outcomeClassOf(claim.eventType)), verificationAdvice(claim)];
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

function verificationAdvice(claim: ReadClaim): string {
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
