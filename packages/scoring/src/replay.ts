import {
  addWeight,
  baseWeightOf,
  type Decay,
  decayTable,
  emptySums,
  type HalfSums,
  judgeRecord,
  scaled,
  type Weighed,
  weigh,
} from './halves.js';
import { eventKindOf, type FormulaConstants, model, outcomeClassOf } from './model.js';
import { type Score, scoreOf } from './score.js';
import { type Day, dayOf, type LedgerFacts, mergeTallies, type Tally, tallyKeyOf } from './tally.js';

/**
 * The day on which an event starts to count in a replay: that of its outcome, or that of its report. By report, a replay
 * gives the scores that were published.
 */
export const replayBys = ['outcome', 'recorded'] as const;
export type ReplayBy = (typeof replayBys)[number];

/** A tally that starts to count on a day. A negative count removes: a contested event leaves when its dispute has ended. */
export interface ReplayEntry extends Tally {
  /** Not before the day of the tally. */
  entersOn: Day;
}

/** The entries of a ledger, in any order. Omits qualifications and projects. */
export function replayEntriesOf(facts: Iterable<LedgerFacts>, by: ReplayBy): ReplayEntry[] {
  const entries: ReplayEntry[] = [];
  const contested = new Map<string, ReplayEntry>();
  const closings: { closedId: string; entersOn: Day }[] = [];
  for (const event of facts) {
    if (eventKindOf(event.eventType) !== 'outcome') continue;
    const { day, platformTier, eventType, stakeLevel, isVerified, timeliness } = tallyKeyOf(event);
    const entersOn = by === 'outcome' ? day : dayOf(event.createdAt);
    const entry = { day, platformTier, eventType, stakeLevel, isVerified, timeliness, count: 1, entersOn };
    entries.push(entry);
    if (event.id !== undefined && outcomeClassOf(event.eventType) === 'contested')
      contested.set(event.id, entry);
    if (event.closesEventId) closings.push({ closedId: event.closesEventId, entersOn });
  }
  for (const { closedId, entersOn } of closings) {
    const closed = contested.get(closedId);
    if (closed) entries.push({ ...closed, count: -1, entersOn: Math.max(entersOn, closed.entersOn) });
  }
  return entries;
}

/**
 * The score of a record on each of these days, null before its first event. A day costs its new entries and one decay,
 * however long the record is.
 * @param entries in any order.
 * @param days ascending.
 */
export function replay(
  entries: readonly ReplayEntry[],
  days: readonly Day[],
  constants: FormulaConstants = model,
): (Score | null)[] {
  const { recordOn } = createReplay(entries, constants);
  return days.map((day) => recordOn(day).scoreOn(day));
}

/** A record that takes its entries in day by day, for callers that choose their days as they go. */
export interface Replay {
  /** The record with the entries up to a day. The days of successive calls ascend. */
  recordOn(day: Day): RunningRecord;
  /** The first day with an entry after that; null: there is none. */
  nextEntryOn(): Day | null;
}

/** @param entries in any order. */
export function createReplay(entries: readonly ReplayEntry[], constants: FormulaConstants = model): Replay {
  const ordered = inOrderOfEntry(entries);
  const record = createRunningRecord(constants);
  let next = 0;
  return {
    recordOn(day) {
      for (let entry = ordered[next]; entry && entry.entersOn <= day; entry = ordered[next]) {
        record.add(entry);
        next += 1;
      }
      return record;
    },
    nextEntryOn: () => ordered[next]?.entersOn ?? null,
  };
}

/** Sorted as numbers: several times as fast as objects with a comparison. */
function inOrderOfEntry(entries: readonly ReplayEntry[]): ReplayEntry[] {
  const keys = Float64Array.from(entries, ({ entersOn }, index) => entersOn * MAX_ENTRIES + index);
  return Array.from(
    keys.sort(),
    (key) => entries[key - Math.floor(key / MAX_ENTRIES) * MAX_ENTRIES] as ReplayEntry,
  );
}

// Days of 10 000 years take 22 bits of the 53 of an exact integer.
const MAX_ENTRIES = 2 ** 30;

/** A record that grows, with its sums kept up to date. */
export interface RunningRecord {
  /** Adds a tally. A negative count removes. Qualifications and projects change nothing. */
  add(tally: Tally): void;
  /** Equals `score(tallies, asOf)` in every published digit. Fast for a day that is not before the latest tally. */
  scoreOn(asOf: Day): Score | null;
  /** The sums, factors and gates behind it. */
  weighedOn(asOf: Day): Weighed;
  /** What counts now, in canonical order. */
  tallies(): readonly Tally[];
}

