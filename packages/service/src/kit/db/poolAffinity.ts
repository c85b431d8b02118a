import type { Pool, PoolClient } from 'pg';
import { nameColumnsInCamelCase } from './camelCase.js';

/** The parts of pg-pool 3 that decide who gets which connection. Private: a test holds them. */
interface PoolQueues {
  _idle: { readonly client: PoolClient }[];
  _pendingQueue: Waiting[];
  _pulseQueue(): unknown;
}

interface Waiting {
  group?: number;
  /** How many that came later were served before. */
  overtaken?: number;
}

/** Gives each ledger group the same connections as far as they are free. */
export interface PoolAffinity {
  connect(group: number): Promise<PoolClient>;
}

/** Of so many waiting, one may go first because its connection is free. */
const LOOKED_AT = 16;
const MAX_OVERTAKEN = 16;

/**
 * A statement is planned for each group and connection, and another group's connection first has to
 * switch its path. pg-pool hands out the connection that was used last, so with 32 busy groups every
 * connection got the plans of all of them. Here group g prefers connection g modulo their number.
 * Nobody waits for it while another connection is free.
 * @param connected the connections of the pool so far.
 */
export function createPoolAffinity(pool: Pool, connected: Iterable<PoolClient>): PoolAffinity {
  const queues = pool as unknown as PoolQueues;
  const numbers = new Map<PoolClient, number>();
  const number = (client: PoolClient) => numbers.set(client, firstFree(new Set(numbers.values())));
  for (const client of connected) number(client);
  pool.on('connect', number);
  pool.on('remove', (client) => numbers.delete(client));
  const pulse = queues._pulseQueue.bind(pool);
  queues._pulseQueue = () => {
    arrange();
    return pulse();
  };
  return {
    connect(group) {
      const before = queues._pendingQueue.length;
      const connecting = pool.connect();
      const waiting = queues._pendingQueue[before];
      if (waiting) waiting.group = group;
      return connecting;
    },
  };

  /** Moves to the front who is next, and to the end of the idle ones its connection, as pg-pool takes them. */
  function arrange(): void {
    const { _idle: idle, _pendingQueue: pending } = queues;
    if (idle.length === 0 || pending.length === 0) return;
    const isFirstDue = (pending[0]?.overtaken ?? 0) >= MAX_OVERTAKEN;
    const asking = pending.slice(0, isFirstDue ? 1 : LOOKED_AT);
    for (const [place, waiting] of asking.entries()) {
      const own = idle.findIndex(({ client }) => numbers.get(client) === homeOf(waiting.group ?? 0));
      if (own < 0) continue;
      for (const passed of asking.slice(0, place)) passed.overtaken = (passed.overtaken ?? 0) + 1;
      pending.unshift(...pending.splice(place, 1));
      idle.push(...idle.splice(own, 1));
      return;
    }
    // The one that rests for longest: its group is the least busy.
    idle.push(...idle.splice(0, 1));
  }

  function homeOf(group: number): number {
    return group % pool.options.max;
  }
}

function firstFree(taken: ReadonlySet<number>): number {
  let number = 0;
  while (taken.has(number)) number += 1;
  return number;
}

/** The open connections of a pool, idle or not. */
export function followConnections(pool: Pool): Set<PoolClient> {
  const connected = new Set<PoolClient>();
  pool.on('connect', (client) => {
    connected.add(client);
    nameColumnsInCamelCase(client);
  });
  pool.on('remove', (client) => {
    connected.delete(client);
  });
  return connected;
}
