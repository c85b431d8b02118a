import { randomUUID } from 'node:crypto';
import type { Database } from './database.js';
import { createNotifier } from './notifier.js';
import type { DatabaseLog } from './types.js';

/** Wakes a worker at once instead of at its next poll. A signal carries no data and may be lost. */
export interface WakeSignal {
  /** Call it after the commit. */
  raise(): void;
  /**
   * Calls `wake` when this or another process raises the signal. Returns a function that
   * unsubscribes.
   */
  onRaised(wake: () => void): () => void;
  /** Listens to other processes. Resolves to a function that stops it. */
  listen(): Promise<() => Promise<void>>;
}

/** @param channel as for `Database.listen`; one signal per channel and process. */
export function createWakeSignal(db: Database, channel: string, log: Pick<DatabaseLog, 'warn'>): WakeSignal {
  const wakes = new Set<() => void>();
  const wakeAll = (): void => {
    for (const wake of wakes) wake();
  };
  const sender = randomUUID();
  // The embedded database has no other processes.
  const notifyOthers = db.engine === 'postgresql' ? createNotifier(db, channel, log, sender) : () => {};
  return {
    raise() {
      wakeAll();
      notifyOthers();
    },
    onRaised(wake) {
      wakes.add(wake);
      return () => wakes.delete(wake);
    },
    // Its own notifications come back to this process, which has looked already.
    listen: () => db.listen(channel, (from) => from !== sender && wakeAll()),
  };
}
