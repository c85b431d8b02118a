import {
  dayOf,
  type EventType,
  eventTypes,
  foldTallies,
  mergeTallies,
  model,
  type OutcomeFacts,
  type PlatformTier,
  platformTiers,
  type Score,
  type ScoreBand,
  type StakeLevel,
  score,
  scoreBandOf,
  stakeLevels,
  type Tally,
  tallyKeyOf,
} from '@reliability/scoring';
import { z } from 'zod';
import { type Insiders, isAttester } from '#domain/declaredSubject.js';
import type { Reporter } from '#domain/outcomeEvent.js';
import { pointsBetween } from '#domain/points.js';
import { scoreFields } from '#domain/scoreFields.js';
import { outcomeTime } from '#domain/timestamp.js';
import type { Queryable } from '#kit/db/database.js';
import { storableText } from '#kit/http/query.js';
import type { KeyCaller } from '#kit/http/route.js';
import { loadInsiders } from '#ledger/append/knownDeclarations.js';
import { findScores } from '#ledger/reads/publishedScores.js';
import { findRecordTallies } from '#ledger/reads/recordTallies.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { isOwnSubject } from './store.js';

export type ProjectionBody = z.output<typeof ProjectionBody>;
export const ProjectionBody = z
  .object({
    events: z
      .array(
        z.object({
          eventType: z.enum(eventTypes),
          isVerified: z.boolean().nullish(),
          stakeLevel: z.enum(stakeLevels).nullish(),
          platformTier: z.enum(platformTiers).nullish(),
          dueDate: outcomeTime.nullish(),
          completedAt: outcomeTime.nullish(),
          verifiedBy: storableText(1, 255).nullish(),
        }),
      )
      .min(1)
      .max(20),
  })
  .meta({ id: 'ProjectionRequest' });

const scoreNow = z.object({ score: scoreFields.finalScore, band: scoreFields.scoreBand });

/** The part that every projection has. */
export const projectionFields = {
  baseline: z.enum(['record', 'blank']),
  frozen: scoreFields.frozen,
  current: scoreNow,
  projected: scoreNow,
  delta: z.object({
    score: z.number(),
    band: z.object({ from: scoreFields.scoreBand, to: scoreFields.scoreBand }).nullable(),
  }),
};

export type ProjectionAnswer = z.output<typeof ProjectionAnswer>;
export const ProjectionAnswer = z
  .object({
    userId: z.string(),
    ...projectionFields,
  })
  .meta({ id: 'ScoreProjection' });

/** The inputs of the formula from an event that has not happened. */
export interface HypotheticalEvent {
  readonly eventType: EventType;
  readonly stakeLevel: StakeLevel;
  readonly platformTier: PlatformTier;
  readonly isVerified: boolean;
  readonly dueDate: Date | null;
  readonly completedAt: Date | null;
}

interface ScoreState {
  readonly score: number;
  readonly band: ScoreBand;
}

/** A record as it is in the ledger, and its published score. */
export interface ProjectedRecord {
  readonly tallies: readonly Tally[];
  /** Null if there is no score yet. */
  readonly published: (ScoreState & { readonly frozen: boolean }) | null;
}

interface Projection {
  /** `blank`: there is no score yet, so the projection starts at the initial score. */
  readonly baseline: 'record' | 'blank';
  readonly frozen: boolean;
  /** The published score. */
  readonly current: ScoreState;
  readonly projected: ScoreState;
  readonly delta: {
    /** Points, two decimals. */
    readonly score: number;
    readonly band: { readonly from: ScoreBand; readonly to: ScoreBand } | null;
  };
}

/**
 * The score of the record with additional events, and its published score. A frozen score excludes
 * later events, so only the points of the additional events are added to it. Qualifications and
 * projects change nothing.
 */
export function projectScore(
  record: ProjectedRecord,
  events: readonly HypotheticalEvent[],
  now: Date,
): Projection {
  return projectorOf(record, now)(events);
}

/**
 * The same for several sets of events on one record. Merges its tallies once. `closes`: contested
 * events of the record that no longer count.
 */
