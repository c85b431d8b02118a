import {
  createRunningRecord,
  type Day,
  dayOf,
  eventKindOf,
  type FormulaConstants,
  type OutcomeFacts,
  occurredAt,
  outcomeClassOf,
  type PlatformTier,
  type ReplayBy,
  type RunningRecord,
  type Score,
  tallyCodeOf,
  tallyKeyFromCode,
  tallyKeyOf,
} from '@reliability/scoring';

export interface BacktestEvent extends OutcomeFacts {
  /** Only contested events need one: the end of a dispute names them. */
  readonly eventId: string | null;
  /** Set on events that the dispute engine wrote. */
  readonly disputeId: string | null;
  readonly closesEventId: string | null;
}

/** A subject at a cut-off: what was known then, and the outcomes that followed. */
export interface Observation {
  /** Outcomes within the horizon. At least one. */
  readonly kept: number;
  readonly broken: number;
  /** One of each formula. Null: the subject had no event yet. */
  readonly scores: readonly Score[] | null;
  /** Outcomes before the cut-off, verified or not. */
  readonly keptBefore: number;
  readonly brokenBefore: number;
  /** Null: none. */
  readonly lastWasKept: boolean | null;
  readonly tenureDays: number;
  readonly tier: PlatformTier;
}

interface FoldOptions {
  by: ReplayBy;
  cutoffs: readonly Day[];
  everyDays: number;
  horizonDays: number;
  formulas: readonly FormulaConstants[];
  today: Day | null;
}

/** A contested event whose dispute is open, or the end of a dispute that was read first. */
interface Contested {
  readonly key: number;
  readonly visibleFrom: number;
  readonly event: BacktestEvent;
}

interface Latest {
  readonly at: number;
  readonly wasKept: boolean;
}

export type SubjectFold = ReturnType<typeof createSubjectFold>;

