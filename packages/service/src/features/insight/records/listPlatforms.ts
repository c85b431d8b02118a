import { model, type PlatformTier } from '@reliability/scoring';
import { fail } from '../../../domain/errors.js';
import { shareOf } from '../../../domain/share.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Owner } from '../../../kit/http/route.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { Contributions } from './schemas.js';
import { type ContributionRow, findContributions } from './store.js';

/**
 * The platforms whose events the score includes. Only the caller is named (RULES P1). Throws
 * USER_NOT_FOUND.
 */
export async function listPlatforms(db: Queryable, owner: Owner, userId: string): Promise<Contributions> {
  const rows = await findContributions(db, subjectIdOf(owner.platformId, owner.livemode, userId));
  if (rows.length === 0) return fail('USER_NOT_FOUND');
  const platforms = rows.map(contributionOf).filter(({ eventCount }) => eventCount > 0);
  return { platforms, blendedMultiplier: blendedMultiplierOf(platforms) };
}

function contributionOf(row: ContributionRow) {
  return {
    self: row.isSelf,
    name: row.name,
    trustTier: row.trustTier,
    trustMultiplier: multiplierOf(row.trustTier),
    eventCount: row.eventCount ?? 0,
    verifiedEventCount: row.verifiedEventCount ?? 0,
    firstEventAt: row.firstEventAt,
    lastEventAt: row.lastEventAt,
  };
}

function multiplierOf(tier: PlatformTier): number {
  return model.tierMultipliers[tier];
}

interface Contribution {
  eventCount: number;
  trustMultiplier: number;
}

/** Mean of the multipliers by event, four decimals; null if no platform contributes. */
function blendedMultiplierOf(platforms: readonly Contribution[]): number | null {
  const events = platforms.reduce((sum, { eventCount }) => sum + eventCount, 0);
  const weight = platforms.reduce(
    (sum, { eventCount, trustMultiplier }) => sum + eventCount * trustMultiplier,
    0,
  );
  return shareOf(weight, events);
}
