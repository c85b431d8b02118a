import { confidenceLabels, type Factor, factorNames, type ScoreBand } from '@reliability/scoring';
import { z } from 'zod';
import { fail, serviceError } from '#domain/errors.js';
import { externalId } from '#domain/externalId.js';
import type { StoredReason } from '#domain/recordWords.js';
import { HistoryEntry, scoreFields } from '#domain/scoreFields.js';
import { createBatcher } from '#kit/batcher.js';
import type { Database, Queryable } from '#kit/db/database.js';
import { cursorParam, pageLimit, pageSchema } from '#kit/http/query.js';
import type { Owner } from '#kit/http/route.js';
import { figuresOf, findScores } from '#ledger/reads/publishedScores.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';

const {
  finalScore,
  scoreBand,
  confidence,
  behavioralQuality,
  totalEvents,
  verifiedEvents,
  frozen,
  formulaVersion,
  computedAt,
  reason,
} = scoreFields;
const userId = z.string();
const factor = z.enum(factorNames);
const change = z.number();

export const Score = z
  .object({
    userId,
    finalScore,
    scoreBand,
    confidence,
    confidenceLabel: z.enum(confidenceLabels),
    behavioralQuality,
    totalEvents,
    verifiedEvents,
    frozen,
    formulaVersion,
    computedAt,
  })
  .meta({ id: 'Score' });

export const ScoresBody = z
  .object({ userIds: z.array(externalId).min(1).max(100) })
  .meta({ id: 'ScoresRequest' });

export type Scores = z.output<typeof Scores>;
export const Scores = z
  .object({
    scores: z.array(
      z.object({
        userId,
        found: z.boolean(),
        finalScore: finalScore.nullable(),
        scoreBand: scoreBand.nullable(),
        confidence: confidence.nullable(),
        frozen: frozen.nullable(),
        computedAt: computedAt.nullable(),
        erased: z.literal(true).optional(),
      }),
    ),
  })
  .meta({ id: 'Scores' });

const component = z.number().min(0).max(100).nullable();

export type Components = z.output<typeof Components>;
export const Components = z
  .object({
    userId,
    components: z.object({
      reliability: component,
      timeliness: component,
      trustworthiness: component,
      verification: component,
      consistency: component,
      momentum: component,
    }),
    formulaVersion,
    computedAt,
  })
  .meta({ id: 'ScoreComponents' });

export const HistoryQuery = z.object({ cursor: cursorParam, limit: pageLimit(100, 25) });

export type History = z.output<typeof History>;
export const History = pageSchema('history', HistoryEntry).meta({ id: 'ScoreHistory' });

const scoreAt = z.object({ score: finalScore, band: scoreBand, computedAt });

export type Change = z.output<typeof Change>;
export const Change = z
  .object({
    userId,
    previous: scoreAt,
    current: scoreAt,
    delta: change,
    reason,
    factors: z.array(z.object({ factor, before: change, after: change, delta: change })),
    topDriver: z.object({ factor, delta: change }).nullable(),
    events: z.array(z.uuid()).max(100),
  })
  .meta({ id: 'ScoreChange' });

/** Throws USER_NOT_FOUND for a subject without a score. */
export type ReadOne<Score> = (subjectId: string) => Promise<Score>;

const MAX_SCORES_PER_QUERY = 500;
/** Three kilobytes of JSON each, which are parsed in one go. */
const MAX_DETAILS_PER_QUERY = 100;
/** More concurrent queries only slow each other down; waiting reads share the next one. The embedded database runs one at a time. */
const MAX_QUERIES_AT_ONCE = 2;
const MAX_WAITING_READS = 20_000;

/** Reads published figures of single scores. */
export function createScoreReader(db: Database): ReadOne<ReturnType<typeof figuresOf>> {
  const readOne = createSharedReader(db, findScores, MAX_SCORES_PER_QUERY);
  return async (subjectId) => figuresOf(await readOne(subjectId));
}

/** Reads single scores with what explains them. */
export function createDetailReader(db: Database): ReadOne<DetailedScore> {
  return createSharedReader(db, findDetailedScores, MAX_DETAILS_PER_QUERY);
}

/** Concurrent reads share one query, because the round trip to the database is most of a read's cost. */
function createSharedReader<Score>(
  db: Database,
  find: (db: Queryable, subjectIds: readonly string[]) => Promise<Map<string, Score>>,
  maxWeight: number,
): ReadOne<Score> {
  const reads = createBatcher<string, Score | null>({
    run: async (subjectIds) => {
      const scores = await find(db, [...new Set(subjectIds)]);
      return subjectIds.map((subjectId) => scores.get(subjectId) ?? null);
    },
    maxWeight,
    concurrency: db.hasOneConnection ? 1 : MAX_QUERIES_AT_ONCE,
    maxWaiting: MAX_WAITING_READS,
    refuse: () => serviceError('OVERLOADED'),
  });
  return async (subjectId) => (await reads.submit(subjectId)) ?? fail('USER_NOT_FOUND');
}

/** POST /users/scores: in the order of the request, with an entry for each repetition of an id. */
export async function readScores(
  { db, erased }: Pick<ServiceDeps, 'db' | 'erased'>,
  { platformId, livemode }: Owner,
  { userIds }: z.output<typeof ScoresBody>,
): Promise<Scores> {
  const requested = userIds.map((userId) => ({
    userId,
    subjectId: subjectIdOf(platformId, livemode, userId),
  }));
  const found = await findScores(db, [...new Set(requested.map(({ subjectId }) => subjectId))]);
  const scores = requested.map(({ userId, subjectId }) => {
    const score = found.get(subjectId);
    return {
      userId,
      found: score !== undefined,
      finalScore: score?.finalScore ?? null,
      scoreBand: score?.scoreBand ?? null,
      confidence: score?.confidence ?? null,
      frozen: score?.frozen ?? null,
      computedAt: score?.computedAt ?? null,
      ...(erased.has(subjectId) && { erased: true as const }),
    };
  });
  return { scores };
}

/** Written by the worker with each score. */
interface ScoreDetail {
  factors: { name: Factor; contribution: number; description: string }[];
  components: Components['components'];
  adverse: StoredReason[];
  supporting: StoredReason[];
}

export interface DetailedScore {
  finalScore: number;
  scoreBand: ScoreBand;
  frozenAt: Date | null;
  detail: ScoreDetail;
  formulaVersion: string;
  computedAt: Date;
}

/** By subject. Subjects without a score are omitted. */
async function findDetailedScores(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<Map<string, DetailedScore>> {
  const rows = await db.query<DetailedScore & { subjectId: string }>(
    `select subject_id, final_score, score_band, frozen_at, detail, formula_version, computed_at
     from score where subject_id = any($1::uuid[])`,
    [subjectIds],
  );
  return new Map(rows.map((row) => [row.subjectId, row]));
}

/** Part of one subject's ledger, by positions. */
export interface LedgerRange {
  subjectId: string;
  after: number;
  upTo: number;
  /** A lower bound of the event ids: without it, the query would scan the whole ledger of a busy subject. */
  fromId: string;
}

/** In the order of the ledger. */
export async function findEventIds(db: Queryable, range: LedgerRange, limit: number): Promise<string[]> {
  const rows = await db.query<{ eventId: string }>(
    `select event_id from event
     where subject_id = $1 and position > $2 and position <= $3 and event_id >= $4
     order by position limit $5`,
    [range.subjectId, range.after, range.upTo, range.fromId, limit],
  );
  return rows.map((row) => row.eventId);
}
