import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Answer } from '../../../kit/http/answer.js';
import { fixedText } from '../../../kit/http/fixedDocument.js';
import type { PublicAccess, RequestContext } from '../../../kit/http/route.js';
import type { SharedRecord } from '../issuing/sharedRecords.js';
import type { VerifyDeps } from './deps.js';
import type { sharePath, VerifyQuery } from './schemas.js';

type Context = RequestContext<
  PublicAccess,
  undefined,
  z.output<typeof VerifyQuery>,
  z.output<typeof sharePath>
>;

/** A copy is asked about each time: a withdrawn token must not go on living in a cache. The ETag spares the rest. */
export const ASK_EACH_TIME = { 'Cache-Control': 'public, no-cache' };

/** GET /verify/{token} */
export async function readShared(
  { loadShared, sharedProfile }: VerifyDeps,
  context: Context,
): Promise<Answer> {
  const { token } = context.params;
  const shared = await loadShared(token);
  if (!shared) return fail('NOT_FOUND', { message: 'Nothing is shared under this token, or no longer.' });
  const record = toRecordResponse(token, shared);
  const body =
    context.query.profile === '1' ? { ...record, profile: await profileOf(shared, sharedProfile) } : record;
  return fixedText('application/json; charset=utf-8', JSON.stringify(body), ASK_EACH_TIME)(context);
}

function profileOf(
  { includeProfile, subjectId }: SharedRecord,
  profiles: VerifyDeps['sharedProfile'],
): Promise<object | null> | null {
  return includeProfile && profiles ? profiles.read(subjectId) : null;
}

function toRecordResponse(token: string, { score }: SharedRecord) {
  return {
    token,
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
