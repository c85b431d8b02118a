import type { z } from 'zod';
import { everyDay } from '../../../domain/dayWindow.js';
import { spreadOf } from '../../../domain/scoreSpread.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Owner } from '../../../kit/http/route.js';
import { scoresByDay } from './countDays.js';
import type { AnalyticsQuery, ScoreAnalytics } from './schemas.js';
import { countBook, countScores } from './store.js';
import { type AnalyticsDeps, analyticsWindowOf } from './window.js';

/** GET /analytics/scores: the book now, and its score changes by day. */
export async function readScoreAnalytics(
  deps: AnalyticsDeps,
  { platformId, livemode }: Owner,
  query: z.output<typeof AnalyticsQuery>,
): Promise<ScoreAnalytics> {
  const window = analyticsWindowOf(deps, query);
  const { bookSummaryMax } = deps.config;
  const [book, days] = await deps.reads.from((db) =>
    Promise.all([
      bookOf(db, bookSummaryMax, platformId, livemode),
      scoresByDay(db, { platformId, livemode, from: window.from, to: window.to }),
    ]),
  );
  const counted = new Map(days.map((day) => [day.date, day]));
  return {
    window,
    ...book,
    daily: everyDay(window, (date) => {
      const day = counted.get(date);
      return {
        date,
        meanScore: day ? Math.round(day.hundredths / day.published) / 100 : null,
        bandChanges: day?.bandChanges ?? 0,
        recomputes: day?.published ?? 0,
      };
    }),
  };
}

/** Like `GET /users/summary`: above the same cap there is no distribution. */
async function bookOf(db: Queryable, bookSummaryMax: number, platformId: string, livemode: boolean) {
  const { scored, unscored } = await countBook(db, platformId, livemode);
  if (scored > bookSummaryMax) {
    const central = { median: null, mean: null };
    const aggregationSkipped = 'population_too_large' as const;
    return { subjects: scored + unscored, scored, bands: null, central, aggregationSkipped };
  }
  // A score may have been written between the two statements. The answer must be consistent, so it counts the second one.
  const spread = spreadOf(await countScores(db, platformId, livemode));
  return { subjects: spread.scored + unscored, ...spread, aggregationSkipped: null };
}
