import {
  type EventType,
  eventKindOf,
  eventTypes,
  outcomeClassOf,
  type PlatformTier,
  platformTiers,
  type StakeLevel,
  stakeLevels,
  type Timeliness,
  timelinessValues,
} from './model.js';

/** Whole UTC days since 1970-01-01, negative before. */
export type Day = number;

/** The fields of a ledger event that the formula reads. */
export interface OutcomeFacts {
  eventType: EventType;
  stakeLevel: StakeLevel;
  /** Trust tier of the reporting platform at the time of the report. */
  platformTier: PlatformTier;
  isVerified: boolean;
  createdAt: Date;
  completedAt?: Date | null;
  dueDate?: Date | null;
}

/** An event of the ledger with its id and, if the dispute engine wrote it, the contested event that it closes. */
export interface LedgerFacts extends OutcomeFacts {
  id?: string;
  closesEventId?: string | null;
}

export interface TallyKey {
  day: Day;
  platformTier: PlatformTier;
  eventType: EventType;
  stakeLevel: StakeLevel;
  isVerified: boolean;
  timeliness: Timeliness;
}

export interface Tally extends TallyKey {
  count: number;
}

export const DAY_MS = 86_400_000;

/** The UTC day of an instant. Throws RangeError for an invalid date. */
export function dayOf(date: Date): Day {
  const day = Math.floor(date.getTime() / DAY_MS);
  if (Number.isNaN(day)) throw new RangeError('Invalid date');
  return day;
}

/** `dayFromIso('2026-06-30')`. Throws RangeError unless the text is an existing YYYY-MM-DD date. */
export function dayFromIso(iso: string): Day {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(iso) ? Math.floor(Date.parse(iso) / DAY_MS) : Number.NaN;
  // JavaScript parses 2026-02-30 as 2 March
  if (Number.isNaN(day) || isoFromDay(day) !== iso)
    throw new RangeError(`Not an existing date (YYYY-MM-DD): ${iso}`);
  return day;
}

/** YYYY-MM-DD of a day in the years 0000 to 9999. */
export function isoFromDay(day: Day): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/**
 * When an outcome happened: `completedAt`, else `dueDate` if it is not after `createdAt`, else `createdAt`. Never later than
 * `createdAt`: a date after the report would avoid the decay. docs/FORMULA.md "What goes in".
 */
export function occurredAt(facts: Pick<OutcomeFacts, 'completedAt' | 'dueDate' | 'createdAt'>): Date {
  const at = facts.completedAt ?? facts.dueDate ?? facts.createdAt;
  return at.getTime() <= facts.createdAt.getTime() ? at : facts.createdAt;
}

/**
 * The tally of an event. `on_time` and `late` need both dates. An event without one of them is `untimed`: it can count as
 * completed, never as completed on time. (The formula reads timeliness of positive outcomes only.)
 */
export function tallyKeyOf(facts: OutcomeFacts): TallyKey {
  const { eventType, stakeLevel, platformTier, isVerified } = facts;
  return {
    day: dayOf(occurredAt(facts)),
    platformTier,
    eventType,
    stakeLevel,
    isVerified,
    timeliness: timelinessOf(facts),
  };
}

function timelinessOf({ completedAt, dueDate }: OutcomeFacts): Timeliness {
  if (!completedAt || !dueDate) return 'untimed';
  return completedAt.getTime() <= dueDate.getTime() ? 'on_time' : 'late';
}

/**
 * Folds events, in any order, into sorted tallies. Omits qualifications and projects, which count in no total, and each contested
 * event that another event of the same call names in `closesEventId`: a contested event counts until its dispute has ended.
 */
export function foldTallies(facts: Iterable<LedgerFacts>): Tally[] {
  const tallies: Tally[] = [];
  const contested: LedgerFacts[] = [];
  const closed = new Set<string>();
  for (const event of facts) {
    if (event.closesEventId) closed.add(event.closesEventId);
    if (outcomeClassOf(event.eventType) === 'contested') contested.push(event);
    else if (eventKindOf(event.eventType) === 'outcome') tallies.push(single(event));
  }
  for (const event of contested) {
    if (event.id === undefined || !closed.has(event.id)) tallies.push(single(event));
  }
  return mergeTallies(tallies);
}

function single(facts: OutcomeFacts): Tally {
  return { ...tallyKeyOf(facts), count: 1 };
}

/**
 * Adds up tallies with the same key (integer addition), drops sums of 0 and sorts by key. A negative count removes events, for example
 * when a dispute has ended. The arguments are not changed.
 */
export function mergeTallies(...lists: readonly (readonly Tally[])[]): Tally[] {
  const entries = lists.flat().map((tally) => ({ key: sortKey(tally), tally }));
  entries.sort((a, b) => a.key - b.key);
  const merged: Tally[] = [];
  let key: number | undefined;
  for (const entry of entries) {
    const last = merged.at(-1);
    if (last && entry.key === key) last.count += entry.tally.count;
    else merged.push({ ...entry.tally });
    key = entry.key;
  }
  return merged.filter((tally) => tally.count !== 0);
}

/** Returns the same list if it is sorted, without duplicates and zeros (the usual case: no allocation), else its merge. */
export function canonical(tallies: readonly Tally[]): readonly Tally[] {
  let previous = Number.NEGATIVE_INFINITY;
  for (const tally of tallies) {
    const key = sortKey(tally);
    if (key <= previous || tally.count === 0) return mergeTallies(tallies);
    previous = key;
  }
  return tallies;
}

const timelinessBits = 2;
const verifiedBits = 1;
const stakeBits = 2;
const typeBits = 5;
const codeRange = 2 ** 13;

// Keys are ordered by day, platform tier, event type, stake, verified (false first) and timeliness, each in its listed order.
function sortKey(key: TallyKey): number {
  return key.day * codeRange + tallyCodeOf(key);
}

/**
 * A tally key without its day as one integer from 0 to 8191. Each bit field has room to grow, so a stored code keeps its meaning when
 * a value is appended to an enumeration.
 */
export function tallyCodeOf(key: Omit<TallyKey, 'day'>): number {
  let code = tierIndex[key.platformTier];
  code = (code << typeBits) | typeIndex[key.eventType];
  code = (code << stakeBits) | stakeIndex[key.stakeLevel];
  code = (code << verifiedBits) | (key.isVerified ? 1 : 0);
  return (code << timelinessBits) | timelinessIndex[key.timeliness];
}

/** The key of a tally code. Throws RangeError for an unknown code. */
export function tallyKeyFromCode(day: Day, code: number): TallyKey {
  let rest = code;
  const take = (bits: number) => {
    const field = rest & (2 ** bits - 1);
    rest >>= bits;
    return field;
  };
  const timeliness = timelinessValues[take(timelinessBits)];
  const isVerified = take(verifiedBits) === 1;
  const stakeLevel = stakeLevels[take(stakeBits)];
  const eventType = eventTypes[take(typeBits)];
  const platformTier = platformTiers[rest];
  if (!timeliness || !stakeLevel || !eventType || !platformTier)
    throw new RangeError(`Unknown tally code: ${code}`);
  return { day, platformTier, eventType, stakeLevel, isVerified, timeliness };
}

const tierIndex = positions(platformTiers);
const typeIndex = positions(eventTypes);
const stakeIndex = positions(stakeLevels);
const timelinessIndex = positions(timelinessValues);

function positions<T extends string>(values: readonly T[]): Record<T, number> {
  return Object.fromEntries(values.map((value, index) => [value, index])) as Record<T, number>;
}
