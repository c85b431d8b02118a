import type { ScoreBand } from '@reliability/scoring';
import type { Queryable } from '../../../kit/db/database.js';
import { findScores } from '../../../ledger/reads/publishedScores.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { EnvelopeDraft } from '../../../outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { Screening } from './schemas.js';

export type ScreeningDeps = Pick<
  ServiceDeps,
  'config' | 'db' | 'reads' | 'clock' | 'ids' | 'erased' | 'withIdempotency' | 'wakes'
> & {
  /** Whether this process executes queued jobs. */
  runsWorker: boolean;
};

/** The platform and mode of a screening. */
export interface ScreeningOwner {
  readonly platformId: string;
  readonly livemode: boolean;
}

/** The stored figures of one id; null if it has no score. */
export type Finding = {
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  readonly confidence: number;
  readonly verifiedEvents: number;
  readonly frozen: boolean;
  readonly computedAt: string;
} | null;

/** The envelope for the end of a screening. */
export function screeningCompleted(owner: ScreeningOwner, screening: Screening): EnvelopeDraft {
  const { id, status, total, foundCount, error, completedAt } = screening;
  if (completedAt === null || (status !== 'COMPLETED' && status !== 'FAILED')) {
    throw new Error(`screening ${id} has not ended`);
  }
  return {
    type: 'screening.completed',
    data: {
      screeningJobId: id,
      status,
      total,
      foundCount,
      error,
      completedAt: completedAt.toISOString(),
    },
    platformId: owner.platformId,
    livemode: owner.livemode,
    subjectId: null,
  };
}

/** The published scores of the owner's subjects with these ids, in the same order. */
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
