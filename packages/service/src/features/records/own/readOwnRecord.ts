import {
  type Day,
  dayOf,
  mergeTallies,
  model,
  outcomeClassOf,
  type ReplayEntry,
  score,
  type Tally,
  type TallyKey,
} from '@reliability/scoring';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { pointsBetween } from '#domain/points.js';
import type { RecordWords } from '#domain/recordWords.js';
import { trendOf } from '#domain/scoreCourse.js';
import { pageOf, positionOf } from '#kit/http/cursor.js';
import { knownPlatform } from '#ledger/groups/platforms.js';
import type { OpenRecord } from '#ledger/issuing/recordLinks.js';
import { figuresOf } from '#ledger/reads/publishedScores.js';
import { readMemberEntries } from '#ledger/reads/recordEntries.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { linkedShareOf } from '../held/linkedShare.js';
import { courseOfReport, findReportedScore, reasonsOf } from '../report.js';
import { findLatest, findOwnOutcomes, type OwnOutcome } from './store.js';

/** An outcome with what it is worth: by how much the score would differ without it. Null: no score, or a frozen one. */
export interface WorthOutcome extends OwnOutcome {
  readonly points: number | null;
}

export type OwnRecord = Awaited<ReturnType<typeof readOwnRecord>>;

const MAX_INTEGER = 2 ** 31 - 1;
const Position = z.tuple([z.int().min(0).max(MAX_INTEGER), z.guid()]);

/**
 * What a subject reads about itself (RULES Z3, Z6). Throws NOT_FOUND if it was erased or reset meanwhile, BAD_REQUEST for a
 * damaged cursor.
 */
export async function readOwnRecord(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  { subjectId, platformId, userId }: OpenRecord,
  { cursor, limit }: { cursor: string | undefined; limit: number },
  words: RecordWords,
) {
  const asked = positionOf(cursor, Position);
  const [members, published, platform, latest] = await Promise.all([
    readMemberEntries(db, subjectId),
    findReportedScore(db, subjectId),
    knownPlatform(db, platformId),
    asked ?? findLatest(db, subjectId),
  ]);
  if (!members || !latest) return fail('NOT_FOUND');
  const rows = await findOwnOutcomes(db, subjectId, latest, limit + 1);
  const page = pageOf(rows, limit, ({ eventId }) => [latest[0], eventId]);
  const entries = [...members.values()].flat();
  // What a frozen score is worth without an outcome would reveal what the freeze withholds.
  const pointsOf = published && !published.frozen ? createWorth(entries, published.asOf) : () => null;
  return {
    platform: { id: platformId, name: platform.name },
    userId,
    score: published && figuresOf(published),
    course: published ? courseOfReport(entries, published).course : [],
    reasons: published && reasonsOf(published, trendOf(entries, published), words),
    outcomes: page.rows.map((row): WorthOutcome => ({ ...row, points: pointsOf(row) })),
    nextCursor: page.nextCursor,
    linked: linkedShareOf(members, subjectId, published, dayOf(clock.now())),
  };
}

/** By how much the score differs without an outcome, on the day of the published score. */
function createWorth(entries: readonly ReplayEntry[], asOf: Day) {
  const all = mergeTallies(entries);
  const finalScore = (tallies: readonly Tally[]) => score(tallies, asOf)?.finalScore ?? model.anchor;
  const whole = finalScore(all);
  return (outcome: OwnOutcome): number => {
    const tally = tallyOf(outcome);
    return tally ? pointsBetween(finalScore(mergeTallies(all, [{ ...tally, count: -1 }])), whole) : 0;
  };
}

/** Null: it does not count. */
function tallyOf({ onTime, isClosed, ...key }: OwnOutcome): TallyKey | null {
  const { day, platformTier, eventType, stakeLevel, isVerified } = key;
  const outcomeClass = outcomeClassOf(eventType);
  if (outcomeClass === 'none' || (isClosed && outcomeClass === 'contested')) return null;
  const timeliness = onTime === null ? 'untimed' : onTime ? 'on_time' : 'late';
  return { day, platformTier, eventType, stakeLevel, isVerified, timeliness };
}
