import { randomUUID } from 'node:crypto';
import { type Database, isDatabaseUnavailable, type Queryable } from './database.js';
import { channelOfGroup } from './groups.js';
import type { DatabaseLog } from './types.js';

/**
 * What processes wake each other for. `one`: if a loop of the process itself does the work, no other
 * process is notified.
 */
const TOPICS = {
  /** Records wait for their scores. */
  scores: 'one',
  /** Facts wait for the transparency log. */
  facts: 'one',
  jobs: 'all',
  /** Envelopes were written. */
  envelopes: 'all',
  /** Envelopes were written, and deliveries of them are queued. */
  deliveries: 'all',
  /** Keys or platforms have changed. */
  keys: 'all',
  erasures: 'all',
  /** Ledger groups were added. */
  groups: 'all',
  /** A ledger group is on another database cluster or node. */
  cluster: 'all',
  /** A process serves requests, so long work elsewhere pauses. */
  traffic: 'all',
  /** A process has many appends under way, so scores wait. */
  pressure: 'all',
} as const;
export type Topic = keyof typeof TOPICS;

/** @param isRaised false: after a reconnect, when notifications may have been lost. */
type OnWake = (isRaised: boolean) => void;

/**
 * Wakes loops and refreshes caches, in this process at once and in the others by notification. It
 * carries no data, and a notification may be lost, so each listener also looks from time to time.
 */
export interface Wakes {
  /** Call it after the commit. */
  raise(...topics: Topic[]): void;
  /** @returns what ends it. */
  on(topics: Topic | readonly Topic[], wake: OnWake): () => void;
  /** Begins to hear other processes. A second call does nothing more. @returns what ends that. */
  listen(): Promise<() => Promise<void>>;
}

/** All topics share it: a channel costs a LISTEN for each ledger group and process. */
const CHANNEL = 'wakes';
/** Topics raised within this time share a notification. */
const BATCH_MS = 5;

/** The wakes of one process and ledger group. */
export function createWakes(db: Database, log: Pick<DatabaseLog, 'warn' | 'error'>): Wakes {
  const listeners = new Map<Topic, Set<OnWake>>();
  const sender = randomUUID();
  const due = new Set<Topic>();
  let listening: ReturnType<Database['listen']> | undefined;
  return {
    raise(...topics) {
      for (const topic of topics) {
        if (!wake(topic, true) || TOPICS[topic] === 'all') addDue(topic);
      }
    },
    on(topics, onWake) {
      const ends = [topics].flat().map((topic) => add(topic, (isRaised) => onWake(isRaised)));
      return () => {
        for (const end of ends) end();
      };
    },
    listen() {
      listening ??= db.listen(CHANNEL, hear);
      return listening;
    },
  };

  function add(topic: Topic, onWake: OnWake): () => void {
    const ofTopic = listeners.get(topic) ?? new Set();
    listeners.set(topic, ofTopic.add(onWake));
    return () => ofTopic.delete(onWake);
  }

  /** Returns whether somebody listens here. */
  function wake(topic: Topic, isRaised: boolean): boolean {
    const ofTopic = [...(listeners.get(topic) ?? [])];
    for (const onWake of ofTopic) {
      try {
        onWake(isRaised);
      } catch (err) {
        log.error({ err, topic }, 'a listener to wakes failed');
      }
    }
    return ofTopic.length > 0;
  }

  function hear(payload: string): void {
    const [from, ...topics] = payload.split(' ');
    if (from === sender) return; // this process has looked already
    for (const topic of listeners.keys()) {
      if (payload === '' || topics.includes(topic)) wake(topic, payload !== '');
    }
  }

  function addDue(topic: Topic): void {
    if (db.hasOneConnection) return; // and no other processes
    if (due.size === 0) setTimeout(() => void notify(), BATCH_MS).unref();
    due.add(topic);
  }

  async function notify(): Promise<void> {
    const topics = [...due];
    due.clear();
    try {
      await db.notify(CHANNEL, payloadOf(topics, sender));
    } catch (err) {
      if (!isDatabaseUnavailable(err)) log.warn({ err, topics }, 'could not notify other processes');
    }
  }
}

/**
 * Wakes all processes, with the commit if `db` is a transaction.
 * @param ledger whose wakes are raised. Default: that of `db`.
 */
export async function announce(db: Queryable, topic: Topic, ledger = db.ledgers.own): Promise<void> {
  await db.execute('select pg_notify($1, $2)', [channelOfGroup(ledger, CHANNEL), payloadOf([topic], '')]);
}

function payloadOf(topics: readonly Topic[], sender: string): string {
  return [sender, ...topics].join(' ');
}
