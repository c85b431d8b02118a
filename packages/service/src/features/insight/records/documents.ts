import type { PlatformTier } from '@reliability/scoring';
import type { Insiders } from '../../../domain/declaredSubject.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import { loadInsiders } from '../../../ledger/append/knownDeclarations.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import { adviceFor } from './documentAdvice.js';
import { attesterOf, witnessGuide } from './documentAttesters.js';
import { type Claim, type ReadClaim, readClaim } from './documentClaim.js';
import type { DocumentAdvice, DocumentsBody } from './documentSchemas.js';
import { loadRecord, type ProjectionDeps } from './projectEvents.js';
import { type HypotheticalEvent, type ProjectedRecord, projectorOf } from './projection.js';

/** The effect of documents on a score, and who could confirm them. Writes nothing. */
export async function analyzeDocuments(
  { db, clock }: ProjectionDeps,
  caller: KeyCaller,
  userId: string,
  body: DocumentsBody,
): Promise<DocumentAdvice> {
  const [record, insidersOf] = await Promise.all([
    loadRecord(db, subjectIdOf(caller.platformId, caller.livemode, userId)),
    loadInsiders(db, caller, [userId]),
  ]);
  const claims = body.claims.map((claim) => ({
    title: claim.title,
    eventType: claim.eventType,
    stakeLevel: claim.stakeLevel ?? 'MEDIUM',
    issuedBy: claim.issuedBy ?? null,
    counterpartyRef: claim.counterpartyRef ?? null,
    completedAt: claim.completedAt ?? null,
    dueDate: claim.dueDate ?? null,
    isVerified: claim.isVerified ?? false,
  }));
  const subject = { insiders: insidersOf(userId), platformTier: caller.trustTier, record };
  return { ...analyzeClaims(claims, subject, clock.now()), witnessGuide };
}

/** The subject of the claims. */
export interface ClaimedFor {
  readonly insiders: Insiders;
  readonly platformTier: PlatformTier;
  readonly record: ProjectedRecord;
}

/** The effect of the claims as submitted, and after their witnesses confirmed them. */
export function analyzeClaims(
  claims: readonly Claim[],
  subject: ClaimedFor,
  now: Date,
): Omit<DocumentAdvice, 'witnessGuide'> {
  const read = claims.map((claim) => readClaim(claim, subject.insiders));
  const projector = projectorOf(subject.record, now);
  const project = (isVerified: (claim: ReadClaim) => boolean) =>
    projector(hypotheticalOf(read, subject, isVerified));
  return {
    claims: read.map((claim, index) => ({
      index,
      witness: { ...attesterOf[claim.eventType], ...(claim.namedParty && { who: claim.namedParty }) },
      verifiedAsSubmitted: claim.verification === 'verified',
      advice: adviceFor(claim),
    })),
    projection: {
      asSubmitted: project(({ verification }) => verification === 'verified'),
      ifConfirmed: project(
        ({ verification, route }) => verification === 'verified' || route === 'confirmable',
      ),
    },
  };
}

/** The events that a platform could report for the claims. Claims it cannot report do not count. */
function hypotheticalOf(
  claims: readonly ReadClaim[],
  { platformTier }: ClaimedFor,
  isVerified: (claim: ReadClaim) => boolean,
): HypotheticalEvent[] {
  return claims
    .filter(({ route }) => route === 'confirmable' || route === 'reportable')
    .map((claim) => ({
      eventType: claim.eventType,
      stakeLevel: claim.stakeLevel,
      platformTier,
      isVerified: isVerified(claim),
      dueDate: claim.dueDate,
      completedAt: claim.completedAt,
    }));
}