/** What becomes of one subject's events, in bounded memory: counts by cut-off, day and kind. */
export function createSubjectFold(options: FoldOptions) {
  const { by, cutoffs, everyDays, horizonDays, formulas, today } = options;
  const end = cutoffs.length;
  const start = cutoffs[0] ?? 0;
  /** Events by the cut-off from which they are known, day and kind. */
  const counts = new Map<number, number>();
  // Differences from one cut-off to the next.
  const keptAhead = new Int32Array(end + 1);
  const brokenAhead = new Int32Array(end + 1);
  const keptKnown = new Int32Array(end + 1);
  const brokenKnown = new Int32Array(end + 1);
  /** The latest outcome and tier that become known with a cut-off. */
  const outcomes: (Latest | undefined)[] = [];
  const tiers: ({ at: number; tier: PlatformTier } | undefined)[] = [];
  const contested = new Map<string, Contested>();
  const endings = new Map<string, Contested>();
  let firstEventOn: Day = Number.POSITIVE_INFINITY;

  return { add, finish };

  function add(event: BacktestEvent): void {
    if (eventKindOf(event.eventType) !== 'outcome') return;
    const tally = tallyKeyOf(event);
    const entersOn = by === 'outcome' ? tally.day : dayOf(event.createdAt);
    const visibleFrom = firstCutoffAfter(entersOn);
    const key = (tally.day + DAY_OFFSET) * CODES + tallyCodeOf(tally);
    firstEventOn = Math.min(firstEventOn, entersOn);
    addCount(visibleFrom, key, 1);
    noteTier(event, visibleFrom);
    const outcomeClass = outcomeClassOf(event.eventType);
    if (outcomeClass === 'contested') openDispute({ key, visibleFrom, event });
    // An event of the dispute engine repeats what the disputed one says.
    else if (outcomeClass !== 'none' && event.disputeId === null)
      noteOutcome(event, visibleFrom, outcomeClass === 'positive');
    if (event.closesEventId !== null) endDispute(event.closesEventId, { key, visibleFrom, event });
  }

  /** The cut-offs that outcomes follow, in order, and the scores of today where `today` is given. */
  function finish() {
    const keys = Float64Array.from(counts.keys()).sort();
    const records = formulas.map((constants) => createRunningRecord(constants));
    const observations: Observation[] = [];
    const sums = { kept: 0, broken: 0, keptBefore: 0, brokenBefore: 0 };
    let latest: Latest | null = null;
    let tier: PlatformTier | null = null;
    let next = 0;
    for (const [index, cutoff] of cutoffs.entries()) {
      next = addUpTo(index, keys, next, records);
      sums.kept += keptAhead[index] ?? 0;
      sums.broken += brokenAhead[index] ?? 0;
      sums.keptBefore += keptKnown[index] ?? 0;
      sums.brokenBefore += brokenKnown[index] ?? 0;
      const outcome = outcomes[index];
      if (outcome && (!latest || outcome.at >= latest.at)) latest = outcome;
      tier = tiers[index]?.tier ?? tier;
      if (sums.kept + sums.broken === 0) continue;
      observations.push({
        ...sums,
        scores: scoresOn(cutoff, records),
        lastWasKept: latest?.wasKept ?? null,
        tenureDays: Math.max(0, cutoff - firstEventOn),
        tier: tier ?? 'SELF_REPORTED',
      });
    }
    if (today === null) return { observations, current: null };
    addUpTo(end, keys, next, records);
    return { observations, current: scoresOn(today, records) };
  }

  function firstCutoffAfter(day: Day): number {
    return Math.min(end, Math.max(0, Math.floor((day - start) / everyDays) + 1));
  }

  function addCount(visibleFrom: number, tallyKey: number, change: 1 | -1): void {
    if (visibleFrom === end && today === null) return;
    const key = visibleFrom * DAYS_AND_CODES + tallyKey;
    counts.set(key, (counts.get(key) ?? 0) + change);
  }

  /** The order of recording decides in both modes where two events are equally late. */
  function noteTier(event: BacktestEvent, visibleFrom: number): void {
    const at = (by === 'outcome' ? occurredAt(event) : event.createdAt).getTime();
    const known = tiers[visibleFrom];
    if (!known || at >= known.at) tiers[visibleFrom] = { at, tier: event.platformTier };
  }

  /** Before the cut-offs from `knownFrom` on, and, if verified, within the horizons around its day. */
  function noteOutcome(event: BacktestEvent, knownFrom: number, wasKept: boolean): void {
    const at = occurredAt(event);
    const known = wasKept ? keptKnown : brokenKnown;
    known[knownFrom] = (known[knownFrom] ?? 0) + 1;
    const latest = outcomes[knownFrom];
    if (!latest || at.getTime() >= latest.at) outcomes[knownFrom] = { at: at.getTime(), wasKept };
    if (!event.isVerified) return;
    const day = dayOf(at);
    const afterLast = firstCutoffAfter(day);
    const first = firstCutoffAfter(day - horizonDays);
    const ahead = wasKept ? keptAhead : brokenAhead;
    ahead[first] = (ahead[first] ?? 0) + 1;
    ahead[afterLast] = (ahead[afterLast] ?? 0) - 1;
  }

  function openDispute(opened: Contested): void {
    const { eventId } = opened.event;
    if (eventId === null) return;
    const ending = endings.get(eventId);
    if (ending) endings.delete(eventId);
    if (ending) settle(opened, ending);
    else contested.set(eventId, opened);
  }

  function endDispute(closedId: string, ending: Contested): void {
    const opened = contested.get(closedId);
    if (opened) contested.delete(closedId);
    if (opened) settle(opened, ending);
    else endings.set(closedId, ending);
  }

  /** The contested event leaves the record (RULES D6). One that a platform reported is an outcome from now on. */
  function settle(opened: Contested, ending: Contested): void {
    const from = Math.max(opened.visibleFrom, ending.visibleFrom);
    addCount(from, opened.key, -1);
    const wasKept = outcomeClassOf(ending.event.eventType) === 'positive';
    if (opened.event.disputeId === null) noteOutcome(opened.event, from, wasKept);
  }

  function addUpTo(
    index: number,
    keys: Float64Array,
    from: number,
    records: readonly RunningRecord[],
  ): number {
    let next = from;
    for (; next < keys.length; next += 1) {
      const key = keys[next] ?? 0;
      if (key >= (index + 1) * DAYS_AND_CODES) break;
      const count = counts.get(key) ?? 0;
      if (count === 0) continue;
      const tallyKey = key % DAYS_AND_CODES;
      const day = Math.floor(tallyKey / CODES) - DAY_OFFSET;
      const tally = { ...tallyKeyFromCode(day, tallyKey % CODES), count };
      for (const record of records) record.add(tally);
    }
    return next;
  }
}

// One exact integer: 10 bits for the cut-off, 22 for days of the years 1 to 9999, 13 for the tally code.
const CODES = 2 ** 13;
const DAYS_AND_CODES = 2 ** 35;
const DAY_OFFSET = 719_163;

function scoresOn(day: Day, records: readonly RunningRecord[]): readonly Score[] | null {
  const scores = records.map((record) => record.scoreOn(day));
  return scores.every((score) => score !== null) ? scores : null;
}
