import type { FastifyBaseLogger } from 'fastify';
import { type Database, isDatabaseUnavailable } from './database.js';

/** Signals to other processes within this are one: a notification wakes, it carries nothing. */
const BATCH_MS = 5;

/** Wakes the other processes that listen to a channel. They poll as well, so a lost notification costs a moment. */
export function createNotifier(db: Database, channel: string, log: FastifyBaseLogger): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      db.notify(channel).catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) log.warn({ err: error, channel }, 'waking other processes failed');
      });
    }, BATCH_MS).unref();
  };
}
