import { isDatabaseUnavailable } from '../../../kit/db/database.js';
import { createHealthCheck, type HealthParts, overallStatus } from './checkHealth.js';
import { deleteSamplesBefore, insertSample } from './store.js';

interface SamplerParts extends HealthParts {
  log: { warn(details: object, message: string): void };
}

const MINUTE_MS = 60_000;
/** Twice a minute, so that no minute is left out when a timer comes a little late. */
const EVERY_MS = MINUTE_MS / 2;
const KEPT_MS = 8 * 24 * 60 * MINUTE_MS;

/**
 * Keeps a sample a minute of whether the service is well: the history of /status.json. A minute in which the database is
 * away leaves no sample and so counts as down. The first sample waits for the workers to have started.
 * @returns stop, which resolves when no sample is under way any more.
 */
export function startStatusSampler(parts: SamplerParts): () => Promise<void> {
  let underWay: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    underWay = underWay.then(() => takeSample(parts));
  }, EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return underWay;
  };
}

/** One sample, and the removal of those that no window reaches back to. */
export async function takeSample(parts: SamplerParts): Promise<void> {
  const nowMs = parts.clock.now().getTime();
  const minute = new Date(nowMs - (nowMs % MINUTE_MS));
  try {
    const checks = await createHealthCheck(parts)();
    if (checks.database.status !== 'ok') return;
    await insertSample(parts.db, minute, overallStatus(checks) === 'operational');
    await deleteSamplesBefore(parts.db, new Date(nowMs - KEPT_MS));
  } catch (error) {
    if (!isDatabaseUnavailable(error)) parts.log.warn({ err: error }, 'a status sample could not be kept');
  }
}
