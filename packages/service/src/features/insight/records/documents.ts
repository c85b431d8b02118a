import type { PlatformTier } from '@reliability/scoring';
import type { WitnessType } from '../../../domain/catalogues/guidance.js';
import type { Insiders } from '../../../domain/evidence.js';
import { adviceFor } from './documentAdvice.js';
import { witnessOf } from './documentAttesters.js';
import { type Claim, type ReadClaim, readClaim } from './documentClaim.js';
import { type HypotheticalEvent, type ProjectedRecord, type Projection, projectorOf } from './projection.js';

/** One claim's part of the analysis. */
export interface ClaimAdvice {
  readonly index: number;
  readonly witness: { readonly who: string; readonly witnessType: WitnessType; readonly hint: string };
  readonly verifiedAsSubmitted: boolean;
  readonly advice: string;
}

export interface DocumentAnalysis {
  readonly claims: readonly ClaimAdvice[];
  readonly projection: { readonly asSubmitted: Projection; readonly ifConfirmed: Projection };
}

/** The record the claims would be added to. */
export interface ClaimedFor {
  readonly insiders: Insiders;
  readonly platformTier: PlatformTier;
  readonly record: ProjectedRecord;
}

/** What the claims are worth as they stand, and what they would be if their witnesses confirmed them. Writes nothing. */
export function analyzeClaims(claims: readonly Claim[], subject: ClaimedFor, now: Date): DocumentAnalysis {
  const read = claims.map((claim) => readClaim(claim, subject.insiders));
  const projector = projectorOf(subject.record, now);
  const project = (isVerified: (claim: ReadClaim) => boolean) =>
    projector(hypotheticalOf(read, subject, isVerified));
  return {
    claims: read.map((claim, index) => ({
      index,
      witness: { ...witnessOf[claim.eventType], ...(claim.namedParty && { who: claim.namedParty }) },
      verifiedAsSubmitted: claim.verification === 'verified',
      advice: adviceFor(claim),
    })),
    projection: {
      asSubmitted: project(({ verification }) => verification === 'verified'),
      ifConfirmed: project(
        ({ verification, standing }) => verification === 'verified' || standing === 'confirmable',
      ),
    },
  };
}

/** The events that a platform could report for the claims. What it cannot report moves no scenario. */
function hypotheticalOf(
  claims: readonly ReadClaim[],
  { platformTier }: ClaimedFor,
  isVerified: (claim: ReadClaim) => boolean,
): HypotheticalEvent[] {
  return claims
    .filter(({ standing }) => standing === 'confirmable' || standing === 'reportable')
    .map((claim) => ({
      eventType: claim.eventType,
      stakeLevel: claim.stakeLevel,
      platformTier,
      isVerified: isVerified(claim),
      dueDate: claim.dueDate,
      completedAt: claim.completedAt,
    }));
}
