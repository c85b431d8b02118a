import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { recordActivity } from '../../../ledger/activity.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import { actOn } from '../attestations/attestation.js';
import type { ConfirmationDeps } from './deps.js';
import { failUnknownConfirmation } from './readConfirmation.js';
import { decideConfirmation, lockConfirmation } from './store.js';

/** POST /confirmations/{id}/cancel: the platform takes the question back, unless it was answered first. */
export async function cancelConfirmation(
  { db, clock, ids }: Pick<ConfirmationDeps, 'db' | 'clock' | 'ids'>,
  caller: KeyCaller,
  id: string,
): Promise<Answer> {
  if (!isUuid(id)) failUnknownConfirmation();
  const now = clock.now();
  const cancelled = await db.transaction(async (tx) => {
    const held = (await lockConfirmation(tx, caller, id)) ?? failUnknownConfirmation();
    const status = actOn(held, 'cancel', now, 'CONFIRMATION_NOT_PENDING');
    await decideConfirmation(tx, caller, held.id, { status, eventId: null, respondedAt: null, answer: null });
    const { platformId, livemode, keyId } = caller;
    const { userId, eventType, counterpartyRef } = held;
    await recordActivity(tx, {
      id: ids.at(now),
      platformId,
      livemode,
      action: 'CONFIRMATION_REQUEST_CANCELLED',
      actor: `key:${keyId}`,
      target: held.id,
      subjectId: subjectIdOf(platformId, livemode, userId),
      details: { userId, eventType, counterpartyRef },
      at: now,
    });
    return { ...held, status };
  });
  return ok(cancelled);
}
