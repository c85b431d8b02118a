import type { Queryable } from '../../../kit/db/database.js';
import { findScores } from '../../../ledger/reads/publishedScores.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { Finding, ScreeningOwner } from './screening.js';

/** The published scores of the owner's subjects with these ids, in their order. Reads, and nothing else. */
export async function screenUsers(
  db: Queryable,
  { platformId, livemode }: ScreeningOwner,
  userIds: readonly string[],
): Promise<Finding[]> {
  const subjectIds = userIds.map((userId) => subjectIdOf(platformId, livemode, userId));
  const scores = await findScores(db, [...new Set(subjectIds)]);
  return subjectIds.map((subjectId) => {
    const score = scores.get(subjectId);
    if (!score) return null;
    return {
      finalScore: score.finalScore,
      scoreBand: score.scoreBand,
      confidence: score.confidence,
      verifiedEvents: score.verifiedEvents,
      frozen: score.frozen,
      computedAt: score.computedAt.toISOString(),
    };
  });
}
