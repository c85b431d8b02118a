import type { z } from 'zod';
import type { userPath } from '../../domain/externalId.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';
import { subjectIdOf } from '../subjectId.js';

/** The context of an operation on one subject. */
export type UserContext<Query = undefined, Body = undefined> = RequestContext<
  KeyAccess,
  Body,
  Query,
  z.output<typeof userPath>
>;

/** The id of the subject in the path. The subject may not exist. */
export function subjectOf({ owner, params }: Pick<UserContext, 'owner' | 'params'>): string {
  return subjectIdOf(owner.platformId, owner.livemode, params.id);
}
