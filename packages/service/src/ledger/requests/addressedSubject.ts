import { z } from 'zod';
import { fail } from '#domain/errors.js';
import type { userPath } from '#domain/externalId.js';
import type { Queryable } from '#kit/db/database.js';
import { pathText } from '#kit/http/query.js';
import type { KeyAccess, KeyCaller, Owner, RequestContext } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { subjectIdOf } from '../subjectId.js';

/** How the operator names a subject (RULES U5): by its id, or by its external id and its platform. */
export interface SubjectAddress {
  id: string;
  platformId?: string | undefined;
  /** Mode of the external id. A subject's own id implies its mode. */
  livemode: boolean;
}

/** The subject's id. The subject may not exist. Throws USER_NOT_FOUND for a malformed id. */
export function addressedSubjectId({ id, platformId, livemode }: SubjectAddress): string {
  const subjectId = platformId === undefined ? id : subjectIdOf(platformId, livemode, id);
  if (isUuid(subjectId)) return subjectId;
  return fail('USER_NOT_FOUND', {
    message: 'The id in the path is not a subject id. To use an external id, set `platformId`.',
  });
}

export type UserContext<Query = undefined, Body = undefined> = RequestContext<
  KeyAccess,
  Body,
  Query,
  z.output<typeof userPath>
>;

export function subjectOf({ owner, params }: Pick<UserContext, 'owner' | 'params'>): string {
  return subjectIdOf(owner.platformId, owner.livemode, params.id);
}

/** Test data must never become a credential (RULES T2). Throws TEST_MODE_NOT_ALLOWED. */
export function refuseTestKey({ livemode }: KeyCaller): void {
  if (!livemode) fail('TEST_MODE_NOT_ALLOWED');
}

export const platformPath = z.object({
  id: pathText(),
});

export async function knownPlatformId(db: Queryable, { id }: { id: string }): Promise<string> {
  return (await findLiveOwner(db, id)).platformId;
}

/** The platform that the operator names, as the owner of its live things. Throws NOT_FOUND. */
export async function findLiveOwner(db: Queryable, id: string): Promise<Owner> {
  const [platform] = isUuid(id)
    ? await db.shared.query<Pick<Owner, 'platformId' | 'plan' | 'group'>>(
        'select platform_id, plan, group_id as "group" from platform where platform_id = $1',
        [id],
      )
    : [];
  return { ...(platform ?? failUnknownPlatform()), livemode: true, actor: 'operator' };
}

export function failUnknownPlatform(): never {
  return fail('NOT_FOUND', { message: 'There is no platform with this id.' });
}
