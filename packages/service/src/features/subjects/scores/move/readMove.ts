import {
  attributeMove,
  type Day,
  dayOf,
  isoFromDay,
  mergeTallies,
  model,
  outcomeClassOf,
  type ReplayEntry,
  type ScoreBand,
  score,
  scoreBandOf,
  type Tally,
  type Timeliness,
} from '@reliability/scoring';
import { fail } from '#domain/errors.js';
import { type LanguageTag, recordWords } from '#domain/languages.js';
import { pointsBetween } from '#domain/points.js';
import { type CoursePoint, courseOf, firstDayOf, TREND_DAYS } from '#domain/scoreCourse.js';
import type { Queryable } from '#kit/db/database.js';
import { groupBy } from '#kit/lists.js';
import { findFrozenScore } from '#ledger/reads/publishedScores.js';
import { readMemberEntries } from '#ledger/reads/recordEntries.js';
import { talliesAt } from '#ledger/reads/talliesAt.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../../serviceDeps.js';
import { assertInOrder } from '../readCourse.js';
import { listedOf, type Outcomes, type Part, partsOf, shareOfOutcome } from './parts.js';
import { MAX_LISTED, type Move, type MoveQuery } from './schemas.js';
import { sentenceOf } from './sentence.js';
import { type AlikeOutcomes, findAlikeOutcomes, findNamedOutcomes, type OwnRange } from './store.js';

type Frozen = Awaited<ReturnType<typeof findFrozenScore>>;

interface Span {
  readonly from: Day;
  readonly to: Day;
}

/** The score of a record without an outcome, from which projections start as well. */
const BLANK = { finalScore: model.anchor, scoreBand: scoreBandOf(model.anchor) };

/**
 * GET /users/{id}/score/change: what moved a score between the ends of two days, by outcome. Throws USER_NOT_FOUND for
 * an unknown subject, and where no outcome had happened by the last day.
 */
export async function explainMove(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  context: UserContext<MoveQuery>,
  language: LanguageTag,
): Promise<Move> {
  const today = dayOf(clock.now());
  assertInOrder(context.query, today);
  const subjectId = subjectOf(context);
  const [members, frozen] = await Promise.all([
    readMemberEntries(db, subjectId),
    findFrozenScore(db, subjectId),
  ]);
  if (!members) return fail('USER_NOT_FOUND');
  const entries = [...members.values()].flat();
  const { from, to } = spanOf(context.query, entries, frozen, today);
  if ((firstDayOf(entries) ?? Infinity) > to) {
    const message = `No outcome of this subject had happened by ${isoFromDay(to)}.`;
    return fail('USER_NOT_FOUND', { message });
  }
  const last = frozen?.asOf ?? today;
  const days = { subjectId, after: Math.min(from, last), upTo: Math.min(to, last) };
  const held = days.upTo === frozen?.asOf ? frozen : null;
  const counted = held ? await loadHeld(db, days, held.positions) : await loadCounted(db, days, members);
  const { before, outcomes } = counted;
  const start = score(mergeTallies(before), days.after);
  const end = score(mergeTallies(before, ...outcomes.map(({ tallies }) => tallies)), days.upTo) ?? BLANK;
  const published = held && (from >= last ? held : scoreOn(entries, from));
  const ends = {
    baseline: (held ? published : start) ? ('record' as const) : ('blank' as const),
    from: stateOf(from, (held ? published : start) ?? BLANK),
    to: stateOf(to, held ?? end),
  };
  const delta = pointsBetween(ends.from.finalScore, ends.to.finalScore);
  const { rules, ...points } = attributeMove(before, outcomes, days.after, days.upTo);
  // A freeze holds a score whatever is reported meanwhile: where that makes a difference, it is one of the rules.
  const withheld = delta - pointsBetween((start ?? BLANK).finalScore, end.finalScore);
  const parts = partsOf(outcomes, { ...points, rules: rules + withheld }, Math.round(delta * 100));
  const move = {
    userId: context.params.id,
    ...ends,
    delta,
    parts: await listParts(db, counted.range, parts),
  };
  return { ...move, sentence: sentenceOf(move, { isLatest: to >= last, today }, recordWords[language]) };
}

