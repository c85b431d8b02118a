import { type EventKind, type EventType, eventKindOf, type StakeLevel } from '@reliability/scoring';
import { confirmableEventTypes, isIngestible } from '../../../domain/catalogues/enums.js';
import { type Insiders, isAttester } from '../../../domain/declaredSubject.js';
import { namesSomebody } from '../../../domain/sameParty.js';

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
export type ClaimRoute = 'confirmable' | 'reportable' | 'engineOnly' | Exclude<EventKind, 'outcome'>;

/** Whether a claim is verified as submitted, and if not, why. */
export type Verification =
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
