import { dayOf, type Factor, factorNames, model, platformTiers } from '@reliability/scoring';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { EventRecordSchema } from '#domain/outcomeEvent.js';
import { shareOf } from '#domain/points.js';
import { HistoryEntry, scoreFields } from '#domain/scoreFields.js';
import type { Queryable } from '#kit/db/database.js';
import { cursorParam, instant, pageLimit, pageSchema } from '#kit/http/query.js';
import type { Owner } from '#kit/http/route.js';
import type { RecordFacts } from '#ledger/recompute/evaluateRecord.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type ContributionRow, type DispatchRow, findContributions, findDispatch } from './store.js';

const userId = z.string();

export const DispatchQuery = z.object({
  context: z.enum(['dispatch']).default('dispatch'),
});

export type Dispatch = z.output<typeof Dispatch>;
export const Dispatch = z
  .object({
    userId,
    finalScore: scoreFields.finalScore.nullable(),
    scoreBand: scoreFields.scoreBand.nullable(),
    confidence: scoreFields.confidence.nullable(),
    frozen: z.boolean(),
    verifiedEvents: scoreFields.verifiedEvents.nullable(),
    totalEvents: scoreFields.totalEvents.nullable(),
    noShowRate: z.number().min(0).max(1).nullable(),
    onTime: z.number().min(0).max(100).nullable(),
    daysSinceLastEvent: z.int().min(0).nullable(),
    topDrivers: z.array(z.object({ factor: z.enum(factorNames), contribution: z.number() })).max(3),
  })
  .meta({ id: 'DispatchRead' });

export type TimelineQuery = z.output<typeof TimelineQuery>;
export const TimelineQuery = z.object({ cursor: cursorParam, limit: pageLimit(100, 25) });

export type Timeline = z.output<typeof Timeline>;
export const Timeline = pageSchema(
  'items',
  z.object({
    kind: z.enum(['event', 'score']),
    at: instant,
    event: EventRecordSchema.optional(),
    score: HistoryEntry.optional(),
  }),
).meta({ id: 'Timeline' });

export type Contributions = z.output<typeof Contributions>;
export const Contributions = z
  .object({
    platforms: z.array(
      z.object({
        self: z.boolean(),
        name: z.string().nullable(),
        trustTier: z.enum(platformTiers),
        trustMultiplier: z.number(),
        eventCount: z.int().min(1),
        verifiedEventCount: z.int().min(0),
        firstEventAt: instant.nullable(),
        lastEventAt: instant.nullable(),
      }),
    ),
    erasedEvents: z.int().min(0),
    blendedMultiplier: z.number().nullable(),
  })
  .meta({ id: 'ContributingPlatforms' });

const MAX_DRIVERS = 3;

/**
 * The figures for a dispatcher of jobs, from one row. Unknown figures are null: a read never
 * computes a score. Throws USER_NOT_FOUND.
 */
export async function readReliability(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  owner: Owner,
  userId: string,
): Promise<Dispatch> {
  const row = await findDispatch(db, subjectIdOf(owner.platformId, owner.livemode, userId));
  if (!row) return fail('USER_NOT_FOUND');
  return {
    userId,
    finalScore: row.finalScore,
    scoreBand: row.scoreBand,
    confidence: row.confidence,
    frozen: row.frozen,
    verifiedEvents: row.verifiedEvents,
    totalEvents: row.totalEvents,
    noShowRate: noShowRateOf(row.facts),
    onTime: row.onTime,
    daysSinceLastEvent: daysSince(row.facts?.lastEventAt ?? null, clock.now()),
    topDrivers: topDriversOf(row),
  };
}

function noShowRateOf(facts: RecordFacts | null): number | null {
  return facts && shareOf(facts.breaches, facts.outcomes);
}

/** Whole UTC days, like ages in the formula. */
function daysSince(iso: string | null, now: Date): number | null {
  return iso === null ? null : Math.max(0, dayOf(now) - dayOf(new Date(iso)));
}

/** The factors with the largest contributions; equal ones stay in the order of the factors. */
function topDriversOf({ factors }: DispatchRow): { factor: Factor; contribution: number }[] {
  return (factors ?? [])
    .filter(({ contribution }) => contribution !== 0)
    .sort((left, right) => Math.abs(right.contribution) - Math.abs(left.contribution))
    .slice(0, MAX_DRIVERS)
    .map(({ name, contribution }) => ({ factor: name, contribution }));
}

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
