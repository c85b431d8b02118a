import { isDatabaseUnavailable } from '#kit/db/database.js';
import { createHealthCheck, type HealthDeps, overallStatus } from './checkHealth.js';
import { deleteSamplesBefore, insertSample } from './store.js';

interface SamplerDeps extends HealthDeps {
  log: { warn(details: object, message: string): void };
}

const MINUTE_MS = 60_000;
/** Twice a minute, so that a late timer does not skip a minute. */
const EVERY_MS = MINUTE_MS / 2;
const RETENTION_MS = 8 * 24 * 60 * MINUTE_MS;

/**
 * Stores one health sample per minute: the history of /status.json. A minute in which the database
 * is unavailable has no sample and counts as down. The first sample is delayed so that the workers
 * have started.
 * @returns stop, which resolves when no sample is in progress.
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

/** Takes one sample and deletes those older than the longest window. */
export async function takeSample(deps: SamplerDeps): Promise<void> {
  const nowMs = deps.clock.now().getTime();
  const minute = new Date(nowMs - (nowMs % MINUTE_MS));
  try {
    const checks = await createHealthCheck(deps)();
    if (checks.database.status !== 'ok') return;
    await insertSample(deps.db, minute, overallStatus(checks) === 'operational');
    await deleteSamplesBefore(deps.db, new Date(nowMs - RETENTION_MS));
  } catch (error) {
    if (!isDatabaseUnavailable(error)) deps.log.warn({ err: error }, 'a status sample could not be stored');
  }
}