function scoreOn(entries: readonly ReplayEntry[], day: Day) {
  return score(mergeTallies(entriesUntil(entries, day)), day);
}

function stateOf(day: Day, { finalScore, scoreBand }: { finalScore: number; scoreBand: ScoreBand }) {
  return { day: isoFromDay(day), finalScore, scoreBand };
}

function entriesUntil(entries: readonly ReplayEntry[], day: Day): ReplayEntry[] {
  return entries.filter(({ entersOn }) => entersOn <= day);
}

/** One end alone is 90 days from the other, or ends today. */
function spanOf({ from, to }: MoveQuery, entries: readonly ReplayEntry[], frozen: Frozen, today: Day): Span {
  const last = Math.min(to ?? today, today);
  if (from !== undefined || to !== undefined) return { from: from ?? last - TREND_DAYS, to: last };
  const first = Math.max(firstDayOf(entries) ?? today, today - TREND_DAYS);
  const { points } = courseOf(entries, { from: first, to: today, step: 'day' }, Infinity, frozen);
  return largestMove(points) ?? { from: (points[0]?.day ?? today) - 1, to: points[0]?.day ?? today };
}

/** The two days between which the score differs most; of equal moves the latest, and the shortest of those. Null for one day. */
export function largestMove(points: readonly CoursePoint[]): Span | null {
  let [lowest] = points;
  let highest = lowest;
  let largest: (Span & { size: number }) | null = null;
  for (const point of points.slice(1)) {
    for (const start of [lowest, highest]) {
      const size = Math.abs(pointsBetween(start?.finalScore ?? 0, point.finalScore));
      if (start && (!largest || size >= largest.size)) largest = { from: start.day, to: point.day, size };
    }
    if (lowest && point.finalScore <= lowest.finalScore) lowest = point;
    if (highest && point.finalScore >= highest.finalScore) highest = point;
  }
  return largest;
}

/** What counts at the end of the first day, and what entered until the end of the last. */
interface Counted {
  readonly range: OwnRange;
  readonly before: readonly Tally[];
  readonly outcomes: readonly Outcomes[];
}

const LAST_POSITION = 2 ** 31 - 1;

async function loadCounted(
  db: Queryable,
  days: Omit<OwnRange, 'position'>,
  members: ReadonlyMap<string, readonly ReplayEntry[]>,
): Promise<Counted> {
  const { subjectId, after, upTo } = days;
  const range = { ...days, position: LAST_POSITION };
  const own = await findAlikeOutcomes(db, range);
  const others = [...members].flatMap(([id, entries]) => (id === subjectId ? [] : entries));
  const entered = others.filter(({ entersOn }) => entersOn > after && entersOn <= upTo);
  const before = [...members.values()].flatMap((entries) => entriesUntil(entries, after));
  return {
    range,
    before,
    outcomes: [...elsewhere(entered), ...own.map((alike) => ownOutcomes(alike, range))],
  };
}

/** What a frozen score counts, so that its explanation does not reveal what the freeze withholds. */
async function loadHeld(
  db: Queryable,
  days: Omit<OwnRange, 'position'>,
  positions: Readonly<Record<string, number>>,
): Promise<Counted> {
  const { subjectId, after } = days;
  const range = { ...days, position: positions[subjectId] ?? 0 };
  const [members, own] = await Promise.all([talliesAt(db, positions), findAlikeOutcomes(db, range)]);
  const tallies = [...members.values()].flat();
  const others = [...members].flatMap(([id, counted]) => (id === subjectId ? [] : counted));
  const outcomes = own.map((alike) => ownOutcomes(alike, range));
  const reopened = outcomes
    .flatMap((entry) => entry.tallies)
    .filter(({ count, day }) => count < 0 && day <= after)
    .map((tally) => ({ ...tally, count: -tally.count }));
  return {
    range,
    before: [...tallies.filter(({ day }) => day <= after), ...reopened],
    outcomes: [
      ...elsewhere(
        others.filter(({ day }) => day > after).map((tally) => ({ ...tally, entersOn: tally.day })),
      ),
      ...outcomes,
    ],
  };
}

