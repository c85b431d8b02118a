import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { isUuid } from '../../../kit/ids.js';
import type { ReferenceContext, ReferenceDeps } from './deps.js';
import { findReference } from './store.js';
import { toReferenceResponse } from './toResponse.js';

/** GET /references/{id}: never the token. */
export async function readReference(
  { db, clock }: ReferenceDeps,
  { caller, params }: ReferenceContext,
): Promise<Answer> {
  const reference = isUuid(params.id) ? await findReference(db, caller, params.id) : null;
  return ok(toReferenceResponse(reference ?? failUnknownReference(), clock.now()));
}

export function failUnknownReference(): never {
  return fail('NOT_FOUND', { message: 'There is no reference with this id.' });
}
