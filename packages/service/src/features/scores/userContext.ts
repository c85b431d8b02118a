import type { z } from 'zod';
import type { userPath } from '../../domain/externalId.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';
import { subjectIdOf } from '../../ledger/subjectId.js';

/** The context of a read of one subject. */
export type UserContext<Query = undefined> = RequestContext<
  KeyAccess,
  undefined,
  Query,
  z.output<typeof userPath>
>;

/** The id of the subject that the caller asks about; whether there is one is another question. */
export function subjectOf({ caller, params }: UserContext<unknown>): string {
  return subjectIdOf(caller.platformId, caller.livemode, params.id);
}
