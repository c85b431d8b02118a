import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import { resetTestData } from '../../../ledger/resetTestData.js';
import { assertTestMode, type SandboxDeps } from './deps.js';

/** DELETE /test/data: the platform's test universe starts over. Keys stay, and so does the audit trail (RULES T3). */
export async function clearTestData(
  { db, clock, ids }: SandboxDeps,
  { caller }: RequestContext<KeyAccess, undefined, undefined, undefined>,
): Promise<Answer> {
  assertTestMode(caller);
  const deleted = await db.transaction(async (tx) => {
    const count = await resetTestData(tx, caller.platformId);
    const now = clock.now();
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: caller.platformId,
      livemode: false,
      action: 'TEST_DATA_RESET',
      actor: `key:${caller.keyId}`,
      details: { ...count },
      at: now,
    });
    return count;
  });
  return ok({ deleted });
}
