import type { Database, Tx } from '../../../kit/db/database.js';
import { lowestIdAt } from '../../../kit/ids.js';
import { inSlices, type Slice, type Sweep } from '../../../ledger/sweep.js';
import { addOutcomes, findSliceEnd, saveOutcomeProgress } from './outcomeStore.js';
import { SETTLED_MS } from './sumDays.js';
import { findProgress } from './sumStore.js';

/** Events per transaction. */
const SLICE_EVENTS = 20_000;

/**
 * Adds the reports of all platforms to the days of their outcomes, in the order of the reports.
 * Live data alone (RULES B6). Returns the number of sums that it changed.
 */
export function sumOutcomes(db: Database): Sweep {
  return async (now, until) => {
    const end = lowestIdAt(new Date(now.getTime() - SETTLED_MS));
    let affected = 0;
    for (const { platformId } of await findProgress(db)) {
      if (until.aborted) break;
      affected += await inSlices(db, `outcomes of ${platformId}`, until, (tx) =>
        sumSlice(tx, platformId, end),
      );
    }
    return affected;
  };
}

async function sumSlice(tx: Tx, platformId: string, end: string): Promise<Slice> {
  const [progress] = await findProgress(tx, platformId);
  const from = progress?.outcomesBefore ?? lowestIdAt(new Date(0));
  const sliceEnd = await findSliceEnd(tx, { platformId, from, before: end }, SLICE_EVENTS);
  const before = sliceEnd ?? end;
  const affected = await addOutcomes(tx, { platformId, from, before });
  if (affected > 0) await saveOutcomeProgress(tx, platformId, before);
  return { affected, isLast: sliceEnd === null };
}
