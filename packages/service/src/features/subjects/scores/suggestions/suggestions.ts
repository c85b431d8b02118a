import {
  type Contestable,
  dayOf,
  eventTypes,
  isoFromDay,
  MAX_SUGGESTED_DAYS,
  model,
  nextBandOf,
  scoreBandOf,
  suggest,
  suggestionKinds,
  type Tally,
} from '@reliability/scoring';
import { z } from 'zod';
import { isDisputable, opensDispute } from '#domain/dispute.js';
import { fail } from '#domain/errors.js';
import { scoreFields } from '#domain/scoreFields.js';
import { knownPlatform } from '#ledger/groups/platforms.js';
import { findRecordTallies } from '#ledger/reads/recordTallies.js';
import type { ServiceDeps } from '../../../serviceDeps.js';
import { type AlikeDisputes, findAlikeDisputes, findPublished } from './store.js';

const { finalScore, scoreBand } = scoreFields;

export type Suggestions = z.output<typeof Suggestions>;
export const Suggestions = z
  .object({
    userId: z.string(),
    asOf: z.iso.date(),
    current: z.object({ finalScore, scoreBand }),
    next: z.object({ scoreBand, scoreMin: z.number().min(0).max(100) }).nullable(),
    suggestions: z.array(
      z.object({
        kind: z.enum(suggestionKinds),
        count: z.int().min(1).max(MAX_SUGGESTED_DAYS),
        eventType: z.enum(eventTypes).optional(),
        isVerified: z.boolean().optional(),
        finalScore,
        scoreBand,
        delta: z.number(),
      }),
    ),
  })
  .meta({ id: 'ScoreSuggestions' });

/** A subject of a platform, under the platform's own id. */
export interface SuggestedSubject {
  readonly platformId: string;
  readonly subjectId: string;
  readonly userId: string;
}

/**
 * GET /users/{id}/score/suggestions: what would raise the score, as a recompute of today would give it. Throws
 * USER_NOT_FOUND for an unknown subject.
 */
export async function readSuggestions(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  { platformId, subjectId, userId }: SuggestedSubject,
): Promise<Suggestions> {
  const [published, tallies, disputes, { trustTier }] = await Promise.all([
    findPublished(db, subjectId),
    findRecordTallies(db, subjectId),
    findAlikeDisputes(db, subjectId),
    knownPlatform(db, platformId),
  ]);
  if (!published) return fail('USER_NOT_FOUND');
  const asOf = dayOf(clock.now());
  const current = {
    finalScore: published.finalScore ?? model.anchor,
    scoreBand: published.scoreBand ?? scoreBandOf(model.anchor),
  };
  // Nothing moves a frozen score, and a record without an outcome has none.
  const isMovable = published.finalScore !== null && !published.isFrozen;
  const record = { ...tallies, contestable: contestableOf(tallies.own, disputes), platformTier: trustTier };
  return {
    userId,
    asOf: isoFromDay(asOf),
    current,
    next: nextBandOf(current.scoreBand),
    suggestions: isMovable ? suggest({ ...record, current }, asOf) : [],
  };
}

type Kind = Pick<Tally, 'eventType' | 'stakeLevel' | 'platformTier' | 'isVerified'>;

/** Open disputes, and breaches that never had one. */
function contestableOf(own: readonly Tally[], disputes: readonly AlikeDisputes[]): Contestable[] {
  const onRecord = new Set(own.map(outcomeKeyOf));
  const undisputed = new Map<string, Kind & { count: number }>();
  const add = ({ eventType, stakeLevel, platformTier, isVerified }: Kind, count: number) => {
    if (!isDisputable(eventType) || opensDispute(eventType)) return;
    const kind = { eventType, stakeLevel, platformTier, isVerified };
    undisputed.set(keyOf(kind), { ...kind, count: (undisputed.get(keyOf(kind))?.count ?? 0) + count });
  };
  for (const tally of own) add(tally, tally.count);
  for (const dispute of disputes) add(dispute, -dispute.count);
  const open = disputes.flatMap(({ contestedType, contestedDay, contestedOnTime, count: _, ...kind }) => {
    if (contestedType === null || contestedDay === null) return [];
    const timeliness = contestedOnTime === null ? 'untimed' : contestedOnTime ? 'on_time' : 'late';
    const contested = { eventType: contestedType, day: contestedDay, timeliness } as const;
    // It may have ended since the tallies were read.
    return onRecord.has(outcomeKeyOf({ ...kind, ...contested })) ? [{ ...kind, contested }] : [];
  });
  const breaches = [...undisputed.values()].filter(({ count }) => count > 0);
  return [...open, ...breaches.map(({ count: _, ...kind }) => ({ ...kind, contested: null }))];
}

function keyOf({ eventType, stakeLevel, platformTier, isVerified }: Kind): string {
  return [eventType, stakeLevel, platformTier, isVerified].join();
}

function outcomeKeyOf(outcome: Kind & Pick<Tally, 'day' | 'timeliness'>): string {
  return [keyOf(outcome), outcome.day, outcome.timeliness].join();
}
