import { fail } from '../../../domain/errors.js';
import type { Database } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { isUuid } from '../../../kit/ids.js';
import { findDispute, type Owner, toDisputeResponse } from './store.js';

/** GET /disputes/{id} */
export async function readDispute({ db }: { db: Database }, owner: Owner, id: string): Promise<Answer> {
  const dispute = isUuid(id) ? await findDispute(db, id) : null;
  const isOwn = dispute?.platformId === owner.platformId && dispute.livemode === owner.livemode;
  return ok(isOwn ? toDisputeResponse(dispute) : failUnknownDispute());
}

export function failUnknownDispute(): never {
  return fail('NOT_FOUND', { message: 'There is no dispute with this id.' });
}
