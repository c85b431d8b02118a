import {
  addTally,
  completionOf,
  emptySums,
  type Half,
  type HalfSums,
  leadingHalf,
  type Weighed,
  weigh,
} from './halves.js';
import { model, outcomeClassOf } from './model.js';
import type { RunningRecord } from './replay.js';
import { round2 } from './rounding.js';
import { canonical, DAY_MS, type Day, type Tally } from './tally.js';

/** Six views of a record, each 0 to 100 with 2 decimals. `null`: the record has no outcome to compute it from. */
export interface Components {
  reliability: number | null;
  timeliness: number | null;
  trustworthiness: number | null;
  verification: number | null;
  consistency: number | null;
  momentum: number | null;
}

export type ComponentName = keyof Components;

/** The components of a record on a UTC day. `null` for a record without any event. docs/FORMULA.md "Components". */
export function components(tallies: readonly Tally[], asOf: Day): Components | null {
  const sorted = canonical(tallies);
  const weighed = weigh(sorted, asOf);
  if (weighed.totalEvents === 0) return null;
  const view = viewOf(weighed, () => sorted, asOf);
  return {
    reliability: componentOf.reliability(view),
    timeliness: componentOf.timeliness(view),
    trustworthiness: componentOf.trustworthiness(view),
    verification: componentOf.verification(view),
    consistency: componentOf.consistency(view),
    momentum: componentOf.momentum(view),
  };
}

/** One of them, for a running record. Reads its tallies only for `consistency` and `momentum`. */
export function componentOn(
  record: Pick<RunningRecord, 'weighedOn' | 'tallies'>,
  name: ComponentName,
  asOf: Day,
): number | null {
  const weighed = record.weighedOn(asOf);
  return weighed.totalEvents === 0 ? null : componentOf[name](viewOf(weighed, record.tallies, asOf));
}

/** What components are read from. */
interface View {
  weighed: Weighed;
  /** The half that they describe. */
  half: Half;
  /** The outcomes of that half, sorted. */
  outcomes: () => readonly Tally[];
  asOf: Day;
}

function viewOf(weighed: Weighed, tallies: () => readonly Tally[], asOf: Day): View {
  const half = leadingHalf(weighed);
  const isVerified = half === weighed.verified;
  const outcomes = () =>
    tallies().filter(
      (tally) => tally.isVerified === isVerified && outcomeClassOf(tally.eventType) !== 'none',
    );
  return { weighed, half, outcomes, asOf };
}

const componentOf: Record<ComponentName, (view: View) => number | null> = {
  reliability: ({ half }) => (half.mass === 0 ? null : round2(100 * half.completion)),
  timeliness: ({ half }) =>
    half.sums.timed === 0 ? null : round2((100 * half.sums.onTime) / half.sums.timed),
  trustworthiness: ({ half }) => (half.sums.outcomes === 0 ? null : round2(100 * half.disputes)),
  verification({ weighed: { verified, unverified, depth } }) {
    if (verified.sums.outcomes + unverified.sums.outcomes === 0) return null;
    return round2(100 * depth * (verified.evidence / (verified.evidence + model.evidenceHalf)));
  },
  consistency: ({ outcomes, asOf }) => consistencyOf(outcomes(), asOf),
  momentum: ({ outcomes, asOf }) => momentumOf(outcomes(), asOf),
};

/** How little the monthly completion rate varies over the last 12 calendar months with an outcome. */
function consistencyOf(outcomes: readonly Tally[], asOf: Day): number | null {
  const { consistencyMonths, consistencyMinimumMonths, consistencySpread } = model.components;
  const months = new Map<number, HalfSums>();
  for (const tally of outcomes) {
    const month = monthOf(tally.day);
    const sums = months.get(month) ?? emptySums();
    addTally(sums, tally, asOf);
    months.set(month, sums);
  }
  if (months.size < consistencyMinimumMonths) return null;
  // tallies are sorted by day, so the map's months are too
  const rates = [...months.values()].slice(-consistencyMonths).map(completionOf);
  return round2(100 * (1 - Math.min(1, consistencySpread * deviation(rates))));
}

/** Calendar months since 1970-01. */
function monthOf(day: Day): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Completion of the last three months compared with the nine months before. */
function momentumOf(outcomes: readonly Tally[], asOf: Day): number {
  const { momentumNeutral, momentumRecentDays, momentumEarlierDays } = model.components;
  const recent = emptySums();
  const earlier = emptySums();
  let recentCount = 0;
  let earlierCount = 0;
  for (const tally of outcomes) {
    const age = Math.max(0, asOf - tally.day);
    if (age <= momentumRecentDays) {
      addTally(recent, tally, asOf);
      recentCount += tally.count;
    } else if (age <= momentumEarlierDays) {
      addTally(earlier, tally, asOf);
      earlierCount += tally.count;
    }
  }
  if (recentCount === 0 || earlierCount === 0) return momentumNeutral;
  return round2(momentumNeutral + momentumNeutral * (completionOf(recent) - completionOf(earlier)));
}
