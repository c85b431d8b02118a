import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '#kit/clock.js';
import { codeOf, DatabaseBusyError, isDatabaseUnavailable } from '#kit/db/errors.js';
import { quoted, schemaOfGroup } from '#kit/db/groups.js';
import type { OpenTransaction, Participant } from '#kit/db/participants.js';
import type { PooledDatabase, Scope } from '#kit/db/pooledDatabase.js';
import type { OtherLedgers } from '#kit/db/transaction.js';
import type { Database, Ledgers, Queryable, QueryOptions, Tx } from '#kit/db/types.js';
import { noteCluster } from './distribute.js';
import { findPlacement, GROUP_HELD, GROUP_MOVED, isRead, statementsOn } from './placement.js';

type Owner = Database & Participant;

/** The node that has the group's tables. */
interface Located {
  node: string;
  /** A handle of the group there. */
  db: Owner;
  /** What a table of the group is called there. */
  shardOf(table: string): string;
}

interface DistributedGroupDeps {
  group: number;
  /** The handle of the first group, on the coordinator. */
  coordinator: Database;
  /** Asks the coordinator where the group is. */
  locate(): Promise<Located>;
  /** Makes the group ready on a node that it is found on, before anything else runs there. */
  prepare(db: Database): Promise<unknown>;
}

/** A handle of a distributed group. The same for the same group. */
export function openDistributed(first: PooledDatabase, scope: Scope, shared: string): Database {
  const { ledger: group } = scope;
  const known = first.handles.get(group);
  if (known instanceof DistributedGroup) return known;
  const made = new DistributedGroup({
    group,
    coordinator: first,
    async locate() {
      const placement = await findPlacement(first, group);
      const { node: server, shards } = placement;
      const statements = statementsOn(placement, scope.path, shared);
      return {
        node: `${server.host}:${server.port}`,
        db: first.open({ ...scope, server, statements }),
        shardOf: (table) => shards.get(table) ?? table,
      };
    },
    prepare: (db) => prepareOnNode(db, group, shared),
  });
  first.handles.set(group, made);
  return made;
}

async function prepareOnNode(db: Database, group: number, shared: string): Promise<void> {
  await db.query(`select ${quoted(shared)}.ledger_group_prepare($1)`, [schemaOfGroup(group)]);
  await noteCluster(db, systemClock.now());
}

/**
 * A ledger group whose tables are on a node of a Citus cluster. It works on that node directly, and
 * follows the group when it moves.
 */
export class DistributedGroup implements Database, Participant {
  readonly hasOneConnection = false;
  readonly ledgers: Ledgers;
  readonly #deps: DistributedGroupDeps;
  /** Runs a function as if no transaction were open: handles refuse statements inside of one. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #owner: Promise<Located> | undefined;
  /** Where the group is ready. Making it ready writes, and a move may hold writes back. */
  #readyOn: Located | undefined;
  /** Ends when writes are possible again; undefined: no move holds them back. */
  #release: Promise<void> | undefined;

  constructor(deps: DistributedGroupDeps) {
    this.#deps = deps;
    const { group: own, coordinator } = deps;
    this.ledgers = {
      own,
      get all() {
        return coordinator.ledgers.all;
      },
      of: (ledger) => (ledger === own ? this : coordinator.ledgers.of(ledger)),
    };
  }

  query<R extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<R[]> {
    const run = (owner: Database) => owner.query<R>(text, values, options);
    return isRead(text) ? this.#onOwner(run) : this.#write(run);
  }

  execute(text: string, values?: readonly unknown[]): Promise<number> {
    return this.#write((owner) => owner.execute(text, values));
  }

  /** Where the group was when it was last used; null: not known yet. */
  get located(): Located | null {
    return this.#readyOn ?? null;
  }

  get shared(): Queryable {
    return this.#deps.coordinator;
  }

  openTransaction(others?: OtherLedgers): Promise<OpenTransaction> {
    return this.#write((owner) => owner.openTransaction(others));
  }

