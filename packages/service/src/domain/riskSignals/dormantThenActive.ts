import { DAY_MS } from '../timestamp.js';
import { type Detector, happenedAt, severityOf } from './riskFacts.js';

const DORMANT_DAYS = 180;
const BUSY_DAYS = 30;
/** Older returns are not reported. */
const RECENT_DAYS = 365;

/**
 * DORMANT_THEN_ACTIVE: at least 180 days without an outcome, then ten or more within 30 days.
 * Reports the latest such return within a year. Uses the time of outcomes, not of reports, so
 * history that is reported late fills the gap.
 */
export const dormantThenActive: Detector = ({ events, now }) => {
  const times = events
    .flatMap((event) => happenedAt(event)?.getTime() ?? [])
    .sort((left, right) => left - right);
  const earliest = now.getTime() - RECENT_DAYS * DAY_MS;
  for (let index = times.length - 1; index > 0; index -= 1) {
    const before = times[index - 1] ?? 0;
    const back = times[index] ?? 0;
    if (back < earliest) return null;
    if (back - before < DORMANT_DAYS * DAY_MS) continue;
    const since = times.slice(index).filter((time) => time < back + BUSY_DAYS * DAY_MS).length;
    const severity = severityOf(since, { low: 10, elevated: 30, high: 100 });
    if (!severity) continue;
    return {
      severity,
      evidence: {
        dormantDays: Math.floor((back - before) / DAY_MS),
        activeAgainAt: new Date(back).toISOString(),
        eventsIn30Days: since,
        eventsBefore: index,
      },
    };
  }
  return null;
};
