import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../kit/db/database.js';
import { createWakeSignal } from '../kit/db/wakeSignal.js';

/** Wakes dispatchers and streams after envelopes were written or deliveries queued. */
export interface OutboxSignal {
  /**
   * Call after the commit.
   * @param isQueued false: nobody subscribes to these envelopes, so dispatchers have nothing to do.
   */
  written(isQueued?: boolean): void;
  /** Calls `wake` after each write of any process. Returns a function that unsubscribes. */
  onWritten(wake: () => void): () => void;
  /** The same after the writes that queued deliveries. */
  onQueued(wake: () => void): () => void;
  /** Listens to other processes. Resolves to a function that stops listening. */
  listen(): Promise<() => Promise<void>>;
}

export function createOutboxSignal(db: Database, log: FastifyBaseLogger): OutboxSignal {
  const envelopes = createWakeSignal(db, 'outbox', log);
  const deliveries = createWakeSignal(db, 'deliveries', log);
  return {
    written: (isQueued = true) => (isQueued ? deliveries : envelopes).raise(),
    onWritten: (wake) => bothOf(envelopes.onRaised(wake), deliveries.onRaised(wake)),
    onQueued: deliveries.onRaised,
    async listen() {
      const [stopEnvelopes, stopDeliveries] = [await envelopes.listen(), await deliveries.listen()];
      return async () => {
        await Promise.all([stopEnvelopes(), stopDeliveries()]);
      };
    },
  };
}

function bothOf(first: () => void, second: () => void): () => void {
  return () => {
    first();
    second();
  };
}
