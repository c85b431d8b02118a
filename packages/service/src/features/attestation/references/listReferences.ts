import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { newestPositionOf } from '../../../ledger/reads/newestPage.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { ReferenceDeps } from './deps.js';
import type { ReferenceQuery } from './schemas.js';
import { readReferences } from './store.js';
import { toReferenceResponse } from './toResponse.js';

/** GET /references: newest first. */
export async function listReferences(
  { db, clock }: ReferenceDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof ReferenceQuery>, undefined>,
): Promise<Answer> {
  const { platformId, livemode } = caller;
  const { userId, status = null, limit } = query;
  const subjectId = userId === undefined ? null : subjectIdOf(platformId, livemode, userId);
  const page = { now: clock.now(), position: newestPositionOf(query.cursor), limit };
  const { rows, nextCursor } = await readReferences(db, caller, { status, subjectId }, page);
  return ok({ references: rows.map((row) => toReferenceResponse(row, page.now)), nextCursor });
}
