import type { Clock } from '../../kit/clock.js';
import { type Database, isDatabaseUnavailable } from '../../kit/db/database.js';
import { deleteSamplesBefore, insertSample } from './store.js';

interface SamplerParts {
  db: Database;
  clock: Clock;
  log: { warn(details: object, message: string): void };
  isHealthy(): Promise<boolean>;
}

const MINUTE_MS = 60_000;
/** Twice a minute, so that no minute is left out when a timer comes a little late. */
const EVERY_MS = MINUTE_MS / 2;
const KEPT_MS = 8 * 24 * 60 * MINUTE_MS;

/**
 * Keeps a sample a minute of whether the service is well: the history of /status.json. A minute in which the database is
 * away leaves no sample and so counts as down.
 * @returns stop, which resolves when no sample is under way any more.
 */
export function startStatusSampler(parts: SamplerParts): () => Promise<void> {
  let underWay: Promise<void> = Promise.resolve();
  const take = () => {
    underWay = underWay.then(() => takeSample(parts));
  };
  take();
  const timer = setInterval(take, EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return underWay;
  };
}

/** One sample, and the removal of those that no window reaches back to. */
export async function takeSample({ db, clock, log, isHealthy }: SamplerParts): Promise<void> {
  const nowMs = clock.now().getTime();
  const minute = new Date(nowMs - (nowMs % MINUTE_MS));
  try {
    await insertSample(db, minute, await isHealthy());
    await deleteSamplesBefore(db, new Date(nowMs - KEPT_MS));
  } catch (error) {
    if (!isDatabaseUnavailable(error)) log.warn({ err: error }, 'a status sample could not be kept');
  }
}
