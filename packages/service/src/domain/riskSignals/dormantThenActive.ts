import { DAY_MS } from '../timestamp.js';
import { type Detector, happenedAt, severityOf } from './riskFacts.js';

const DORMANT_DAYS = 180;
const BUSY_DAYS = 30;
/** A return that lies further back is no news. */
const RECENT_DAYS = 365;

/**
 * DORMANT_THEN_ACTIVE: at least 180 days without an outcome, and then ten or more within 30 days.
 * The latest such return within a year, by when outcomes happened: history that is reported late
 * fills the silence it tells of.
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
