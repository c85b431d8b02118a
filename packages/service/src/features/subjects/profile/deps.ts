import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { ProfileOwner } from '../../../ledger/profile/qualifications.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';

export interface ProfileDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  withIdempotency: WithIdempotency;
}

export function ownerOf(context: UserContext<unknown, unknown>): ProfileOwner {
  const { platformId, livemode } = context.caller;
  return { platformId, livemode, subjectId: subjectOf(context) };
}
