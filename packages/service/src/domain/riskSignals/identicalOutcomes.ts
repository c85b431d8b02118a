import { countBy, type Detector, type RiskEvent, severityOf, share } from './riskFacts.js';

/** Two equal events may be a mistake or a coincidence. */
const MIN_ALIKE = 3;
const MIN_REPEATED = 5;

/**
 * IDENTICAL_OUTCOMES: three or more events with equal type, stake, value, dates and attester.
 * Events with few fields are often equal, so an event needs two of value, due date and completion
 * date.
 */
export const identicalOutcomes: Detector = ({ events }) => {
  const counts = countBy(events, fingerprintOf);
  const comparable = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const alike = [...counts.values()].filter((count) => count >= MIN_ALIKE);
  const repeated = alike.reduce((sum, count) => sum + count, 0);
  if (repeated < MIN_REPEATED) return null;
  const repeatedShare = share(repeated, comparable);
  const severity = severityOf(repeatedShare, { low: 0.2, elevated: 0.5, high: repeated >= 10 ? 0.8 : 2 });
  if (!severity) return null;
  return {
    severity,
    evidence: {
      identicalEvents: repeated,
      kinds: alike.length,
      largestKind: Math.max(...alike),
      comparableEvents: comparable,
      identicalShare: repeatedShare,
    },
  };
};

function fingerprintOf(event: RiskEvent): string | null {
  const { eventType, stakeLevel, transactionValue, dueDate, completedAt, attester } = event;
  const known = Number(transactionValue !== null) + Number(dueDate !== null) + Number(completedAt !== null);
  if (known < 2) return null;
  return [eventType, stakeLevel, transactionValue, dueDate?.getTime(), completedAt?.getTime(), attester].join(
    ' ',
  );
}
