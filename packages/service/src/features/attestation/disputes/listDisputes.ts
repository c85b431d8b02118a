import type { z } from 'zod';
import type { Database } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { newestPositionOf } from '../../../ledger/reads/newestPage.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { DisputeQuery } from './schemas.js';
import { type Owner, readDisputePage } from './store.js';

/** GET /disputes: newest first. */
export async function listDisputes(
  { db }: { db: Database },
  { caller, query }: { caller: Owner; query: z.output<typeof DisputeQuery> },
): Promise<Answer> {
  const { userId, eventId = null, status = null, limit, cursor } = query;
  const subjectId = userId === undefined ? null : subjectIdOf(caller.platformId, caller.livemode, userId);
  return ok(
    await readDisputePage(db, caller, { subjectId, eventId, status }, newestPositionOf(cursor), limit),
  );
}
