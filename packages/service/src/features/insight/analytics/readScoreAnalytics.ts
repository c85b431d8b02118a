import { scoreBands } from '@reliability/scoring';
import type { z } from 'zod';
import { spreadOf } from '#domain/points.js';
import { everyDay } from '#domain/timestamp.js';
import type { Queryable } from '#kit/db/database.js';
import type { Owner } from '#kit/http/route.js';
import { groupBy } from '#kit/lists.js';
import { type Book, findHistogram } from '#ledger/reads/publishedScores.js';
import { scoresByDay } from './daySums.js';
import { replayDays } from './replayBook.js';
import {
  type AnalyticsDeps,
  type AnalyticsQuery,
  analyticsWindowOf,
  type ScoreAnalytics,
} from './schemas.js';
import { countBook, countScores, type ScoreDay } from './store.js';

/** GET /analytics/scores: the book now, and its score changes by day. */
export async function readScoreAnalytics(
  deps: AnalyticsDeps,
  owner: Owner,
  query: z.output<typeof AnalyticsQuery>,
): Promise<ScoreAnalytics> {
  const window = analyticsWindowOf(deps, query);
  const { platformId, livemode } = owner;
  const { bookSummaryMax } = deps.config;
  const [book, replayed, days] = await deps.reads.from(async (db) => {
    const outcomes = query.by === 'outcome' ? await replayDays(db, owner, window) : null;
    const slice = { platformId, livemode, from: window.from, to: window.to };
    return Promise.all([
      bookOf(db, bookSummaryMax, platformId, livemode),
      outcomes,
      outcomes ?? scoresByDay(db, slice),
    ]);
  });
  const counted = groupBy(days, ({ date }) => date);
  return {
    by: replayed ? 'outcome' : 'recorded',
    window,
    ...book,
    bandNet: bandNetOf(days),
    daily: everyDay(window, (date) => {
      const sums = counted.get(date) ?? [];
      const published = sumOf(sums, (day) => day.published);
      const hundredths = sumOf(sums, (day) => day.hundredths);
      return {
        date,
        meanScore: published > 0 ? Math.round(hundredths / published) / 100 : null,
        bandChanges: sumOf(sums, (day) => day.bandChanges),
        recomputes: published,
      };
    }),
  };
}

function sumOf(days: readonly ScoreDay[], count: (day: ScoreDay) => number): number {
  return days.reduce((sum, day) => sum + count(day), 0);
}

function bandNetOf(days: readonly ScoreDay[]): ScoreAnalytics['bandNet'] {
  return Object.fromEntries(scoreBands.map((band) => [band, sumOf(days, ({ bandNet }) => bandNet[band])]));
}

/** Like `GET /users/summary`: above the same cap there is no distribution. */
async function bookOf(db: Queryable, bookSummaryMax: number, platformId: string, livemode: boolean) {
  const { scored, unscored } = await countBook(db, platformId, livemode);
  if (scored > bookSummaryMax) {
    const central = { median: null, mean: null };
    const aggregationSkipped = 'population_too_large' as const;
    const bandsLastCounted = await lastCountedBands(db, { platformId, livemode });
    return {
      subjects: scored + unscored,
      scored,
      bands: null,
      bandsLastCounted,
      central,
      aggregationSkipped,
    };
  }
  // A score may have been written between the two statements. The answer must be consistent, so it counts the second one.
  const spread = spreadOf(await countScores(db, platformId, livemode));
  return { subjects: spread.scored + unscored, ...spread, bandsLastCounted: null, aggregationSkipped: null };
}

/** From the histogram that the sweep counts: bands begin at whole points. */
async function lastCountedBands(db: Queryable, book: Book): Promise<ScoreAnalytics['bandsLastCounted']> {
  const kept = await findHistogram(db, book);
  if (!kept) return null;
  const { bands } = spreadOf(kept.counts.map((count, finalScore) => ({ finalScore, count })));
  return { at: kept.countedAt, bands };
}
