import { dayFromIso, isoFromDay } from '@reliability/scoring';
import type { Queryable } from '../../../kit/db/database.js';
import { findProgress, readParts, readSummedEvents, readSummedScores } from './daySums.js';
import { countOutcomes, readSummedOutcomes } from './outcomeSums.js';
import { countEvents, countSnapshots, type EventCount, type ScoreDay, type Slice } from './store.js';

/** Events of the window by day of outcome and kind: those that the sums hold, the rest counted. */
export async function eventsByOutcomeDay(db: Queryable, slice: Slice): Promise<EventCount[]> {
  const summed = slice.livemode ? await readSummedOutcomes(db, slice) : null;
  const rest = await countOutcomes(db, slice, summed?.before ?? null);
  return [...(summed?.counts ?? []), ...rest];
}

/** Events of the window by day of report and kind: sums where there are any, the rest counted. */
export async function eventsByDay(db: Queryable, slice: Slice): Promise<EventCount[]> {
  const { summed, rest } = await splitAtSums(db, slice);
  const counts = await Promise.all([
    summed ? readSummedEvents(db, summed) : [],
    rest ? countEvents(db, rest) : [],
  ]);
  return counts.flat();
}

/** Published scores of the window, likewise. A day can occur more than once. */
export async function scoresByDay(db: Queryable, slice: Slice): Promise<ScoreDay[]> {
  const { summed, rest } = await splitAtSums(db, slice);
  const counts = await Promise.all([
    summed ? readSummedScores(db, summed) : [],
    rest ? countUnsummed(db, rest) : [],
  ]);
  return counts.flat();
}

/** Days can occur more than once: in parts that the sweep has summed, and what came since. */
async function countUnsummed(db: Queryable, rest: Slice): Promise<ScoreDay[]> {
  const parts = rest.livemode ? await readParts(db, rest) : [];
  const end = parts.reduce<Date | null>((last, { until }) => (last && last > until ? last : until), null);
  return [...parts, ...(await countSnapshots(db, rest, end))];
}

/** Sums only grow at their end, so where they ended a moment ago is a safe place to part the window. */
async function splitAtSums(db: Queryable, slice: Slice) {
  const { platformId, livemode, from, to } = slice;
  const [progress] = livemode ? await findProgress(db, platformId) : [];
  const end = progress?.summedBefore ?? null;
  if (end === null || end <= from) return { summed: null, rest: slice };
  const isWhole = end > to;
  const before = isWhole ? isoFromDay(dayFromIso(to) + 1) : end;
  return { summed: { platformId, from, before }, rest: isWhole ? null : { ...slice, from: end } };
}
