import type { ScoreBand } from '@reliability/scoring';
import { z } from 'zod';
import { jobStatuses } from '#domain/catalogues/enums.js';
import { externalId } from '#domain/externalId.js';
import { scoreFields } from '#domain/scoreFields.js';
import type { Queryable } from '#kit/db/database.js';
import { cursorParam, instant, pageLimit, pageSchema, pathText, storableText } from '#kit/http/query.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { findScores } from '#ledger/reads/publishedScores.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { EnvelopeDraft } from '#outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';

export const MAX_USERS = 10_000;

export type ScreeningBody = z.output<typeof ScreeningBody>;
export const ScreeningBody = z
  .object({
    userIds: z.array(externalId).min(1).max(MAX_USERS),
    label: storableText(1, 255).nullable().optional(),
  })
  .meta({ id: 'NewScreening' });

export type Screening = z.output<typeof Screening>;
export const Screening = z
  .object({
    id: z.uuid(),
    status: z.enum(jobStatuses),
    label: z.string().nullable(),
    total: z.int().min(1),
    foundCount: z.int().min(0),
    error: z.string().nullable(),
    createdAt: instant,
    completedAt: instant.nullable(),
  })
  .meta({ id: 'Screening' });

export type ScreeningQuery = z.output<typeof ScreeningQuery>;
export const ScreeningQuery = z.object({
  status: z.enum(jobStatuses).optional(),
  cursor: cursorParam,
  limit: pageLimit(100, 25),
});

export type ScreeningPage = z.output<typeof ScreeningPage>;
export const ScreeningPage = pageSchema('screenings', Screening).meta({ id: 'ScreeningPage' });

export const screeningPath = z.object({
  id: pathText(),
});

export type ResultsQuery = z.output<typeof ResultsQuery>;
export const ResultsQuery = z.object({
  format: z.enum(['json', 'csv']).default('json'),
  cursor: cursorParam,
  limit: pageLimit(100, 25),
});

const { finalScore, scoreBand, confidence, verifiedEvents, computedAt, frozen } = scoreFields;

export type ResultsPage = z.output<typeof ResultsPage>;
export const ResultsPage = pageSchema(
  'results',
  z.object({
    userId: z.string(),
    found: z.boolean(),
    finalScore: finalScore.nullable(),
    scoreBand: scoreBand.nullable(),
    confidence: confidence.nullable(),
    verifiedEvents: verifiedEvents.nullable(),
    computedAt: computedAt.nullable(),
    frozen: frozen.nullable(),
  }),
).meta({ id: 'ScreeningResults' });

export type ScreeningDeps = Pick<
  ServiceDeps,
  'config' | 'db' | 'reads' | 'clock' | 'ids' | 'erased' | 'withIdempotency' | 'wakes'
> & {
  /** Whether this process executes queued jobs. */
  runsWorker: boolean;
};

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
export function screeningCompleted(owner: ModeOwner, screening: Screening): EnvelopeDraft {
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
  { platformId, livemode }: ModeOwner,
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
