import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../kit/db/database.js';
import { createWakeSignal } from '../kit/db/wakeSignal.js';

/** Wakes dispatchers and streams after envelopes were written or deliveries queued. */
export interface OutboxSignal {
  /** Call after the commit. */
  written(): void;
  /** Calls `wake` after each write of any process. Returns a function that unsubscribes. */
  onWritten(wake: () => void): () => void;
  /** Listens to other processes. Resolves to a function that stops listening. */
  listen(): Promise<() => Promise<void>>;
}

export function createOutboxSignal(db: Database, log: FastifyBaseLogger): OutboxSignal {
  const signal = createWakeSignal(db, 'outbox', log);
  return { written: signal.raise, onWritten: signal.onRaised, listen: signal.listen };
}
