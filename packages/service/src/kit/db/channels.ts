import type { DatabaseLog } from './types.js';

type OnNotify = (payload: string) => void;

/** The listeners of each channel, independent of the connection. */
export class Channels {
  readonly #listeners = new Map<string, Set<OnNotify>>();
  readonly #log: DatabaseLog;

  constructor(log: DatabaseLog) {
    this.#log = log;
  }

  get names(): string[] {
    return [...this.#listeners.keys()];
  }

  /**
   * Adds a listener; returns the function that removes it and says whether it was the channel's
   * last.
   */
  add(channel: string, onNotify: OnNotify): () => boolean {
    if (!CHANNEL_NAME.test(channel)) throw new TypeError(`not a channel name: ${channel}`);
    const entry: OnNotify = (payload) => onNotify(payload); // a new function, since one function may listen twice
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(entry));
    return () => {
      const isLast = listeners.delete(entry) && listeners.size === 0;
      if (isLast) this.#listeners.delete(channel);
      return isLast;
    };
  }

  dispatch(channel: string, payload: string): void {
    for (const onNotify of [...(this.#listeners.get(channel) ?? [])]) {
      try {
        onNotify(payload);
      } catch (err) {
        this.#log.error({ err, channel }, 'a notification listener failed');
      }
    }
  }

  /** Notifications may have been lost, so every listener must look for work. */
  wakeAll(): void {
    for (const channel of this.names) this.dispatch(channel, '');
  }
}

// Names without quotes, so that they can be quoted in a statement (`window` is a reserved word).
const CHANNEL_NAME = /^[a-z_][a-z0-9_]{0,62}$/;
