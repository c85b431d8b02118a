import { randomUUID } from 'node:crypto';
import { type Database, isDatabaseUnavailable, type Queryable } from './database.js';
import { channelOfGroup } from './groups.js';
import { Channels } from './postgresListener.js';
import type { DatabaseLog } from './types.js';

/** `one`: if a loop of the process itself does the work, in any of its threads, no other process is notified. */
const TOPICS = {
  scores: 'one',
  facts: 'one',
  jobs: 'all',
  envelopes: 'all',
  deliveries: 'all',
  keys: 'all',
  erasures: 'all',
  groups: 'all',
  cluster: 'all',
  /** A process serves requests, so long work elsewhere pauses. */
  traffic: 'all',
  /** A process has many appends under way, so scores wait. */
  pressure: 'all',
} as const;
export type Topic = keyof typeof TOPICS;

export type Wakes = ReturnType<typeof createWakes>;

/** All topics share it: a channel costs a LISTEN for each ledger group and process. */
const CHANNEL = 'wakes';
/** Topics raised within this time share a notification. */
const BATCH_MS = 5;

/** What a listener of this process hears of a topic that is raised. After a reconnect it is ''. */
const RAISED = 'raised';

/**
 * Wakes loops and refreshes caches of one ledger group, in this process at once and in the others by
 * notification. It carries no data, and a notification may be lost, so each listener also looks from
 * time to time.
 * @param wakeThread wakes the thread of this process that does the work. False: none does.
 */
export function createWakes(
  db: Database,
  log: Pick<DatabaseLog, 'warn' | 'error'>,
  wakeThread: (topic: Topic) => boolean = () => false,
) {
  const listeners = new Channels(log);
  const sender = randomUUID();
  const due = new Set<Topic>();
  let listening: ReturnType<Database['listen']> | undefined;
  return {
    raise(...topics: Topic[]): void {
      for (const topic of topics) {
        const isHeard = listeners.names.includes(topic);
        listeners.dispatch(topic, RAISED);
        if (TOPICS[topic] === 'all' || !(isHeard || wakeThread(topic))) addDue(topic);
      }
    },
    /** @param wake `isRaised` is false after a reconnect, when notifications may have been lost. */
    on(topics: Topic | readonly Topic[], wake: (isRaised: boolean) => void): () => void {
      const ends = [topics]
        .flat()
        .map((topic) => listeners.add(topic, (payload) => wake(payload === RAISED)));
      return () => {
        for (const end of ends) end();
      };
    },
    /** Begins to hear other processes. A second call does nothing more. @returns what ends that. */
    listen(): Promise<() => Promise<void>> {
      listening ??= db.listen(CHANNEL, hear);
      return listening;
    },
  };

  function hear(payload: string): void {
    if (payload === '') listeners.wakeAll();
    const [from, ...topics] = payload.split(' ');
    if (from === sender) return; // this process has looked already
    for (const topic of topics) listeners.dispatch(topic, RAISED);
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

/** Wakes all processes, with the commit if `db` is a transaction. */
export async function announce(db: Queryable, topic: Topic, ledger = db.ledgers.own): Promise<void> {
  await db.execute('select pg_notify($1, $2)', [channelOfGroup(ledger, CHANNEL), payloadOf([topic], '')]);
}

function payloadOf(topics: readonly Topic[], sender: string): string {
  return [sender, ...topics].join(' ');
}
