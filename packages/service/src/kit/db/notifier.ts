import { type Database, isDatabaseUnavailable } from './database.js';
import type { DatabaseLog } from './types.js';

/** Signals within this time are sent as one notification, since it carries no data. */
const BATCH_MS = 5;

/**
 * Wakes the other processes that listen to a channel. They also poll, so a lost notification costs
 * only a moment.
 */
export function createNotifier(
  db: Database,
  channel: string,
  log: Pick<DatabaseLog, 'warn'>,
  sender?: string,
): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      db.notify(channel, sender).catch((error: unknown) => {
        if (!isDatabaseUnavailable(error))
          log.warn({ err: error, channel }, 'could not notify other processes');
      });
    }, BATCH_MS).unref();
  };
}
