import type { z } from 'zod';
import { everyDay } from '../../../domain/dayWindow.js';
import { spreadOf } from '../../../domain/scoreSpread.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { scoresByDay } from './countDays.js';
import type { AnalyticsDeps } from './deps.js';
import type { AnalyticsQuery } from './schemas.js';
import { countBook, countScores } from './store.js';
import { analyticsWindowOf } from './window.js';

/** GET /analytics/scores: the book as it stands, and how its scores moved day by day. */
export async function readScoreAnalytics(
  deps: AnalyticsDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, z.output<typeof AnalyticsQuery>, undefined>,
): Promise<Answer> {
  const window = analyticsWindowOf(deps, query);
  const { platformId, livemode } = caller;
  const [book, days] = await Promise.all([
    bookOf(deps, platformId, livemode),
    scoresByDay(deps.db, { platformId, livemode, from: window.from, to: window.to }),
  ]);
  const counted = new Map(days.map((day) => [day.date, day]));
  return ok({
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
  });
}

/** As `GET /users/summary` tells it: past the same cap nothing is spread out. */
async function bookOf({ db, config }: AnalyticsDeps, platformId: string, livemode: boolean) {
  const { scored, unscored } = await countBook(db, platformId, livemode);
  if (scored > config.bookSummaryMax) {
    const central = { median: null, mean: null };
    const aggregationSkipped = 'population_too_large';
    return { subjects: scored + unscored, scored, bands: null, central, aggregationSkipped };
  }
  // The scores are read a moment after the count; what is told must agree with itself.
  const spread = spreadOf(await countScores(db, platformId, livemode));
  return { subjects: spread.scored + unscored, ...spread, aggregationSkipped: null };
}
