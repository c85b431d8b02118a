import type { IdSource } from '../../../kit/ids.js';
import type { AttemptOutcome } from './attemptDelivery.js';
import type { DeliveryResponse } from './deliveryLog.js';
import type { DeliveryRow } from './deliveryStore.js';

type What = Pick<DeliveryRow, 'platformId' | 'webhookId' | 'envelopeId' | 'type' | 'attempt'>;

/** An attempt made by hand as the log keeps it: none follows it. */
export function loggedAttempt(ids: IdSource, outcome: AttemptOutcome, what: What): DeliveryRow {
  const { status, responseStatus, latencyMs, responseBody, error, at } = outcome;
  return {
    id: ids.at(at),
    ...what,
    status,
    responseStatus,
    latencyMs,
    responseBody,
    error,
    createdAt: at,
    nextAttemptAt: null,
  };
}

/** The same as answers show it. */
export function toAttemptResponse({ platformId: _, ...row }: DeliveryRow): DeliveryResponse {
  return row;
}