export function projectorOf(
  { tallies, published }: ProjectedRecord,
  now: Date,
): (events: readonly HypotheticalEvent[], closes?: readonly OutcomeFacts[]) => Projection {
  const asOf = dayOf(now);
  const record = mergeTallies(tallies);
  const frozen = published?.frozen ?? false;
  const current = published ? { score: published.score, band: published.band } : BLANK;
  const withheld = frozen ? pointsBetween(stateOf(score(record, asOf)).score, current.score) : 0;
  return (events, closes = []) => {
    const added = foldTallies(events.map((event) => ({ ...event, createdAt: now })));
    const closed = closes.map((event) => ({ ...tallyKeyOf(event), count: -1 }));
    const reached = stateOf(score(mergeTallies(record, added, closed), asOf));
    const projected = frozen ? shifted(reached.score, withheld) : reached;
    const hasNewBand = current.band !== projected.band;
    return {
      baseline: published ? 'record' : 'blank',
      frozen,
      current,
      projected,
      delta: {
        score: pointsBetween(current.score, projected.score),
        band: hasNewBand ? { from: current.band, to: projected.band } : null,
      },
    };
  };
}

const BLANK: ScoreState = { score: model.anchor, band: scoreBandOf(model.anchor) };

function shifted(from: number, points: number): ScoreState {
  const score = Math.min(100, Math.max(0, pointsBetween(-points, from)));
  return { score, band: scoreBandOf(score) };
}

function stateOf(result: Score | null): ScoreState {
  return result ? { score: result.finalScore, band: result.scoreBand } : BLANK;
}

export type ProjectionDeps = Pick<ServiceDeps, 'db' | 'clock'>;

/**
 * The score with events that have not happened. Writes nothing. An unknown subject has an empty
 * record.
 */
export async function projectEvents(
  { db, clock }: ProjectionDeps,
  caller: KeyCaller,
  userId: string,
  body: ProjectionBody,
): Promise<ProjectionAnswer> {
  const subjectId = subjectIdOf(caller.platformId, caller.livemode, userId);
  const [record, isOwn, insidersOf] = await Promise.all([
    loadRecord(db, subjectId),
    isOwnSubject(db, subjectId),
    loadInsiders(db, caller, [userId]),
  ]);
  const events = body.events.map((event) => ({
    eventType: event.eventType,
    stakeLevel: event.stakeLevel ?? 'MEDIUM',
    platformTier: event.platformTier ?? caller.trustTier,
    // As POST /events would record it for this caller, or POST /ingest with a name (RULES R5).
    isVerified: (event.isVerified ?? false) && !isOwn && isOther(event.verifiedBy, insidersOf(userId)),
    dueDate: event.dueDate ?? null,
    completedAt: event.completedAt ?? null,
  }));
  return { userId, ...projectScore(record, events, clock.now()) };
}

function isOther(party: string | null | undefined, insiders: Insiders): boolean {
  return party == null || isAttester(party, insiders);
}

/** Projects the score of a subject with outcomes that a platform would report, as they would be recorded. */
export function outcomeProjector({ db, clock }: ProjectionDeps) {
  return async (
    { platformId, livemode, trustTier }: Reporter,
    userId: string,
    events: readonly Omit<HypotheticalEvent, 'platformTier'>[],
  ): Promise<Projection> => {
    const record = await loadRecord(db, subjectIdOf(platformId, livemode, userId));
    const reported = events.map((event) => ({ ...event, platformTier: trustTier }));
    return projectScore(record, reported, clock.now());
  };
}

/** A subject's record with its published score; empty for an unknown subject. */
export async function loadRecord(db: Queryable, subjectId: string): Promise<ProjectedRecord> {
  const [{ own, others }, scores] = await Promise.all([
    findRecordTallies(db, subjectId),
    findScores(db, [subjectId]),
  ]);
  const tallies = [...own, ...others];
  const score = scores.get(subjectId);
  if (!score) return { tallies, published: null };
  const { finalScore, scoreBand, frozen } = score;
  return { tallies, published: { score: finalScore, band: scoreBand, frozen } };
}
