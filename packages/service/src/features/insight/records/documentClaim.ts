import { type EventKind, type EventType, eventKindOf, type StakeLevel } from '@reliability/scoring';
import { confirmableEventTypes, isIngestible } from '../../../domain/catalogues/enums.js';
import { type Insiders, isAttester } from '../../../domain/evidence.js';
import { namesSomebody } from '../../../domain/sameParty.js';

/** What somebody says a document proves. */
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

/** A claim with what follows from it. */
export interface ReadClaim extends Claim {
  readonly standing: ClaimStanding;
  readonly verification: Verification;
  /** Another party that the claim names, the witness before the issuer; null where it names none. */
  readonly namedParty: string | null;
}

/** Where a claim could go: to the ledger, to the profile, or nowhere by a report. */
export type ClaimStanding = 'confirmable' | 'reportable' | 'engineOnly' | Exclude<EventKind, 'outcome'>;

/** How far a claim is verified as it stands, and why not further. */
export type Verification =
  | 'verified'
  /** A witness is named, but has not confirmed. */
  | 'unconfirmed'
  /** Called verified, without anybody who verified it. */
  | 'witnessMissing'
  /** The party named is the subject, its operator, or the platform. */
  | 'selfNamed'
  | 'selfAttested';

/** Reads what a claim about the subject with these insiders is worth. */
export function readClaim(claim: Claim, insiders: Insiders): ReadClaim {
  const parties = [claim.counterpartyRef, claim.issuedBy];
  return {
    ...claim,
    standing: stateOf(claim.eventType),
    verification: verificationOf(claim, insiders),
    namedParty: parties.find((party) => isAttester(party, insiders)) ?? null,
  };
}

function stateOf(eventType: EventType): ClaimStanding {
  const kind = eventKindOf(eventType);
  if (kind !== 'outcome') return kind;
  if ((confirmableEventTypes as readonly EventType[]).includes(eventType)) return 'confirmable';
  return isIngestible(eventType) ? 'reportable' : 'engineOnly';
}

/** An issuer is no witness: its name stands on the paper that the subject handed in (RULES V12). */
function verificationOf({ counterpartyRef, isVerified }: Claim, insiders: Insiders): Verification {
  if (isAttester(counterpartyRef, insiders)) {
    // The word of a platform on a subject of its own verifies nothing.
    return isVerified && !insiders.declared.isOwn ? 'verified' : 'unconfirmed';
  }
  if (namesSomebody(counterpartyRef)) return 'selfNamed';
  return isVerified ? 'witnessMissing' : 'selfAttested';
}