/**
 * Ages a record without weighing its events again: a day multiplies every weight by the same factor, so sums are stored as of a
 * reference day, at most one half-life before the latest. Contested events have sums of their own, because they can leave:
 * a sum of floating-point numbers loses its last digits when a part is subtracted, so those few are added up again.
 */
export function createRunningRecord(constants: FormulaConstants = model): RunningRecord {
  const { halfLifeDays } = constants;
  const decay = decayTable(halfLifeDays);
  const settled = createPart(constants, decay);
  const contested = createPart(constants, decay);
  /** Weights are stored as of this day. */
  let reference: Day | null = null;
  let newest: Day = Number.NEGATIVE_INFINITY;
  let totalEvents = 0;
  let verifiedEvents = 0;
  /** Null: to be merged. */
  let merged: readonly Tally[] | null = null;

  return {
    add(tally) {
      if (eventKindOf(tally.eventType) !== 'outcome') return;
      merged = null;
      newest = Math.max(newest, tally.day);
      const part = outcomeClassOf(tally.eventType) === 'contested' ? contested : settled;
      part.add(tally, referenceFor(newest));
      totalEvents += tally.count;
      if (tally.isVerified) verifiedEvents += tally.count;
    },
    scoreOn: (asOf) => scoreOf(weighedOn(asOf), constants),
    weighedOn,
    tallies,
  };

  function weighedOn(asOf: Day): Weighed {
    // A weight never grows with time, so an event after the day breaks the common factor.
    if (asOf < newest) return weigh(tallies(), asOf, constants);
    const base = referenceFor(asOf);
    const factor = decay(asOf - base);
    const [unverifiedContested, verifiedContested] = contested.sums(base);
    const [unverifiedSettled, verifiedSettled] = settled.sums(base);
    const verified = scaled(verifiedSettled, verifiedContested, factor);
    const unverified = scaled(unverifiedSettled, unverifiedContested, factor);
    return judgeRecord({ verified, unverified, totalEvents, verifiedEvents }, constants);
  }

  function tallies(): readonly Tally[] {
    merged ??= mergeTallies(settled.tallies(), contested.tallies());
    return merged;
  }

  /** Moves the reference by whole half-lives, which divides the sums by powers of two and so changes no digit. */
  function referenceFor(day: Day): Day {
    reference ??= day;
    const halvings = Math.floor((day - reference) / halfLifeDays);
    if (halvings > 0) {
      reference += halvings * halfLifeDays;
      for (const part of [settled, contested]) part.halve(halvings);
    }
    return reference;
  }
}

/** Tallies of a record with the sums of their weights as of a reference day. */
interface Part {
  tallies(): readonly Tally[];
  add(tally: Tally, reference: Day): void;
  /** Of the unverified and of the verified half. */
  sums(reference: Day): readonly [HalfSums, HalfSums];
  halve(times: number): void;
}

const NOTHING = emptySums();

/** Tallies are merged whenever their number has doubled since the last merge, and not before this one. */
const MERGE_FROM = 10_000;

function createPart(constants: FormulaConstants, decay: Decay): Part {
  let tallies: Tally[] = [];
  let mergeAt = MERGE_FROM;
  let halves = [emptySums(), emptySums()] as const;
  let isStale = false;

  return {
    tallies: () => tallies,
    add(tally, reference) {
      if (tallies.push(tally) >= mergeAt) merge();
      if (tally.count < 0) isStale = true;
      else addTo(halves, tally, reference);
    },
    sums(reference) {
      if (!isStale) return halves;
      merge();
      halves = [emptySums(), emptySums()];
      for (const tally of tallies) addTo(halves, tally, reference);
      isStale = false;
      return halves;
    },
    halve(times) {
      const factor = 2 ** -times;
      halves = [scaled(halves[0], NOTHING, factor), scaled(halves[1], NOTHING, factor)];
    },
  };

  function merge(): void {
    tallies = mergeTallies(tallies);
    mergeAt = Math.max(MERGE_FROM, 2 * tallies.length);
  }

  function addTo(to: readonly [HalfSums, HalfSums], tally: Tally, reference: Day): void {
    const weight = tally.count * baseWeightOf(tally, constants) * asOfReference(tally.day - reference);
    addWeight(to[tally.isVerified ? 1 : 0], tally, weight, constants);
  }

  /** `2^(days / halfLife)`. The reference is at most one half-life before a day, so the power is below 2. */
  function asOfReference(days: number): number {
    return days > 0 ? 2 * decay(constants.halfLifeDays - days) : decay(-days);
  }
}
