import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../kit/db/database.js';
import { createNotifier } from '../notifier.js';

const CHANNEL = 'outbox';

/** Envelopes were written, or deliveries queued: whoever passes them on looks at once rather than at its next poll. */
export interface OutboxSignal {
  /** To be called after the commit. */
  written(): void;
  /** Calls `wake` whenever this process or another one has written. Returns what ends that. */
  onWritten(wake: () => void): () => void;
  /** Listens to other processes. Resolves to what ends that. */
  listen(): Promise<() => Promise<void>>;
}

export function createOutboxSignal(db: Database, log: FastifyBaseLogger): OutboxSignal {
  const wakes = new Set<() => void>();
  const wakeAll = (): void => {
    for (const wake of wakes) wake();
  };
  // The embedded database has no other processes.
  const notifyOthers = db.engine === 'postgresql' ? createNotifier(db, CHANNEL, log) : () => {};
  return {
    written() {
      wakeAll();
      notifyOthers();
    },
    onWritten(wake) {
      wakes.add(wake);
      return () => wakes.delete(wake);
    },
    listen: () => db.listen(CHANNEL, wakeAll),
  };
}
