import { type ServiceError, serviceError } from '../../../domain/errors.js';
import { isAttester } from '../../../domain/evidence.js';
import type { Tx } from '../../../kit/db/database.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import { loadInsiders } from '../../../ledger/append/insiders.js';
import type { ConfirmationRequest } from './confirmationRequest.js';

/** CONFIRMATION_SELF for a request whose counterparty is the subject, who runs it, or the platform; null for any other. */
export type SelfRefusal = (request: ConfirmationRequest) => ServiceError | null;

/** Knows the subjects of these requests by the declarations in force. */
export async function loadSelfRefusal(
  tx: Tx,
  caller: KeyCaller,
  requests: readonly ConfirmationRequest[],
): Promise<SelfRefusal> {
  const externalIds = requests.map(({ externalId }) => externalId);
  const insidersOf = await loadInsiders(tx, caller, externalIds);
  return ({ counterpartyRef, externalId }) =>
    isAttester(counterpartyRef, insidersOf(externalId)) ? null : serviceError('CONFIRMATION_SELF');
}
