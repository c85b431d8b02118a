import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { isUuid } from '../../../kit/ids.js';
import type { DisputeDeps } from './deps.js';
import { failUnknownDispute } from './readDispute.js';
import { settleDisputes } from './settleDisputes.js';
import { type Dispute, findDispute, type Owner, toDisputeResponse } from './store.js';

/**
 * PATCH and POST /disputes/{id}/resolve: ends it as the record says, once. Asked for after the window and before the sweep
 * came by, it is the lapse that happens.
 */
export async function resolveDispute(deps: DisputeDeps, owner: Owner, id: string): Promise<Answer> {
  const dispute = await deps.db.transaction((tx) => resolve(tx, deps, owner, id));
  deps.signal.queued();
  deps.outbox.written();
  return ok(toDisputeResponse(dispute));
}

async function resolve(tx: Tx, deps: DisputeDeps, owner: Owner, id: string): Promise<Dispute> {
  const found = isUuid(id) ? await findDispute(tx, id) : null;
  if (found?.livemode !== owner.livemode) return failUnknownDispute();
  if (found.platformId !== owner.platformId) {
    return fail('FORBIDDEN', {
      message: 'Only the platform that reported the disputed event can resolve this.',
    });
  }
  const [settled] = await settleDisputes(tx, deps, deps.clock.now(), [found]);
  return settled ?? fail('CONFLICT', { message: 'This dispute is resolved already.' });
}
