import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { codeOf, DatabaseBusyError, PreparedTransactionsError } from './errors.js';
import { openedGroup } from './groups.js';
import { deleteCommit, endPrepared, insertCommit, preparedName } from './preparedTransactions.js';
import type { Transaction } from './transaction.js';
import type { GroupsTx, Queryable, Tx } from './types.js';

/** A handle whose group can be a part of a transaction over groups. */
export interface Joinable extends Queryable {
  /** Begins a transaction that its caller ends, and then releases. */
  openTransaction(): Promise<OpenTransaction>;
  /** Whether a transaction of `home` reaches the tables of this group. */
  joins(home: Joinable): boolean;
  /** Runs `work` in the transaction of another group, on the tables of this one. */
  enter<T>(open: OpenTransaction, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs a statement that cannot be in a transaction. */
  maintenance(text: string): Promise<void>;
}

export function isJoinable(handle: Queryable): handle is Joinable {
  return 'openTransaction' in handle;
}

/** Where no transaction is open. */
const outside = AsyncLocalStorage.snapshot();

/** Reads for the open transaction of another group, on a connection of their own. */
export function readsApart(handle: Queryable): Queryable {
  return {
    group: handle.group,
    groupNumbers: handle.groupNumbers,
    ofGroup: (group) => readsApart(handle.ofGroup(group)),
    query: (text, values, options) => outside(() => handle.query(text, values, options)),
    execute: () => Promise.reject(new Error('reads of another ledger group cannot write')),
  };
}

/** A transaction whose end is somebody else's business. */
export interface OpenTransaction {
  transaction: Transaction;
  release(): void;
}

/** Runs work where the handles of the transaction's group refuse statements. */
export type Within<T> = (open: OpenTransaction, run: () => Promise<T>) => Promise<T>;

/**
 * One attempt at a transaction that `home` begins. Groups that it reaches share it. Another server gets
 * a transaction of its own, and the commit then has two phases (preparedTransactions.ts).
 *
 * A server that does not answer would hold the locks on all others. So from the first statement on
 * another server on, all of them have `limitMs` together, and are then rolled back.
 */
export async function transactionOver<T>(
  home: Joinable,
  handles: ReadonlyMap<number, unknown>,
  { within, limitMs }: { within: Within<T>; limitMs: number },
  work: (over: GroupsTx) => Promise<T>,
): Promise<T> {
  const own = await home.openTransaction();
  /** One for each other group that `home` does not reach. */
  const branches = new Map<Joinable, OpenTransaction>();
  const limit = createLimit(limitMs, () => [own, ...branches.values()].map(({ transaction }) => transaction));
  const over: GroupsTx = {
    tx: own.transaction.tx,
    in: async (group, run) => {
      const db = group === home.group ? home : (openedGroup(handles, group) as Joinable);
      if (db === home) return run(own.transaction.tx);
      return db.enter(db.joins(home) ? own : await branchOf(db), run);
    },
  };
  let forget = async () => {};
  const result = await attempt();
  await forget();
  return result;

  async function attempt(): Promise<T> {
    try {
      const done = await within(own, () => Promise.race([work(over), limit.reached]));
      if (branches.size === 0) await own.transaction.commit();
      else forget = await commitAll(home, own, branches, limit);
      return done;
    } catch (error) {
      limit.end();
      for (const { transaction } of [own, ...branches.values()]) await transaction.rollback();
      throw await own.transaction.reasonFor(error);
    } finally {
      for (const { release } of [own, ...branches.values()]) release();
    }
  }

  async function branchOf(db: Joinable): Promise<OpenTransaction> {
    const known = branches.get(db);
    if (known) return known;
    limit.start();
    const opening = db.openTransaction();
    let isLate = false;
    limit.reached.catch(() => {
      isLate = true;
    });
    opening.then(
      async (open) => {
        if (!isLate) return;
        await open.transaction.rollback();
        open.release();
      },
      () => {},
    );
    const opened = await Promise.race([opening, limit.reached]);
    branches.set(db, opened);
    // A server finds only the deadlocks of its own transactions.
    await opened.transaction.execute(`set local lock_timeout = ${limitMs}`);
    return opened;
  }
}

interface Limit {
  /** Rejects when the time is over. */
  readonly reached: Promise<never>;
  start(): void;
  end(): void;
}

function createLimit(limitMs: number, transactions: () => Transaction[]): Limit {
  let timer: NodeJS.Timeout | undefined;
  let reject: (reason: Error) => void = () => {};
  const reached = new Promise<never>((_, reach) => {
    reject = reach;
  });
  reached.catch(() => {}); // nobody waits after the end
  return {
    reached,
    start() {
      timer ??= setTimeout(() => {
        const reason = new DatabaseBusyError(
          `a server of a ledger group did not answer, or held a lock, for ${limitMs / 1000} s`,
        );
        for (const transaction of transactions()) transaction.giveUp(reason);
        reject(reason);
      }, limitMs);
    },
    end: () => clearTimeout(timer),
  };
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
  limit: Limit,
): Promise<() => Promise<void>> {
  const parts = new Map([[home, own], ...branches]);
  const decider = [...parts.keys()].find(({ group }) => group === 0) ?? home;
  const decision = (parts.get(decider) ?? own).transaction;
  parts.delete(decider);
  const id = randomUUID();
  const prepared: { transaction: Transaction; name: string }[] = [];
  try {
    await insertCommit(
      decision.tx,
      id,
      [...parts.keys()].map(({ group }) => group),
    );
    for (const [db, { transaction }] of parts) {
      const name = preparedName({ home: decider.group, id, group: db.group });
      await transaction.prepare(name);
      prepared.push({ transaction, name });
    }
    if (decision.isLost) await limit.reached;
  } catch (error) {
    await Promise.allSettled(
      prepared.map(({ transaction, name }) => endPrepared(transaction, 'rollback', name, END_LIMIT_MS)),
    );
    throw codeOf(error) === PREPARED_DISABLED ? new PreparedTransactionsError() : error;
  }
  limit.end();
  decision.limitTo(END_LIMIT_MS);
  await decision.commit();
  // Decided: recovery completes what fails from here on.
  const ends = prepared.map(({ transaction, name }) =>
    endPrepared(transaction, 'commit', name, END_LIMIT_MS),
  );
  const results = await Promise.allSettled(ends);
  const isDone = results.every(({ status }) => status === 'fulfilled');
  return async () => {
    if (isDone) await deleteCommit(decider, id).catch(() => {});
  };
}

const END_LIMIT_MS = 1_000;
/** object_not_in_prerequisite_state */
const PREPARED_DISABLED = '55000';
