import type { PlanKey } from '../../domain/catalogues/plans.js';
import type { Queryable } from '../../kit/db/database.js';
import type { KeyCaller } from '../../kit/http/route.js';
import { isUuid } from '../../kit/ids.js';
import { failUnknownPlatform } from '../../ledger/requests/knownPlatform.js';

/** Whose monitors and policies are meant, and who is at work on them. */
export interface WatchOwner {
  readonly platformId: string;
  readonly livemode: boolean;
  /** Sets the caps. */
  readonly plan: PlanKey;
  /** As in Activity. */
  readonly actor: string;
}

export function ownerOfKey({ platformId, livemode, plan, keyId }: KeyCaller): WatchOwner {
  return { platformId, livemode, plan, actor: `key:${keyId}` };
}

/** The platform in the operator's path, in live mode. Fails with NOT_FOUND where there is none. */
export async function ownerForOperator(db: Queryable, { id }: { id: string }): Promise<WatchOwner> {
  const platformId = isUuid(id) ? id : failUnknownPlatform();
  const [row] = await db.query<{ plan: PlanKey }>('select plan from platform where platform_id = $1', [
    platformId,
  ]);
  return { platformId, livemode: true, plan: row?.plan ?? failUnknownPlatform(), actor: 'operator' };
}
