import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { UsageDeps } from './deps.js';
import { periodAt, secondsUntil } from './months.js';
import { readUsed } from './store.js';

/** GET /usage/quota: the calls of this UTC calendar month. A test key reads the same, since the quota is the platform's. */
export async function readQuota(
  { db, clock, meter }: UsageDeps,
  { caller }: RequestContext<KeyAccess, undefined, undefined, undefined>,
): Promise<Answer> {
  const now = clock.now();
  const { start, end } = periodAt(now);
  await meter.flush();
  const used = await readUsed(db, caller.platformId, start);
  const cap = caller.monthlyQuota === 0 ? null : caller.monthlyQuota;
  return ok({
    unlimited: cap === null,
    cap,
    used,
    remaining: cap === null ? null : Math.max(0, cap - used),
    periodEnd: end,
    secondsUntilReset: secondsUntil(end, now),
  });
}
