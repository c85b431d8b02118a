import { type Answer, ok } from '../../../kit/http/answer.js';
import { isUuid } from '../../../kit/ids.js';
import { actOn } from '../attestations/attestation.js';
import type { ReferenceContext, ReferenceDeps } from './deps.js';
import { failUnknownReference } from './readReference.js';
import { decideReference, lockReference, type Reference } from './store.js';
import { toReferenceResponse } from './toResponse.js';

/** POST /references/{id}/cancel: takes back what nobody has answered yet. */
export async function cancelReference(
  { db, clock }: ReferenceDeps,
  { caller, params }: ReferenceContext,
): Promise<Answer> {
  const now = clock.now();
  const cancelled = await db.transaction(async (tx) => {
    const reference = isUuid(params.id) ? await lockReference(tx, caller, params.id) : null;
    if (!reference) return failUnknownReference();
    const status = actOn(reference, 'cancel', now, 'REFERENCE_NOT_PENDING');
    const after: Reference = { ...reference, status };
    await decideReference(tx, caller.platformId, reference.id, after);
    return after;
  });
  return ok(toReferenceResponse(cancelled, now));
}
