import { type PlanKey, type PlanLimits, planOf } from '#domain/catalogues/plans.js';
import type { Queryable } from '#kit/db/database.js';
import type { Owner } from '#kit/http/route.js';

/** What a plan caps, counted for one platform and mode: $1 and $2. Of streams those seen since $3. */
const COUNT_OF: Readonly<Record<keyof PlanLimits, string>> = {
  monitors: countStatement('monitor', 'and is_active'),
  policies: countStatement('policy', 'and is_active'),
  notificationChannels: countStatement('notification_channel'),
  streams: countStatement('stream_lease', 'and seen_at > $3'),
  webhookEndpoints: countStatement('webhook'),
};

function countStatement(table: string, more = ''): string {
  return `select count(*)::integer as count from ${table} where platform_id = $1 and livemode = $2 ${more}`;
}

/** A stream without a heartbeat for this long belongs to a dead process. */
export const STALE_STREAM_MS = 45_000;

export type CountedLimit = Exclude<keyof PlanLimits, 'streams'>;

export async function countUsed(
  db: Queryable,
  limit: CountedLimit,
  { platformId, livemode }: Owner,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT_OF[limit], [platformId, livemode]);
  return row?.count ?? 0;
}

export interface OverLimit {
  limit: keyof PlanLimits;
  cap: number;
  used: number;
}

const LIMITS = Object.keys(COUNT_OF) as (keyof PlanLimits)[];
const COUNT_ALL = LIMITS.map((limit) => `select '${limit}' as limit, (${COUNT_OF[limit]}) as used`).join(
  ' union all ',
);

export async function overLimitsOf(
  db: Queryable,
  { platformId, livemode }: Owner,
  plan: PlanKey,
  now: Date,
): Promise<OverLimit[]> {
  const { limits } = planOf(plan);
  const staleBefore = new Date(now.getTime() - STALE_STREAM_MS);
  const counts = await db.query<{ limit: keyof PlanLimits; used: number }>(COUNT_ALL, [
    platformId,
    livemode,
    staleBefore,
  ]);
  return counts
    .filter(({ limit, used }) => used > limits[limit])
    .map(({ limit, used }) => ({ limit, cap: limits[limit], used }));
}
