import { eventTypes, type PlatformTier, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import type { Insiders } from '#domain/declaredSubject.js';
import { outcomeTime } from '#domain/timestamp.js';
import type { ReadonlyDeep } from '#kit/http/answer.js';
import { storableText } from '#kit/http/query.js';
import type { KeyCaller } from '#kit/http/route.js';
import { loadInsiders } from '#ledger/append/knownDeclarations.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { adviceFor, type Claim, type ReadClaim, readClaim } from './documentAdvice.js';
import { attesterOf, witnessGuide } from './documentAttesters.js';
import {
  type HypotheticalEvent,
  loadRecord,
  type ProjectedRecord,
  type ProjectionDeps,
  projectionFields,
  projectorOf,
} from './projection.js';

const name = storableText(1, 255);

export type DocumentsBody = z.output<typeof DocumentsBody>;
export const DocumentsBody = z
  .object({
    claims: z
      .array(
        z.object({
          title: name,
          eventType: z.enum(eventTypes),
          stakeLevel: z.enum(stakeLevels).nullish(),
          issuedBy: name.nullish(),
          counterpartyRef: name.nullish(),
          completedAt: outcomeTime.nullish(),
          dueDate: outcomeTime.nullish(),
          isVerified: z.boolean().nullish(),
        }),
      )
      .min(1)
      .max(50),
  })
  .meta({ id: 'DocumentClaims' });

const witnessTypeValues = witnessGuide.witnessTypes.map(({ value }) => value);

export type DocumentAdvice = ReadonlyDeep<z.output<typeof DocumentAdvice>>;
export const DocumentAdvice = z
  .object({
    claims: z.array(
      z.object({
        index: z.int().min(0),
        witness: z.object({
          who: z.string(),
          witnessType: z.enum(witnessTypeValues),
          hint: z.string(),
        }),
        verifiedAsSubmitted: z.boolean(),
        advice: z.string(),
      }),
    ),
    projection: z.object({
      asSubmitted: z.object(projectionFields),
      ifConfirmed: z.object(projectionFields),
    }),
    witnessGuide: z.object({
      note: z.string(),
      witnessTypes: z.array(z.object({ value: z.string(), label: z.string(), description: z.string() })),
      steps: z.array(z.string()),
    }),
  })
  .meta({ id: 'DocumentAnalysis' });

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
interface ClaimedFor {
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
