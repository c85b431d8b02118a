import { model } from '@reliability/scoring';
import { fail } from '../../../domain/errors.js';
import { shareOf } from '../../../domain/points.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Owner } from '../../../kit/http/route.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { Contributions } from './schemas.js';
import { type ContributionRow, findContributions } from './store.js';

/**
 * The platforms whose events the published score includes. Only the caller is named (RULES P1). Throws
 * USER_NOT_FOUND.
 */
export async function listPlatforms(db: Queryable, owner: Owner, userId: string): Promise<Contributions> {
  const rows = await findContributions(db, subjectIdOf(owner.platformId, owner.livemode, userId));
  if (!rows) return fail('USER_NOT_FOUND');
  const erased = rows.filter(({ isErased }) => isErased);
  return {
    platforms: rows
      .filter(({ isErased }) => !isErased)
      .map(contributionOf)
      .sort(inOrder),
    erasedEvents: erased.reduce((sum, row) => sum + eventsOf(row), 0),
    blendedMultiplier: blendedMultiplierOf(rows),
  };
}

type Contribution = Contributions['platforms'][number];

function contributionOf(row: ContributionRow): Contribution {
  return {
    self: row.isSelf,
    name: row.name,
    trustTier: row.trustTier,
    trustMultiplier: model.tierMultipliers[row.trustTier],
    eventCount: eventsOf(row),
    verifiedEventCount: row.verifiedEventCount ?? 0,
    firstEventAt: row.firstEventAt,
    lastEventAt: row.lastEventAt,
  };
}

/** The caller first, then by the number of events. */
function inOrder(left: Contribution, right: Contribution): number {
  return (
    Number(right.self) - Number(left.self) ||
    right.eventCount - left.eventCount ||
    (left.firstEventAt?.getTime() ?? 0) - (right.firstEventAt?.getTime() ?? 0)
  );
}

function eventsOf({ tallies }: ContributionRow): number {
  return tallies.reduce((sum, { count }) => sum + count, 0);
}

/** Mean of the multipliers by event, four decimals; null if no event counts. */
function blendedMultiplierOf(rows: readonly ContributionRow[]): number | null {
  const tallies = rows.flatMap((row) => row.tallies);
  const events = tallies.reduce((sum, { count }) => sum + count, 0);
  const weight = tallies.reduce(
    (sum, { count, platformTier }) => sum + count * model.tierMultipliers[platformTier],
    0,
  );
  return shareOf(weight, events);
}
