import { type ScoreBand, scoreBandOf, scoreBands } from '@reliability/scoring';
import { type Answer, ok } from '../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';
import type { UserParts } from './parts.js';
import type { BookFilters } from './schemas.js';
import { countBook, readScoreCounts, type ScoreCount } from './store.js';

/** GET /users/summary: how many subjects pass the filters, and how their scores are spread. Writes nothing. */
export async function summarizeBook(
  { db, config }: UserParts,
  { caller, query }: RequestContext<KeyAccess, undefined, BookFilters, undefined>,
): Promise<Answer> {
  const segment = { platformId: caller.platformId, livemode: caller.livemode, filters: query };
  const { scored, unscored } = await countBook(db, segment);
  const matched = scored + unscored;
  if (matched > config.bookSummaryMax) {
    const central = { median: null, mean: null };
    return ok({ matched, scored, bands: null, central, aggregationSkipped: 'population_too_large' });
  }
  const counts = scored === 0 ? [] : await readScoreCounts(db, segment);
  // The scores were read a moment after the count; what is told must agree with itself.
  const spread = spreadOf(counts);
  return ok({ matched: spread.scored + unscored, ...spread, aggregationSkipped: null });
}

/** Numbers of one distribution of scores. */
interface Spread {
  scored: number;
  bands: Record<ScoreBand, number>;
  central: { median: number | null; mean: number | null };
}

/** @param counts in the order of scores. Added up in whole hundredths, so that no order of rows changes a digit. */
export function spreadOf(counts: readonly ScoreCount[]): Spread {
  const bands = Object.fromEntries(scoreBands.map((band) => [band, 0])) as Record<ScoreBand, number>;
  let scored = 0;
  let hundredths = 0;
  for (const { final_score, count } of counts) {
    bands[scoreBandOf(final_score)] += count;
    scored += count;
    hundredths += Math.round(final_score * 100) * count;
  }
  if (scored === 0) return { scored, bands, central: { median: null, mean: null } };
  const middle = [scoreAt(counts, Math.ceil(scored / 2)), scoreAt(counts, Math.floor(scored / 2) + 1)];
  const median = inPoints(
    middle.reduce((sum, score) => sum + Math.round(score * 100), 0),
    2,
  );
  return { scored, bands, central: { median, mean: inPoints(hundredths, scored) } };
}

/** The score of the one at this place, 1 for the lowest. */
function scoreAt(counts: readonly ScoreCount[], place: number): number {
  let passed = 0;
  for (const { final_score, count } of counts) {
    passed += count;
    if (passed >= place) return final_score;
  }
  return Number.NaN;
}

/** Hundredths shared among so many, rounded half up to two decimals. */
function inPoints(hundredths: number, shares: number): number {
  return Math.floor((2 * hundredths + shares) / (2 * shares)) / 100;
}
