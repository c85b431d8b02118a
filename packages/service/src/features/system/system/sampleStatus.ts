import { isDatabaseUnavailable } from '../../../kit/db/database.js';
import { createHealthCheck, type HealthDeps, overallStatus } from './checkHealth.js';
import { deleteSamplesBefore, insertSample } from './store.js';

interface SamplerDeps extends HealthDeps {
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
export function startStatusSampler(deps: SamplerDeps): () => Promise<void> {
  let underWay: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    underWay = underWay.then(() => takeSample(deps));
  }, EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return underWay;
  };
}

/** One sample, and the removal of those that no window reaches back to. */
export async function takeSample(deps: SamplerDeps): Promise<void> {
  const nowMs = deps.clock.now().getTime();
  const minute = new Date(nowMs - (nowMs % MINUTE_MS));
  try {
    const checks = await createHealthCheck(deps)();
    if (checks.database.status !== 'ok') return;
    await insertSample(deps.db, minute, overallStatus(checks) === 'operational');
    await deleteSamplesBefore(deps.db, new Date(nowMs - KEPT_MS));
  } catch (error) {
    if (!isDatabaseUnavailable(error)) deps.log.warn({ err: error }, 'a status sample could not be kept');
  }
}
