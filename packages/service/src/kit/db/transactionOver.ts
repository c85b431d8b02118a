import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { codeOf, PreparedTransactionsError } from './errors.js';
import { openedGroup } from './groups.js';
import { deleteCommit, endPrepared, insertCommit, preparedName } from './preparedTransactions.js';
import type { Transaction } from './transaction.js';
import type { GroupsTx, Queryable, Tx } from './types.js';

/** A handle whose group can be a part of a transaction over groups. */
export interface Joinable extends Queryable {
  /** Begins a transaction that its caller ends, and then releases. */
  openTransaction(): Promise<OpenTransaction>;
  /** Whether a transaction reaches the tables of this group. */
  shares(open: OpenTransaction): boolean;
  /** Runs `work` in the transaction of another group, on the tables of this one. */
  enter<T>(open: OpenTransaction, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs a statement that cannot be in a transaction. */
  maintenance(text: string): Promise<void>;
}

/** A transaction whose end is somebody else's business. */
export interface OpenTransaction {
  transaction: Transaction;
  path: string | null;
  pool: Pool;
  release(): void;
}

/**
 * One attempt at a transaction that `home` begins. Groups on the connections of `home` share its
 * transaction. Another server gets a transaction of its own, and the commit then has two phases
 * (preparedTransactions.ts).
 * @param within runs the work where the handles of `home` refuse statements.
 */
export async function attemptOver<T>(
  home: Joinable,
  handles: ReadonlyMap<number, unknown>,
  work: (over: GroupsTx) => Promise<T>,
  within: (open: OpenTransaction, run: () => Promise<T>) => Promise<T>,
): Promise<T> {
  const own = await home.openTransaction();
  /** One for each other server, by the first of its groups. */
  const branches = new Map<Joinable, OpenTransaction>();
  const over: GroupsTx = {
    tx: own.transaction.tx,
    in: async (group, run) => {
      const db = handleOf(group);
      return db === home ? run(own.transaction.tx) : db.enter(await openFor(db), run);
    },
  };
  let forget = async () => {};
  const result = await attempt();
  await forget();
  return result;

  async function attempt(): Promise<T> {
    try {
      const done = await within(own, () => work(over));
      if (branches.size === 0) await own.transaction.commit();
      else forget = await commitAll(home, own, branches);
      return done;
    } catch (error) {
      for (const { transaction } of [own, ...branches.values()]) await transaction.rollback();
      throw error;
    } finally {
      for (const { release } of [own, ...branches.values()]) release();
    }
  }

  function handleOf(group: number): Joinable {
    return group === home.group ? home : (openedGroup(handles, group) as Joinable);
  }

  async function openFor(db: Joinable): Promise<OpenTransaction> {
    const known = [own, ...branches.values()].find((open) => db.shares(open));
    if (known) return known;
    const opened = await db.openTransaction();
    branches.set(db, opened);
    // A server finds only the deadlocks of its own transactions.
    await opened.transaction.execute(`set local lock_timeout = '5s'`);
    return opened;
  }
}

/**
 * The first group decides if it takes part: the coordinator of a Citus cluster does not prepare a
 * transaction that has written through Citus. Else the group decides that began.
 * @returns what forgets the decision. It needs a connection: release those of the transaction first.
 */
async function commitAll(
  home: Joinable,
  own: OpenTransaction,
  branches: ReadonlyMap<Joinable, OpenTransaction>,
): Promise<() => Promise<void>> {
  const parts = new Map([[home, own], ...branches]);
  const decider = [...parts.keys()].find(({ group }) => group === 0) ?? home;
  const decision = parts.get(decider) ?? own;
  parts.delete(decider);
  const id = randomUUID();
  await insertCommit(
    decision.transaction.tx,
    id,
    [...parts.keys()].map(({ group }) => group),
  );
  const prepared: { transaction: Transaction; name: string }[] = [];
  try {
    for (const [db, { transaction }] of parts) {
      const name = preparedName({ home: decider.group, id, group: db.group });
      await transaction.prepare(name);
      prepared.push({ transaction, name });
    }
  } catch (error) {
    for (const { transaction, name } of prepared) {
      await endPrepared(transaction, 'rollback', name).catch(() => {});
    }
    throw codeOf(error) === PREPARED_DISABLED ? new PreparedTransactionsError() : error;
  }
  await decision.transaction.commit();
  // Decided: recovery completes what fails from here on.
  const ends = prepared.map(({ transaction, name }) => endPrepared(transaction, 'commit', name));
  const results = await Promise.allSettled(ends);
  const isDone = results.every(({ status }) => status === 'fulfilled');
  return async () => {
    if (isDone) await deleteCommit(decider, id).catch(() => {});
  };
}

/** object_not_in_prerequisite_state */
const PREPARED_DISABLED = '55000';
