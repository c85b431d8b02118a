import {
  AGEING_POINTS_A_DAY,
  componentOn,
  createReplay,
  type Day,
  dayOf,
  model,
  type ReplayEntry,
  type RunningRecord,
} from '@reliability/scoring';
import { BLANK_STATE, isCrossed, isPast, type Observed, observedOf } from '#domain/crossings.js';
import type { PolicyTerms } from '#domain/envelopes/scoreEnvelopes.js';
import { DAY_MS } from '#domain/timestamp.js';
import { createYielder } from '#kit/backpressure/yielder.js';
import type { Queryable } from '#kit/db/database.js';
import { readEntriesOfRecords } from '#ledger/reads/recordEntries.js';
import { type BookSubject, findBookSlice, type PreviewSlice } from './previewStore.js';
import type { PolicyPreview } from './schemas.js';

/** A subject that meets a condition or crossed it. */
export type PreviewRow = PolicyPreview['subjects'][number];

interface PreviewedSlice {
  /** By user id. */
  matches: PreviewRow[];
  checked: number;
  /** Events of the records that were replayed. */
  events: number;
  /** Start of the next slice; null: this was the last. */
  lastExternalId: string | null;
}

/** Events of the records of a slice: bounds memory, since a tally counts at least one event. */
const SLICE_EVENTS = 20_000;

/**
 * Finds crossings by the replay by outcome, on the UTC days from `from` to `to`. Whether a subject
 * meets the condition now is read from its published score.
 */
export async function replaySlice(db: Queryable, slice: PreviewSlice): Promise<PreviewedSlice> {
  const found = await findBookSlice(db, slice);
  const subjects = startOf(found);
  const entriesOf = await readEntriesOfRecords(db, subjects);
  const yieldTurn = createYielder();
  const matches: PreviewRow[] = [];
  for (const { recordId, externalId, observed, finalScore, scoreBand } of subjects) {
    await yieldTurn();
    const { crossings, lastCrossedOn } = replayCrossings(
      slice.condition,
      entriesOf(recordId),
      dayOf(slice.from),
      dayOf(slice.to),
    );
    const isPastNow = isPast(slice.condition, observed);
    if (!isPastNow && crossings === 0) continue;
    const lastCrossedAt = lastCrossedOn === null ? null : new Date(lastCrossedOn * DAY_MS);
    matches.push({
      userId: externalId,
      isPast: isPastNow,
      observed,
      finalScore,
      scoreBand,
      crossings,
      lastCrossedAt,
    });
  }
  const isLast = found.length < slice.size && subjects.length === found.length;
  return {
    matches,
    checked: subjects.length,
    events: subjects.reduce((sum, { totalEvents }) => sum + totalEvents, 0),
    lastExternalId: isLast ? null : (subjects.at(-1)?.externalId ?? null),
  };
}

/** As many subjects as have SLICE_EVENTS together, at least one. */
function startOf(subjects: readonly BookSubject[]): readonly BookSubject[] {
  let events = 0;
  const end = subjects.findIndex(({ totalEvents }, index) => {
    events += totalEvents;
    return index > 0 && events > SLICE_EVENTS;
  });
  return end < 0 ? subjects : subjects.slice(0, end);
}

interface ReplayedCrossings {
  crossings: number;
  lastCrossedOn: Day | null;
}

/**
 * How often a record would have crossed a condition from one UTC day to the next, on the days from
 * `first` to `last`. Evaluates the days with a new entry, and of the others only those on which
 * time alone could cross the condition.
 * @param entries in any order.
 */
export function replayCrossings(
  terms: PolicyTerms,
  entries: readonly ReplayEntry[],
  first: Day,
  last: Day,
): ReplayedCrossings {
  const { recordOn, nextEntryOn } = createReplay(entries);
  const crossed: ReplayedCrossings = { crossings: 0, lastCrossedOn: null };
  let seen = lookAt(terms, recordOn(first - 1), first - 1);
  for (;;) {
    const day = Math.min(seen.quietUntil, nextEntryOn() ?? NEVER);
    if (day > last) return crossed;
    const previous = seen.observed;
    const record = recordOn(day);
    seen = lookAt(terms, record, day);
    // A record whose last outcome was closed has no score, so nothing was published that crosses.
    if (!isCrossed(terms, previous, seen.observed) || record.weighedOn(day).totalEvents === 0) continue;
    crossed.crossings += 1;
    crossed.lastCrossedOn = day;
  }
}

interface Look {
  /** The figure that the condition watches. */
  observed: Observed;
  /** The first later day on which the condition could be crossed without a new entry. */
  quietUntil: Day;
}

/**
 * Time multiplies all weights by one factor. So it moves the score and `verification`, each by a
 * limited number of points a day, and `momentum` when an outcome leaves one of its periods. It
 * moves nothing else (docs/FORMULA.md "Age").
 */
function lookAt(terms: PolicyTerms, record: RunningRecord, day: Day): Look {
  const { metric, component, band } = terms;
  const threshold = terms.threshold ?? 0;
  if (metric === 'score' || metric === 'band') {
    const score = record.scoreOn(day);
    if (!score) return { observed: observedOf(terms, BLANK_STATE), quietUntil: NEVER };
    const limits = metric === 'band' ? limitsOf(band) : [threshold];
    return {
      observed: metric === 'band' ? score.scoreBand : score.finalScore,
      quietUntil: day + quietDays(score.finalScore, limits),
    };
  }
  if (component === null) return { observed: record.weighedOn(day).verifiedEvents, quietUntil: NEVER };
  const observed = componentOn(record, component, day);
  if (component === 'momentum') return { observed, quietUntil: nextMomentumDay(record, day) };
  const isAgeing = component === 'verification' && observed !== null;
  return { observed, quietUntil: isAgeing ? day + quietDays(observed, [threshold]) : NEVER };
}

const NEVER = Number.POSITIVE_INFINITY;

/** The number of days after which ageing could carry a figure to one of the limits, at least 1. */
function quietDays(figure: number, limits: readonly number[]): number {
  const points = Math.min(...limits.map((limit) => Math.abs(figure - limit))) - ROUNDING_POINTS;
  return Math.max(0, Math.floor(points / AGEING_POINTS_A_DAY)) + 1;
}

/** Two figures that are rounded to hundredths. */
const ROUNDING_POINTS = 0.01;

/** The scores at which a band begins and ends. */
function limitsOf(band: PolicyTerms['band']): number[] {
  const index = model.bands.findIndex((entry) => entry.band === band);
  return model.bands.slice(Math.max(0, index - 1), index + 1).map(({ minimum }) => minimum);
}

function nextMomentumDay(record: RunningRecord, day: Day): Day {
  const { momentumRecentDays, momentumEarlierDays } = model.components;
  let next = NEVER;
  for (const { day: occurred } of record.tallies()) {
    for (const end of [occurred + momentumRecentDays, occurred + momentumEarlierDays]) {
      if (end >= day) next = Math.min(next, end + 1);
    }
  }
  return next;
}
