import { spreadOf } from '../../../domain/scoreSpread.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import type { UserDeps } from './deps.js';
import type { BookFilters } from './schemas.js';
import { countBook, readScoreCounts } from './store.js';

/** GET /users/summary: how many subjects pass the filters, and how their scores are spread. Writes nothing. */
export async function summarizeBook(
  { db, config }: UserDeps,
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
