import type { PostgresListener } from './postgresListener.js';

interface Registration {
  channel: string;
  onNotify: (payload: string) => void;
  ends: Promise<() => Promise<void>>[];
}

/**
 * Hears the notifications of several servers: with Citus, a transaction notifies on the node that it
 * runs on. Nodes are added when they are first used.
 */
export class NodeListeners {
  readonly #listeners: PostgresListener[] = [];
  readonly #registrations = new Set<Registration>();

  add(listener: PostgresListener): void {
    this.#listeners.push(listener);
    for (const registration of this.#registrations) join(listener, registration);
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    const registration: Registration = { channel, onNotify, ends: [] };
    this.#registrations.add(registration);
    for (const listener of this.#listeners) join(listener, registration);
    await Promise.all(registration.ends);
    return async () => {
      this.#registrations.delete(registration);
      for (const end of await Promise.all(registration.ends)) await end();
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#listeners.map((listener) => listener.close()));
  }
}

function join(listener: PostgresListener, { channel, onNotify, ends }: Registration): void {
  ends.push(listener.listen(channel, onNotify));
}
