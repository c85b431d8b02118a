import { model, type PlatformTier } from '@reliability/scoring';
import { fail } from '../../../domain/errors.js';
import { shareOf } from '../../../domain/share.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { RecordDeps } from './deps.js';
import { type ContributionRow, findContributions } from './store.js';

/** GET /users/{id}/platforms: whose reports the score rests on. Others than the caller stay nameless (RULES P1). */
export async function listPlatforms({ db }: RecordDeps, context: UserContext): Promise<Answer> {
  const rows = await findContributions(db, subjectOf(context));
  if (rows.length === 0) return fail('USER_NOT_FOUND');
  const platforms = rows.map(contributionOf).filter(({ eventCount }) => eventCount > 0);
  return ok({ platforms, blendedMultiplier: blendedMultiplierOf(platforms) });
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

/** Mean of the multipliers by event, four decimals; null where no platform contributes. */
function blendedMultiplierOf(platforms: readonly Contribution[]): number | null {
  const events = platforms.reduce((sum, { eventCount }) => sum + eventCount, 0);
  const weight = platforms.reduce(
    (sum, { eventCount, trustMultiplier }) => sum + eventCount * trustMultiplier,
    0,
  );
  return shareOf(weight, events);
}
