import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { isUuid } from '../../../kit/ids.js';
import { statusAt } from '../attestations/attestation.js';
import type { ConfirmationDeps } from './deps.js';
import { type Confirmation, findConfirmation, type Owner } from './store.js';

/** GET /confirmations/{id} */
export async function readConfirmation(
  { db, clock }: Pick<ConfirmationDeps, 'db' | 'clock'>,
  owner: Owner,
  id: string,
): Promise<Answer> {
  const found = isUuid(id) ? await findConfirmation(db, owner, id) : null;
  return ok(shownAt(found ?? failUnknownConfirmation(), clock.now()));
}

export function failUnknownConfirmation(): never {
  return fail('NOT_FOUND', { message: 'There is no confirmation with this id.' });
}

/** The record as it reads at a moment. */
export function shownAt(confirmation: Confirmation, now: Date): Confirmation {
  return { ...confirmation, status: statusAt(confirmation, now) };
}
