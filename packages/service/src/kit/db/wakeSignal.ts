import type { FastifyBaseLogger } from 'fastify';
import type { Database } from './database.js';
import { createNotifier } from './notifier.js';

/** Signals work, so that a worker looks at once rather than at its next poll. It carries no data and may get lost. */
export interface WakeSignal {
  /** To be called after the commit. */
  raise(): void;
  /** Calls `wake` whenever this process or another one has raised it. Returns what ends that. */
  onRaised(wake: () => void): () => void;
  /** Listens to other processes. Resolves to what ends that. */
  listen(): Promise<() => Promise<void>>;
}

/** @param channel as `Database.listen` takes it; one signal per channel and process. */
export function createWakeSignal(db: Database, channel: string, log: FastifyBaseLogger): WakeSignal {
  const wakes = new Set<() => void>();
  const wakeAll = (): void => {
    for (const wake of wakes) wake();
  };
  // The embedded database has no other processes.
  const notifyOthers = db.engine === 'postgresql' ? createNotifier(db, channel, log) : () => {};
  return {
    raise() {
      wakeAll();
      notifyOthers();
    },
    onRaised(wake) {
      wakes.add(wake);
      return () => wakes.delete(wake);
    },
    listen: () => db.listen(channel, wakeAll),
  };
}
