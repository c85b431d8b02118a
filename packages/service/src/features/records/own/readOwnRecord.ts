import {
  type Day,
  mergeTallies,
  model,
  outcomeClassOf,
  type ReplayEntry,
  score,
  type Tally,
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
import { courseOfReport, findReportedScore, reasonsOf } from '../report.js';
import { findLatest, findOwnOutcomes, type OwnOutcome } from './store.js';

/** An outcome with what it is worth: by how much the score would differ without it. Null: no score, or a frozen one. */
export interface WorthOutcome extends OwnOutcome {
  readonly points: number | null;
}

/** What linked subjects of other platforms add to the record. Nothing else about them is shown (RULES R10). */
export interface Elsewhere {
  readonly outcomes: number;
  readonly since: Day;
  /** Null as in WorthOutcome. */
  readonly points: number | null;
}

export type OwnRecord = Awaited<ReturnType<typeof readOwnRecord>>;

const MAX_INTEGER = 2 ** 31 - 1;
const Position = z.tuple([z.int().min(0).max(MAX_INTEGER), z.guid()]);

/**
 * What a subject reads about itself (RULES Z2). Throws NOT_FOUND if it was erased or reset meanwhile, BAD_REQUEST for a
 * damaged cursor.
 */
export async function readOwnRecord(
  { db }: Pick<ServiceDeps, 'db'>,
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
  const others = [...members].flatMap(([id, its]) => (id === subjectId ? [] : its));
  // What a frozen score is worth without an outcome would reveal what the freeze withholds.
  const worthOf = published && !published.frozen ? createWorth(entries, published.asOf) : () => null;
  return {
    platform: { id: platformId, name: platform.name },
    userId,
    score: published && figuresOf(published),
    course: published ? courseOfReport(entries, published).course : [],
    reasons: published && reasonsOf(published, trendOf(entries, published), words),
    outcomes: page.rows.map((row): WorthOutcome => ({ ...row, points: worthOf(talliesOf(row)) })),
    elsewhere: elsewhereOf(others, worthOf),
    nextCursor: page.nextCursor,
  };
}

/** By how much the score differs without these tallies, on the day of the published score. */
function createWorth(entries: readonly ReplayEntry[], asOf: Day) {
  const all = mergeTallies(entries);
  const finalScore = (tallies: readonly Tally[]) => score(tallies, asOf)?.finalScore ?? model.anchor;
  const whole = finalScore(all);
  return (tallies: readonly Tally[]): number => {
    if (tallies.length === 0) return 0;
    const without = tallies.map((tally) => ({ ...tally, count: -tally.count }));
    return pointsBetween(finalScore(mergeTallies(all, without)), whole);
  };
}

/** None: it does not count. */
function talliesOf({ onTime, isClosed, ...key }: OwnOutcome): Tally[] {
  const { day, platformTier, eventType, stakeLevel, isVerified } = key;
  const outcomeClass = outcomeClassOf(eventType);
  if (outcomeClass === 'none' || (isClosed && outcomeClass === 'contested')) return [];
  const timeliness = onTime === null ? 'untimed' : onTime ? 'on_time' : 'late';
  return [{ day, platformTier, eventType, stakeLevel, isVerified, timeliness, count: 1 }];
}

function elsewhereOf(
  entries: readonly ReplayEntry[],
  worthOf: (tallies: readonly Tally[]) => number | null,
): Elsewhere | null {
  const tallies = mergeTallies(entries);
  const outcomes = tallies.reduce((sum, { count }) => sum + count, 0);
  if (outcomes === 0) return null;
  const since = tallies.reduce((first, { day }) => Math.min(first, day), Infinity);
  return { outcomes, since, points: worthOf(tallies) };
}
