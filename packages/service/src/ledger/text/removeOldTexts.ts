import { DAY_MS } from '../../domain/timestamp.js';
import type { Database } from '../../kit/db/database.js';
import { LOWEST_ID, lowestIdAt } from '../../kit/ids.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../sweep.js';
import { dropTexts } from './dropTexts.js';

/** Drops the texts of events that were recorded more than `days` ago. */
export function removeOldTexts(db: Database, days: number): Sweep {
  return (now, until) => {
    const range = { afterId: LOWEST_ID, beforeId: lowestIdAt(new Date(now.getTime() - days * DAY_MS)) };
    return inSlices(db, 'texts', until, async (tx) => {
      const { dropped, lastId } = await dropTexts(tx, range, SLICE_ROWS);
      // Behind the texts that have to wait for the log, each slice would look at them again.
      range.afterId = lastId ?? range.afterId;
      return { affected: dropped, isLast: lastId === null };
    });
  };
}