/** One step for each day: of another platform's outcomes nothing is shown but what all of them did together. */
function elsewhere(entries: readonly ReplayEntry[]): Outcomes[] {
  const scored = entries.filter(({ eventType }) => outcomeClassOf(eventType) !== 'none');
  return [...groupBy(scored, ({ entersOn }) => entersOn)].map(([entersOn, tallies]) => ({
    own: null,
    entersOn,
    tallies,
    count: tallies.reduce((sum, { count }) => sum + Math.max(0, count), 0),
  }));
}

function ownOutcomes(alike: AlikeOutcomes, { after, upTo }: OwnRange): Outcomes {
  const { eventType, stakeLevel, isVerified, platformTier, onTime, count, day } = alike;
  const { closedDay, closedType, closedTier, closedOnTime } = alike;
  const common = { stakeLevel, isVerified } as const;
  const tallies: Tally[] = [];
  if (day > after)
    tallies.push({ ...common, day, eventType, platformTier, timeliness: timelinessOf(onTime), count });
  const leavesOn = Math.max(day, closedDay ?? day);
  if (closedDay !== null && closedType && closedTier && leavesOn <= upTo) {
    // The engine's event copies stake and verification of what it closes.
    const closed = { ...common, day: closedDay, eventType: closedType, platformTier: closedTier };
    tallies.push({ ...closed, timeliness: timelinessOf(closedOnTime), count: -count });
  }
  const isDelivery = outcomeClassOf(eventType) === 'positive' && eventType !== 'DISPUTE_RESOLVED_FOR_USER';
  const only = !isDelivery ? undefined : onTime === false ? 'late' : isVerified ? undefined : 'unconfirmed';
  return { own: { alike, only }, entersOn: Math.min(leavesOn, upTo), tallies, count };
}

function timelinessOf(onTime: boolean | null): Timeliness {
  if (onTime === null) return 'untimed';
  return onTime ? 'on_time' : 'late';
}

async function listParts(db: Queryable, range: OwnRange, parts: readonly Part[]): Promise<Move['parts']> {
  const listed = new Map(parts.flatMap((part) => [...listedOf(part, MAX_LISTED)]));
  const kinds = [...listed.keys()];
  const rows = kinds.length === 0 ? [] : await findNamedOutcomes(db, range, kinds, MAX_LISTED);
  const named = groupBy(rows, ({ kind }) => kinds[kind]);
  return parts.map((part) => {
    const outcomes = part.outcomes.flatMap((entry) => {
      const alike = entry.own?.alike;
      const first = (alike && named.get(alike)?.slice(0, listed.get(alike))) ?? [];
      return first.map(({ eventId, at, confirmedBy }, index) => ({
        ...{ eventId, at, confirmedBy },
        hundredths: shareOfOutcome(entry, index),
      }));
    });
    const rest = part.hundredths - outcomes.reduce((sum, { hundredths }) => sum + hundredths, 0);
    const hasRest = part.kind === 'outcomes' && (outcomes.length < part.count || rest !== 0);
    const own = part.outcomes[0]?.own;
    return {
      kind: part.kind,
      ...(own && { eventType: own.alike.eventType, ...(own.only && { only: own.only }) }),
      count: part.count,
      points: part.hundredths / 100,
      outcomes: [
        ...outcomes.map(({ hundredths, ...outcome }) => ({ ...outcome, points: hundredths / 100 })),
        ...(hasRest ? [{ eventId: null, at: null, confirmedBy: null, points: rest / 100 }] : []),
      ],
    };
  });
}
