import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../kit/db/database.js';
import { createWakeSignal } from '../kit/db/wakeSignal.js';

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
  const signal = createWakeSignal(db, 'outbox', log);
  return { written: signal.raise, onWritten: signal.onRaised, listen: signal.listen };
}