  maintenance(text: string): Promise<void> {
    return this.#onOwner((owner) => owner.maintenance(text));
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#write((owner) => owner.transaction(work));
  }

  view<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#onOwner((owner) => owner.view(work));
  }

  notify(channel: string, sender?: string): Promise<void> {
    return this.#onOwner((owner) => owner.notify(channel, sender));
  }

  ping(): Promise<void> {
    return this.#onOwner((owner) => owner.ping());
  }

  /** Hears the notifications of all nodes. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#deps.coordinator.listen(channel, onNotify);
  }

  /** The coordinator's handle closes the connections. */
  async close(): Promise<void> {}

  /** A write that meets the end of a move waits without a connection: readers need them. */
  async #write<T>(work: (owner: Owner) => Promise<T>): Promise<T> {
    for (const startedMs = performance.now(); ; ) {
      await this.#release;
      try {
        return await this.#onOwner(work);
      } catch (error) {
        if (codeOf(error) !== GROUP_HELD) throw error;
        if (performance.now() - startedMs > HELD_LIMIT_MS) throw new DatabaseBusyError(error);
        this.#release ??= this.#outside(() => this.#untilReleased());
      }
    }
  }

  /** Tries for all waiting writes, so that they do not all try. */
  async #untilReleased(): Promise<void> {
    const startedMs = performance.now();
    do await pause(HELD_RETRY_MS);
    while (performance.now() - startedMs < HELD_LIMIT_MS && (await this.#isHeld()));
    this.#release = undefined;
  }

  async #isHeld(): Promise<boolean> {
    try {
      await this.#onOwner((owner) => owner.transaction(async () => {}));
      return false;
    } catch (error) {
      return codeOf(error) === GROUP_HELD;
    }
  }

  async #onOwner<T>(work: (owner: Owner) => Promise<T>): Promise<T> {
    for (let retriesLeft = MAX_RETRIES; ; retriesLeft -= 1) {
      const finding = this.#findOwner();
      try {
        return await work((await finding).db);
      } catch (error) {
        const hasMoved = meansMoved(error);
        // A node that is away may have been replaced by another one.
        if ((hasMoved || isDatabaseUnavailable(error)) && this.#owner === finding) {
          this.#owner = undefined;
          if (hasMoved) this.#readyOn = undefined;
        }
        if (!hasMoved || retriesLeft === 0) throw error;
      }
      // The coordinator knows first where the group has moved to, so this is rarely needed twice.
      if (retriesLeft < MAX_RETRIES) await pause(RETRY_MS);
    }
  }

  #findOwner(): Promise<Located> {
    if (this.#owner) return this.#owner;
    const finding = this.#outside(() => this.#findReady());
    this.#owner = finding;
    finding.catch(() => {
      if (this.#owner === finding) this.#owner = undefined;
    });
    return finding;
  }

  /** A move ends on the coordinator first: on the new node it may still hold back writes. */
  async #findReady(): Promise<Located> {
    for (const startedMs = performance.now(); ; ) {
      const found = await this.#deps.locate();
      if (found.db === this.#readyOn?.db) return found;
      try {
        await this.#deps.prepare(found.db);
        this.#readyOn = found;
        return found;
      } catch (error) {
        if (codeOf(error) !== GROUP_HELD || performance.now() - startedMs > HELD_LIMIT_MS) throw error;
      }
      await pause(HELD_RETRY_MS);
    }
  }
}

/** Nothing ran: the guard refused, or a read found that the shard was dropped behind it. */
function meansMoved(error: unknown): boolean {
  if (codeOf(error) === GROUP_MOVED) return true;
  return codeOf(error) === '42P01' && error instanceof Error && SHARD.test(error.message);
}

const SHARD = /_\d{6,}" does not exist/;
/** As long as any other wait for a lock. */
const HELD_LIMIT_MS = 10_000;
const HELD_RETRY_MS = 25;
const MAX_RETRIES = 200;
const RETRY_MS = 25;
