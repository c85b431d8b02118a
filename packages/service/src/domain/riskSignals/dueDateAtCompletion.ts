import { outcomeClassOf } from '@reliability/scoring';
import { HOUR_MS } from '../timestamp.js';
import {
  countBy,
  type Detector,
  isDayAlone,
  mostOf,
  type RiskEvent,
  severityOf,
  share,
} from './riskFacts.js';

const MIN_ALIKE = 5;
/** Beyond it a regular margin is how some trades promise. */
const MAX_MARGIN_MS = HOUR_MS;

/**
 * DUE_DATE_AT_COMPLETION: five or more positive outcomes, and half of those with both dates, whose
 * due date lies the same time after their completion, to the second, and at most an hour. Such due
 * dates were set by the completion, so they measure nothing. Dates without a time are left out.
 */
export const dueDateAtCompletion: Detector = ({ events }) => {
  const margins = events.flatMap((event) => marginOf(event) ?? []);
  const most = mostOf(
    countBy(margins, (ms) => (ms >= 0 && ms <= MAX_MARGIN_MS ? String(Math.round(ms / 1000)) : null)),
  );
  if (!most || most.count < MIN_ALIKE) return null;
  const alike = share(most.count, margins.length);
  const severity = severityOf(alike, { low: 0.5, elevated: most.count >= 10 ? 0.9 : 2 });
  if (!severity) return null;
  return {
    severity,
    evidence: {
      marginSeconds: Number(most.key),
      dueDatesAlike: most.count,
      timedOutcomes: margins.length,
      shareAlike: alike,
    },
  };
};

/** Milliseconds from completion to due date of a positive outcome. */
function marginOf({ eventType, dueDate, completedAt }: RiskEvent): number | null {
  if (outcomeClassOf(eventType) !== 'positive' || !dueDate || !completedAt) return null;
  return isDayAlone(dueDate) && isDayAlone(completedAt) ? null : dueDate.getTime() - completedAt.getTime();
}
