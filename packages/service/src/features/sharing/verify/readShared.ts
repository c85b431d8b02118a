import { z } from 'zod';
import { CappedConcentration } from '#domain/concentration.js';
import { fail } from '#domain/errors.js';
import { LogInclusion } from '#domain/logProofs.js';
import { scoreFields } from '#domain/scoreFields.js';
import { tenureDaysOf, tenureFields } from '#domain/tenure.js';
import type { SerializedAnswer } from '#kit/http/answer.js';
import { fixedText } from '#kit/http/fixedDocument.js';
import {
  byShareToken,
  everyone,
  type PublicAccess,
  type RequestContext,
  type RouteTable,
  route,
} from '#kit/http/route.js';
import type { LoadInclusion } from '#ledger/log/inclusion.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { LoadShared, SharedRecord } from './sharedRecords.js';

/** The professional profile as anonymous callers see it: its schema and its source. */
export interface SharedProfile {
  readonly schema: z.ZodObject;
  /** Null for a subject without one. Contains no external id. */
  read(subjectId: string): Promise<object | null>;
}

/** Path of every public read with a share token. */
export const sharePath = z.object({ token: z.string().max(255) });

const VerifyQuery = z.object({ profile: z.enum(['0', '1']).optional() });

/** The answer for anonymous callers (RULES C3). It does not identify the subject. */
export function sharedAnswer(profile: SharedProfile | null) {
  const { finalScore, scoreBand, confidence, totalEvents, verifiedEvents } = scoreFields;
  return z
    .object({
      token: z.string(),
      finalScore: finalScore.nullable(),
      scoreBand: scoreBand.nullable(),
      confidence: confidence.nullable(),
      verifiedPlatforms: z.int().min(0).nullable(),
      totalEvents: totalEvents.nullable(),
      verifiedEvents: verifiedEvents.nullable(),
      frozen: z.boolean(),
      formulaVersion: scoreFields.formulaVersion.nullable(),
      computedAt: scoreFields.computedAt.nullable(),
      ...tenureFields,
      concentration: CappedConcentration.nullable(),
      log: LogInclusion.nullable(),
      profile: (profile ? profile.schema.nullable() : z.null()).optional(),
    })
    .meta({ id: 'SharedRecord' });
}

/** Public reads with a share token: the token is the permission (RULES C1). */
export function verifyRoutes(deps: VerifyDeps): RouteTable {
  return {
    'GET /verify/{token}': route({
      operationId: 'verifyShareToken',
      access: everyone,
      tag: 'Verification',
      params: sharePath,
      groupOf: byShareToken,
      query: VerifyQuery,
      answers: { 200: sharedAnswer(deps.sharedProfile), 304: null },
      errors: ['NOT_FOUND', 'OVERLOADED', 'SERVICE_UNAVAILABLE'],
      handle: (context) => readShared(deps, context),
    }),
  };
}

export type VerifyDeps = Pick<ServiceDeps, 'clock' | 'loadConcentration'> & {
  loadShared: LoadShared;
  loadInclusion: LoadInclusion;
  /** Null: this installation has none, and `profile` is always null. */
  sharedProfile: SharedProfile | null;
};

type Context = RequestContext<
  PublicAccess,
  undefined,
  z.output<typeof VerifyQuery>,
  z.output<typeof sharePath>
>;

/** Caches must revalidate each time, because the token can be withdrawn. The ETag saves the transfer. */
export const REVALIDATE = { 'Cache-Control': 'public, no-cache' };

/** GET /verify/{token} */
export async function readShared(
  { clock, loadShared, loadConcentration, loadInclusion, sharedProfile }: VerifyDeps,
  context: Context,
): Promise<SerializedAnswer> {
  const { token } = context.params;
  const shared = await loadShared(token);
  if (!shared) return fail('NOT_FOUND', { message: 'The share token is unknown or withdrawn.' });
  const { score, registeredAt } = shared;
  const [concentration, log] = await Promise.all([
    score && loadConcentration(score.basis),
    score && loadInclusion(shared.subjectId, score.snapshotNo),
  ]);
  const record = {
    token,
    ...toScoreResponse(score),
    registeredAt,
    tenureDays: tenureDaysOf(registeredAt, clock.now()),
    concentration,
    log,
  };
  const body =
    context.query.profile === '1' ? { ...record, profile: await profileOf(shared, sharedProfile) } : record;
  return fixedText('application/json; charset=utf-8', JSON.stringify(body), REVALIDATE)(context);
}

function profileOf(
  { includeProfile, subjectId }: SharedRecord,
  profiles: VerifyDeps['sharedProfile'],
): Promise<object | null> | null {
  return includeProfile && profiles ? profiles.read(subjectId) : null;
}

function toScoreResponse(score: SharedRecord['score']) {
  return {
    finalScore: score?.finalScore ?? null,
    scoreBand: score?.scoreBand ?? null,
    confidence: score?.confidence ?? null,
    verifiedPlatforms: score?.verifiedPlatforms ?? null,
    totalEvents: score?.totalEvents ?? null,
    verifiedEvents: score?.verifiedEvents ?? null,
    frozen: score?.frozen ?? false,
    formulaVersion: score?.formulaVersion ?? null,
    computedAt: score?.computedAt ?? null,
  };
}
