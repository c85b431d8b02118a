import type { ScoreBand } from '@reliability/scoring';
import type { JobStatus } from '../../../domain/catalogues/enums.js';
import type { EnvelopeDraft } from '../../../outbox/envelopes.js';

/** As every answer shows it. */
export interface Screening {
  readonly id: string;
  /** QUEUED and RUNNING until it ends by itself; then it never changes again. */
  readonly status: JobStatus;
  readonly label: string | null;
  /** Ids asked for, repeats included. */
  readonly total: number;
  /** Those of them that had a score when they were looked at. */
  readonly foundCount: number;
  readonly error: string | null;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
}

/** Whose screening, and of which universe. */
export interface ScreeningOwner {
  readonly platformId: string;
  readonly livemode: boolean;
}

/** The figures found for one id, as they are kept; null: no score. */
export type Finding = {
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  readonly confidence: number;
  readonly verifiedEvents: number;
  /** Absent in what was found before the service kept it. */
  readonly frozen?: boolean;
  readonly computedAt: string;
} | null;

/** What the platform is told when a screening has ended. */
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
