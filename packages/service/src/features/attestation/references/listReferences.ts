import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { newestPositionOf } from '../../../ledger/newestPage.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { ReferenceParts } from './parts.js';
import type { ReferenceQuery } from './schemas.js';
import { shownReference } from './shown.js';
import { readReferences } from './store.js';

/** GET /references: newest first. */
export async function listReferences(
  { db, clock }: ReferenceParts,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof ReferenceQuery>, undefined>,
): Promise<Answer> {
  const { platformId, livemode } = caller;
  const { userId, status = null, limit } = query;
  const subjectId = userId === undefined ? null : subjectIdOf(platformId, livemode, userId);
  const page = { now: clock.now(), position: newestPositionOf(query.cursor), limit };
  const { rows, nextCursor } = await readReferences(db, caller, { status, subjectId }, page);
  return ok({ references: rows.map((row) => shownReference(row, page.now)), nextCursor });
}
