import { outcomeClassOf } from '@reliability/scoring';
import { type Detector, momentOf, severityOf, share } from './riskFacts.js';

const WINDOW_MINUTES = 10;
const WINDOW_MS = WINDOW_MINUTES * 60_000;
const MIN_SHARE = 0.1;
/** As for the velocity guard (RULES S17): agents and organizations do many things at a time. */
const TIMES_FOR_OTHERS = 20;

/**
 * POSITIVES_WITHIN_MINUTES: five or more positive outcomes, and a tenth of all events, that
 * happened within ten minutes. Nobody finishes five jobs so fast. For agents and organizations
 * twenty times as many. Imports are left out, as by the velocity guard.
 */
export const positivesWithinMinutes: Detector = ({ events, subjectType }) => {
  const times = events
    .filter(({ eventType, imported }) => !imported && outcomeClassOf(eventType) === 'positive')
    .flatMap((event) => momentOf(event) ?? [])
    .sort((left, right) => left - right);
  let most = { count: 0, from: 0 };
  let start = 0;
  for (const [end, ms] of times.entries()) {
    while (ms - (times[start] ?? ms) > WINDOW_MS) start += 1;
    if (end - start + 1 > most.count) most = { count: end - start + 1, from: times[start] ?? ms };
  }
  const factor = subjectType === 'PERSON' ? 1 : TIMES_FOR_OTHERS;
  const severity = severityOf(most.count, { low: 5 * factor, elevated: 20 * factor, high: 100 * factor });
  if (!severity || most.count < MIN_SHARE * events.length) return null;
  return {
    severity,
    evidence: {
      from: new Date(most.from).toISOString(),
      positivesTogether: most.count,
      minutes: WINDOW_MINUTES,
      shareOfEvents: share(most.count, events.length),
    },
  };
};
