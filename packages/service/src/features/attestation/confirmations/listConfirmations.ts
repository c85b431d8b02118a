import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { newestPage, newestPositionOf } from '../../../ledger/reads/newestPage.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import { findPage } from '../attestations/store.js';
import type { ConfirmationDeps } from './deps.js';
import { shownAt } from './readConfirmation.js';
import type { ConfirmationQuery } from './schemas.js';

/** GET /confirmations: those of the key's mode, newest first. */
export async function listConfirmations(
  { db, clock }: Pick<ConfirmationDeps, 'db' | 'clock'>,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof ConfirmationQuery>, undefined>,
): Promise<Answer> {
  const { userId, status = null, campaignId = null, eventType = null, limit } = query;
  const subjectId = userId === undefined ? null : subjectIdOf(caller.platformId, caller.livemode, userId);
  const filter = { owner: caller, subjectId, status, campaignId, eventType, now: clock.now() };
  const { rows, nextCursor } = await newestPage(limit, newestPositionOf(query.cursor), (position) =>
    findPage(db, filter, position, limit + 1),
  );
  const confirmations = rows.map(({ xid: _, isSettled: __, horizon: ___, ...row }) =>
    shownAt(row, filter.now),
  );
  return ok({ confirmations, nextCursor });
}
