import type { Clock } from '../../kit/clock.js';
import type { Database } from '../../kit/db/database.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';
import type { IdSource } from '../../kit/ids.js';
import type { OnceRunner } from '../../ledger/idempotency.js';
import type { ProfileOwner } from '../../ledger/qualifications.js';
import { subjectIdOf } from '../../ledger/subjectId.js';

export interface ProfileParts {
  db: Database;
  clock: Clock;
  ids: IdSource;
  once: OnceRunner;
}

/** The context of an operation under `/users/{id}`. */
export type ProfileContext<Query, Body, Params extends { id: string }> = RequestContext<
  KeyAccess,
  Body,
  Query,
  Params
>;

export function ownerOf({ caller, params }: ProfileContext<unknown, unknown, { id: string }>): ProfileOwner {
  const { platformId, livemode } = caller;
  return { platformId, livemode, subjectId: subjectIdOf(platformId, livemode, params.id) };
}
