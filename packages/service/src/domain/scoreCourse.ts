import { type Day, type ReplayEntry, replay, type ScoreBand } from '@reliability/scoring';
import { pointsBetween } from './points.js';
import { DAY_MS } from './timestamp.js';

/** The length of time that a point of a course covers. Weeks end on Sunday, months on their last day. */
export const courseSteps = ['day', 'week', 'month'] as const;
export type CourseStep = (typeof courseSteps)[number];

export interface CoursePoint {
  readonly day: Day;
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  readonly confidence: number;
  readonly outcomes: number;
}

export interface CourseSpan {
  readonly from: Day;
  readonly to: Day;
  readonly step: CourseStep;
}

export interface PublishedScore {
  readonly asOf: Day;
  readonly finalScore: number;
  readonly scoreBand: ScoreBand;
  readonly confidence: number;
}

/** The longest courses in days and in weeks: about a hundred points. */
const MAX_DAYS_BY_DAY = 92;
const MAX_DAYS_BY_WEEK = 731;

export function defaultStepOf(from: Day, to: Day): CourseStep {
  const days = to - from + 1;
  if (days <= MAX_DAYS_BY_DAY) return 'day';
  return days <= MAX_DAYS_BY_WEEK ? 'week' : 'month';
}

/** The first day on which anything enters. Null without entries. */
export function firstDayOf(entries: readonly ReplayEntry[]): Day | null {
  const first = entries.reduce((day, { entersOn }) => Math.min(day, entersOn), Infinity);
  return first === Infinity ? null : first;
}

/**
 * The first steps of a span as their points, at most `limit`. Steps at whose end there is no score have no point.
 * @param end the course ends with this score and its day. A frozen score ends its course, so that the course does not reveal
 * what the freeze withholds.
 * @param heldOn the score that was published on a day of a freeze that has ended.
 */
export function courseOf(
  entries: readonly ReplayEntry[],
  span: CourseSpan,
  limit: number,
  end: PublishedScore | null,
  heldOn: (day: Day) => Omit<PublishedScore, 'asOf'> | undefined = () => undefined,
): { points: CoursePoint[]; next: Day | null } {
  const to = Math.min(span.to, end?.asOf ?? span.to);
  const ends = stepEndsOf({ ...span, to }, limit);
  const scores = replay(entries, ends);
  const outcomes = outcomesOf(entries, span.from, ends);
  const points = ends.flatMap((day, index): CoursePoint[] => {
    const score = day === end?.asOf ? end : (heldOn(day) ?? scores[index]);
    if (!score) return [];
    const { finalScore, scoreBand, confidence } = score;
    return [{ day, finalScore, scoreBand, confidence, outcomes: outcomes[index] ?? 0 }];
  });
  const last = ends.at(-1);
  return { points, next: last === undefined || last >= to ? null : last + 1 };
}

/** Thirty years, the longest course in one piece. */
const MAX_DAYS_IN_WHOLE = 10_957;

/** The course from the first entry to a published score, at most thirty years. */
export function wholeCourseOf(
  entries: readonly ReplayEntry[],
  published: PublishedScore,
): { step: CourseStep; points: CoursePoint[] } {
  const to = published.asOf;
  const from = Math.max(firstDayOf(entries) ?? to, to - MAX_DAYS_IN_WHOLE + 1);
  const step = defaultStepOf(from, to);
  return { step, points: courseOf(entries, { from, to, step }, Infinity, published).points };
}

function stepEndsOf({ from, to, step }: CourseSpan, limit: number): Day[] {
  const ends: Day[] = [];
  for (let start = from; start <= to && ends.length < limit; start = (ends.at(-1) ?? to) + 1) {
    ends.push(Math.min(to, endOf(step, start)));
  }
  return ends;
}

function endOf(step: CourseStep, day: Day): Day {
  if (step === 'day') return day;
  // 1970-01-04 was a Sunday
  if (step === 'week') return day + ((((3 - day) % 7) + 7) % 7);
  const date = new Date(day * DAY_MS);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.getTime() / DAY_MS;
}

/** Additions in each step. Removals do not count. */
function outcomesOf(entries: readonly ReplayEntry[], from: Day, ends: readonly Day[]): number[] {
  const counts = ends.map(() => 0);
  const last = ends.at(-1) ?? from - 1;
  for (const { entersOn, count } of entries) {
    if (count < 0 || entersOn < from || entersOn > last) continue;
    const index = ends.findIndex((end) => entersOn <= end);
    counts[index] = (counts[index] ?? 0) + count;
  }
  return counts;
}

export const TREND_DAYS = 90;

export interface ScoreTrend {
  readonly day: Day;
  /** The score of the outcomes that had happened by then. */
  readonly finalScore: number;
  /** Points from then until the published score. */
  readonly change: number;
}

export function trendOf(
  entries: readonly ReplayEntry[],
  { asOf, finalScore }: Pick<PublishedScore, 'asOf' | 'finalScore'>,
): ScoreTrend | null {
  const day = asOf - TREND_DAYS;
  const [then] = replay(entries, [day]);
  if (!then) return null;
  return { day, finalScore: then.finalScore, change: pointsBetween(then.finalScore, finalScore) };
}
