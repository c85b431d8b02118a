import { occurredAt, outcomeClassOf } from '@reliability/scoring';
import { DAY_MS, HOUR_MS } from '../timestamp.js';
import {
  countBy,
  findingOf,
  isDayAlone,
  isPositive,
  momentOf,
  mostOf,
  NEVER,
  type RiskEvent,
  type Signal,
  share,
  totalOf,
} from './riskFacts.js';

/* Signals of what the reports of a subject say. */

/** Two equal events may be a mistake or a coincidence. */
const MIN_ALIKE = 3;
const MIN_REPEATED = 5;

export const identicalOutcomes: Signal = ({ events }) => {
  const counts = countBy(events, fingerprintOf);
  const comparable = totalOf(counts);
  const alike = [...counts.values()].filter((count) => count >= MIN_ALIKE);
  const repeated = alike.reduce((sum, count) => sum + count, 0);
  if (repeated < MIN_REPEATED) return null;
  const identicalShare = share(repeated, comparable);
  return findingOf(
    identicalShare,
    { low: 0.2, elevated: 0.5, high: repeated >= 10 ? 0.8 : NEVER },
    {
      identicalEvents: repeated,
      kinds: alike.length,
      largestKind: Math.max(...alike),
      comparableEvents: comparable,
      identicalShare,
    },
  );
};

/** Events with few fields are often equal, so one needs two of value, due date and completion date. */
function fingerprintOf(event: RiskEvent): string | null {
  const { eventType, stakeLevel, transactionValue, dueDate, completedAt, attester } = event;
  const fields = [transactionValue, dueDate?.getTime() ?? null, completedAt?.getTime() ?? null];
  if (fields.filter((field) => field !== null).length < 2) return null;
  return [eventType, stakeLevel, ...fields, attester].join(' ');
}

const MIN_SHARE_AT_ONCE = 0.1;

export const bulkSameInstant: Signal = ({ events }) => {
  const most = mostOf(countBy(events, (event) => momentOf(event)?.toString() ?? null));
  if (!most || most.count < MIN_SHARE_AT_ONCE * events.length) return null;
  return findingOf(
    most.count,
    { low: 5, elevated: 20, high: 100 },
    {
      at: new Date(Number(most.key)).toISOString(),
      eventsAtOnce: most.count,
      shareOfEvents: share(most.count, events.length),
    },
  );
};

/** Later reports are not usual. */
const USUAL_DELAY_DAYS = 30;
/** The half-life of the formula: by then half of the weight is gone. */
const HALF_LIFE_DAYS = 180;

export const backdatedAdverse: Signal = ({ events }) => {
  const adverse = events.filter(
    ({ imported, eventType }) => !imported && ['breach', 'contested'].includes(outcomeClassOf(eventType)),
  );
  const delays = adverse
    .map((event) => (event.createdAt.getTime() - occurredAt(event).getTime()) / DAY_MS)
    .filter((days) => days > USUAL_DELAY_DAYS);
  if (delays.length === 0) return null;
  return findingOf(
    delays.filter((days) => days > HALF_LIFE_DAYS).length,
    { low: 0, elevated: 1, high: 3 },
    {
      backdatedOutcomes: delays.length,
      adverseOutcomes: adverse.length,
      longestDelayDays: Math.floor(Math.max(...delays)),
    },
  );
};

/** Beyond it a regular margin is how some trades promise. */
const MAX_MARGIN_MS = HOUR_MS;
const MIN_SAME_MARGIN = 5;

export const dueDateAtCompletion: Signal = ({ events }) => {
  const margins = events.flatMap((event) => marginOf(event) ?? []);
  const most = mostOf(
    countBy(margins, (ms) => (ms >= 0 && ms <= MAX_MARGIN_MS ? String(Math.round(ms / 1000)) : null)),
  );
  if (!most || most.count < MIN_SAME_MARGIN) return null;
  const shareAlike = share(most.count, margins.length);
  return findingOf(
    shareAlike,
    { low: 0.5, elevated: most.count >= 10 ? 0.9 : NEVER },
    {
      marginSeconds: Number(most.key),
      dueDatesAlike: most.count,
      timedOutcomes: margins.length,
      shareAlike,
    },
  );
};

/** Milliseconds from completion to due date of a positive outcome. */
function marginOf(event: RiskEvent): number | null {
  const { dueDate, completedAt } = event;
  if (!isPositive(event) || !dueDate || !completedAt) return null;
  return isDayAlone(dueDate) && isDayAlone(completedAt) ? null : dueDate.getTime() - completedAt.getTime();
}
