import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { IdSource } from '../../../kit/ids.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';

export interface ReferenceDeps {
  config: { baseUrl: string; confirmationExpiryHours: number };
  db: Database;
  clock: Clock;
  ids: IdSource;
  withIdempotency: WithIdempotency;
}

/** The context of an operation that a platform calls on one of its references. */
export type ReferenceContext = RequestContext<KeyAccess, undefined, undefined, { id: string }>;
