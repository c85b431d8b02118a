import type { z } from 'zod';
import type { Owner } from '../../../kit/http/route.js';
import { findLargeMovers, findMovers, hasMoreSnapshots } from './moverStore.js';
import { type Movers, type MoversQuery, USUAL_MOVERS_DAYS } from './schemas.js';
import { type AnalyticsDeps, analyticsWindowOf } from './window.js';

/** A daily round over a large book publishes more than can be compared in the time of an answer. */
const MAX_SNAPSHOTS = 20_000;

/** GET /analytics/movers: whose score rose and fell most, in the mode of the key. */
export async function readMovers(
  deps: AnalyticsDeps,
  { platformId, livemode }: Owner,
  { days, limit }: z.output<typeof MoversQuery>,
): Promise<Movers> {
  const window = analyticsWindowOf(deps, { days }, USUAL_MOVERS_DAYS);
  const since = new Date(window.from);
  const slice = { platformId, livemode, since, limit };
  return deps.reads.from(async (db) => {
    const truncated = await hasMoreSnapshots(db, slice, MAX_SNAPSHOTS);
    const movers = truncated
      ? await findLargeMovers(db, slice, deps.clock.now())
      : await findMovers(db, slice);
    return { window, since, truncated, ...movers };
  });
}
