import type { PlatformTier } from '@reliability/scoring';
import type { Queryable } from '#kit/db/database.js';

/*
 * Platforms are rows of the first server alone. No statement of a group joins them: it returns ids,
 * and what is known of these is put beside the rows here.
 */

export interface KnownPlatform {
  readonly platformId: string;
  readonly name: string;
  readonly trustTier: PlatformTier;
  readonly isActive: boolean;
  readonly velocityExempt: boolean;
}

/** Changes arrive as notifications; a lost one matters for this long. */
const FRESH_MS = 1000;
const MOST_REMEMBERED = 10_000;

/** Of the process. The platform that was read longest ago comes first. */
const remembered = new Map<string, { readonly platform: KnownPlatform; readonly untilMs: number }>();
let changes = 0;

/** A platform has changed: all are read again with their next use. */
export function forgetPlatforms(): void {
  changes += 1;
  remembered.clear();
}

/** The platforms of these rows, by id. What is known may be a second old. */
export async function knownPlatforms(
  db: Queryable,
  rows: Iterable<{ readonly platformId: string }>,
): Promise<ReadonlyMap<string, KnownPlatform>> {
  const nowMs = performance.now();
  const found = new Map<string, KnownPlatform>();
  const missing: string[] = [];
  for (const id of new Set(Array.from(rows, ({ platformId }) => platformId))) {
    const known = remembered.get(id);
    if (known && known.untilMs > nowMs) found.set(id, known.platform);
    else missing.push(id);
  }
  if (missing.length === 0) return found;
  const before = changes;
  const read = await db.shared.query<KnownPlatform>(
    'select platform_id, name, trust_tier, is_active, velocity_exempt from platform where platform_id = any($1::uuid[])',
    [missing],
  );
  for (const platform of read) {
    found.set(platform.platformId, platform);
    if (before !== changes) continue; // one has changed since the read began
    remembered.delete(platform.platformId);
    remembered.set(platform.platformId, { platform, untilMs: nowMs + FRESH_MS });
  }
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST_REMEMBERED) break;
    remembered.delete(oldest);
  }
  return found;
}

/** Throws if there is no such platform: the caller has a row of it. */
export async function knownPlatform(db: Queryable, platformId: string): Promise<KnownPlatform> {
  return platformIn(await knownPlatforms(db, [{ platformId }]), platformId);
}

export function platformIn(known: ReadonlyMap<string, KnownPlatform>, platformId: string): KnownPlatform {
  const platform = known.get(platformId);
  if (!platform) throw new Error(`the table platform has no row ${platformId}`);
  return platform;
}

/** The platforms that live in the handle's group, in order; with `areInactive` only the inactive ones. */
export async function platformIdsOf(db: Queryable, areInactive = false): Promise<string[]> {
  const rows = await db.shared.query<{ platformId: string }>(
    'select platform_id from platform where group_id = $1 and not (is_active and $2) order by platform_id',
    [db.ledgers.own, areInactive],
  );
  return rows.map(({ platformId }) => platformId);
}
