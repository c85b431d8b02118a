import type { Queryable } from '../../../kit/db/database.js';
import type { KeyCaller } from '../../../kit/http/route.js';
import { knownPlatformId } from '../../../ledger/requests/knownPlatform.js';

/** Whose endpoints a request is about, and who asks. An endpoint belongs to one platform and one mode (RULES H10). */
export interface Owner {
  readonly platformId: string;
  readonly livemode: boolean;
  /** As in Activity. */
  readonly actor: string;
}

/** A platform that works on its own, in the mode of its key. */
export function ownerBehind({ platformId, livemode, keyId }: KeyCaller): Owner {
  return { platformId, livemode, actor: `key:${keyId}` };
}

/** The operator works on live endpoints. Fails with NOT_FOUND where there is no such platform. */
export async function ownerNamed(db: Queryable, params: { id: string }): Promise<Owner> {
  return { platformId: await knownPlatformId(db, params), livemode: true, actor: 'operator' };
}
