import { z } from 'zod';
import { fail } from '../../domain/errors.js';
import type { Queryable } from '../../kit/db/database.js';
import { pathText } from '../../kit/http/query.js';
import type { Owner } from '../../kit/http/route.js';
import { isUuid } from '../../kit/ids.js';

/** Path parameters of the operator's operations on one platform. */
export const platformPath = z.object({
  id: pathText('Id of the platform.', '0199a3c2-0000-7000-8000-000000000001'),
});

/** The id of the platform in the path. Throws NOT_FOUND. */
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
