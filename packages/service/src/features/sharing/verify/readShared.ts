import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { tenureDaysOf } from '../../../domain/tenure.js';
import type { SerializedAnswer } from '../../../kit/http/answer.js';
import { fixedText } from '../../../kit/http/fixedDocument.js';
import type { PublicAccess, RequestContext } from '../../../kit/http/route.js';
import type { LoadInclusion } from '../../../ledger/log/inclusion.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { SharedProfile, sharePath, VerifyQuery } from './schemas.js';
import type { LoadShared, SharedRecord } from './sharedRecords.js';

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
