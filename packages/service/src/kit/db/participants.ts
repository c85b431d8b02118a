import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { codeOf, DatabaseBusyError, PreparedTransactionsError } from './errors.js';
import { openedGroup } from './groups.js';
import type { LedgerPath, OtherLedgers, Transaction } from './transaction.js';
import type { Database, DatabaseLog, Queryable, Tx } from './types.js';

/** A handle of a ledger that takes part in transactions over several. */
export interface Participant extends Queryable {
  /** Begins a transaction that its caller ends, and then releases. */
  openTransaction(others?: OtherLedgers): Promise<OpenTransaction>;
  /** Runs a statement that cannot be in a transaction. */
  maintenance(text: string, limitMs?: number): Promise<void>;
}

type Maintained = Pick<Participant, 'maintenance'>;

export interface OpenTransaction {
  transaction: Transaction;
  release(): void;
}

/** The handle on which the transaction began. */
interface Home extends Participant {
  /** Where its transaction finds another ledger, by its path; null: on another server. */
  pathTo(other: Queryable): LedgerPath | null;
}

const outside = AsyncLocalStorage.snapshot();

/** Reads for the open transaction of another ledger, on a connection of their own. */
export function readsApart(handle: Queryable): Queryable {
  const { own, all } = handle.ledgers;
  return {
    get shared() {
      return readsApart(handle.shared);
    },
    ledgers: { own, all, of: (ledger) => readsApart(handle.ledgers.of(ledger)) },
    query: (text, values, options) => outside(() => handle.query(text, values, options)),
    execute: () => Promise.reject(new Error('reads of another ledger cannot write')),
  };
}

/**
 * All that one transaction of `home` reaches. Ledgers of the same server share its connection. Another server
 * gets a transaction of its own, and the commit then has two phases.
 *
 * A server that does not answer would hold the locks on all others. So from the first statement on
 * another server on, all of them have `limitMs` together, and are then rolled back.
 */
export class Participants implements OtherLedgers {
  readonly #home: Home;
  readonly #handles: ReadonlyMap<number, Queryable>;
  readonly #limitMs: number;
  readonly #branches = new Map<Participant, OpenTransaction>();
  #own: OpenTransaction | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Rejects when the time on several servers is over. */
  #limit: Promise<never> | undefined;
  #forget = async () => {};

  constructor(home: Home, handles: ReadonlyMap<number, Queryable>, limitMs: number) {
    this.#home = home;
    this.#handles = handles;
    this.#limitMs = limitMs;
  }

  get numbers(): readonly number[] {
    return this.#home.ledgers.all;
  }

  find(ledger: number): LedgerPath | Queryable {
    const handle = openedGroup(this.#handles, ledger);
    return this.#home.pathTo(handle) ?? readsApart(handle);
  }

  async writeIn<T>(ledger: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    const db = openedGroup(this.#handles, ledger) as Participant;
    this.#limit ??= this.#startLimit();
    const { transaction } = await this.#branchOf(db, this.#limit);
    return Promise.race([work(transaction.tx), this.#limit]);
  }

  /** Of a transaction on another server: all that it does not have itself is done from `home`. */
  get #ofBranches(): OtherLedgers {
    return {
      numbers: this.numbers,
      find: (ledger) => readsApart(openedGroup(this.#handles, ledger)),
      writeIn: (ledger, work) => (this.#own as OpenTransaction).transaction.inLedger(ledger, work),
    };
  }

  async begin(opening: Promise<OpenTransaction>): Promise<Transaction> {
    this.#own = await opening;
    return this.#own.transaction;
  }

  async commit(): Promise<void> {
    if (this.#branches.size === 0) await this.#own?.transaction.commit();
    else this.#forget = await this.#commitAll();
  }

  async rollback(): Promise<void> {
    clearTimeout(this.#timer);
    for (const { transaction } of this.#opened) await transaction.rollback();
  }

  /** Forgetting the decision needs a connection, so those of the transaction are released first. */
  async release(): Promise<void> {
    clearTimeout(this.#timer); // it must not reach a connection that others have
    for (const { release } of this.#opened) release();
    await this.#forget();
  }

  get #opened(): OpenTransaction[] {
    return [...(this.#own ? [this.#own] : []), ...this.#branches.values()];
  }

  async #branchOf(db: Participant, limit: Promise<never>): Promise<OpenTransaction> {
    const known = this.#branches.get(db);
    if (known) return known;
    const opening = db.openTransaction(this.#ofBranches);
    const opened = await Promise.race([opening, limit]).catch((error) => {
      // One that opens later is not used.
      opening.then(({ transaction, release }) => transaction.rollback().then(release)).catch(() => {});
      throw error;
    });
    this.#branches.set(db, opened);
    // A server finds only the deadlocks of its own transactions.
    await opened.transaction.execute(`set local lock_timeout = ${this.#limitMs}`);
    return opened;
  }

  #startLimit(): Promise<never> {
    const limitMs = this.#limitMs;
    const limit = new Promise<never>((_, reject) => {
      this.#timer = setTimeout(() => {
        const reason = new DatabaseBusyError(
          `a server of a ledger group did not answer, or held a lock, for ${limitMs / 1000} s`,
        );
        for (const { transaction } of this.#opened) transaction.giveUp(reason);
        reject(reason);
      }, limitMs);
    });
    limit.catch(() => {}); // nobody may wait for it any more
    return limit;
  }

  /**
   * The first ledger decides if it takes part: the coordinator of a Citus cluster does not prepare a
   * transaction that has written through Citus. Else `home` decides.
   * @returns what forgets the decision.
   */
  async #commitAll(): Promise<() => Promise<void>> {
    const home = this.#home;
    const parts = new Map<Participant, OpenTransaction>([
      [home, this.#own as OpenTransaction],
      ...this.#branches,
    ]);
    const decider = [...parts.keys()].find(({ ledgers }) => ledgers.own === 0) ?? home;
    const decision = (parts.get(decider) as OpenTransaction).transaction;
    parts.delete(decider);
    const id = randomUUID();
    const prepared: { transaction: Transaction; name: string }[] = [];
    const endAll = (end: 'commit' | 'rollback') =>
      Promise.allSettled(
        prepared.map(({ transaction, name }) => endPrepared(transaction, end, name, END_LIMIT_MS)),
      );
    try {
      const others = [...parts.keys()].map(({ ledgers }) => ledgers.own);
      await insertCommit(decision.tx, id, others);
      for (const [db, { transaction }] of parts) {
        const name = preparedName({ home: decider.ledgers.own, id, ledger: db.ledgers.own });
        await transaction.prepare(name);
        prepared.push({ transaction, name });
      }
      if (decision.isLost) await this.#limit;
    } catch (error) {
      await endAll('rollback');
      throw codeOf(error) === PREPARED_DISABLED ? new PreparedTransactionsError() : error;
    }
    clearTimeout(this.#timer);
    decision.limitTo(END_LIMIT_MS);
    await decision.commit();
    // Decided: recovery completes what fails from here on.
    const ends = await endAll('commit');
    const isDone = ends.every(({ status }) => status === 'fulfilled');
    return async () => {
      if (isDone) await deleteCommit(decider, id).catch(() => {});
    };
  }
}

const END_LIMIT_MS = 1_000;
/** object_not_in_prerequisite_state */
const PREPARED_DISABLED = '55000';

/*
 * A commit on several servers. Each of the others prepares its transaction, then the home ledger
 * commits: its row of `group_commit` is the decision. Then the others commit. A process that dies
 * on the way leaves prepared transactions, which hold their locks. Recovery commits those with a
 * decision and rolls back the rest, except while the home transaction is still open: it holds an
 * advisory lock of that name.
 */

interface PreparedName {
  home: number;
  id: string;
  ledger: number;
}

const PREFIX = 'reliability';
const NAME = /^reliability (\d{1,3}) ([0-9a-f-]{36}) (\d{1,3})$/;

export function preparedName({ home, id, ledger }: PreparedName): string {
  return `${PREFIX} ${home} ${id} ${ledger}`;
}

function partsOf(name: string): PreparedName | null {
  const [, home, id = '', ledger] = NAME.exec(name) ?? [];
  return home === undefined ? null : { home: Number(home), id, ledger: Number(ledger) };
}

const LOCK = 'pg_try_advisory_xact_lock(hashtextextended($1::text, 0))';

async function insertCommit(tx: Tx, id: string, groups: readonly number[]): Promise<void> {
  await tx.query(`select ${LOCK}`, [id]);
  await tx.execute('insert into group_commit (commit_id, groups) values ($1, $2)', [id, groups]);
}

async function deleteCommit(db: Queryable, id: string): Promise<void> {
  await db.execute('delete from group_commit where commit_id = $1', [id]);
}

/** 42704: undefined_object */
const UNKNOWN_NAME = '42704';

/** Ends a prepared transaction; one that has ended already is no error. */
async function endPrepared(db: Maintained, end: 'commit' | 'rollback', name: string, limitMs?: number) {
  if (!partsOf(name)) throw new Error('not the name of a prepared transaction of this service');
  await db.maintenance(`${end} prepared '${name}'`, limitMs).catch((error: unknown) => {
    if (codeOf(error) !== UNKNOWN_NAME) throw error;
  });
}

/**
 * Ends the prepared transactions that dead processes left. Any number of processes may do it at once.
 * A server that does not answer delays those that it takes part in alone.
 * @param groups the handles of all ledgers.
 */
export async function recoverPrepared(
  groups: readonly Database[],
  log: Pick<DatabaseLog, 'warn'>,
): Promise<void> {
  // A prepared transaction is seen by every group of its server, so it may be found repeatedly.
  const found = await Promise.allSettled(groups.map(async (db) => ({ db, names: await findPrepared(db) })));
  const answers = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  for (const { db, names } of answers) {
    for (const name of names) {
      const parts = partsOf(name);
      const home = answers.find((each) => each.db.ledgers.own === parts?.home)?.db;
      if (!parts || !home) continue;
      const end = await decisionOf(home, parts.id);
      if (end === null) continue;
      await endPrepared(db as Database & Maintained, end, name);
      log.warn({ name, end }, 'ended a prepared transaction that a process left');
    }
  }
  for (const { db: home } of answers) {
    for (const { commitId, groups: numbers } of await findCommits(home)) {
      const others = answers.filter(({ db }) => numbers.includes(db.ledgers.own));
      if (others.length < numbers.length) continue;
      const left = await Promise.all(others.map(({ db }) => findPrepared(db)));
      if (!left.flat().some((name) => partsOf(name)?.id === commitId)) await deleteCommit(home, commitId);
    }
  }
  for (const each of found) if (each.status === 'rejected') throw each.reason;
}

async function findPrepared(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ gid: string }>(
    `select gid from pg_prepared_xacts where database = current_database() and gid like '${PREFIX} %'`,
  );
  return rows.map(({ gid }) => gid);
}

/** Null: the transaction that decides is still open. */
function decisionOf(home: Database, id: string): Promise<'commit' | 'rollback' | null> {
  return home.transaction(async (tx) => {
    const [lock] = await tx.query<{ free: boolean }>(`select ${LOCK} as free`, [id]);
    if (!lock?.free) return null;
    // A later statement: it sees the decision of a transaction that has just released the lock.
    const rows = await tx.query('select 1 from group_commit where commit_id = $1', [id]);
    return rows.length > 0 ? 'commit' : 'rollback';
  });
}

function findCommits(db: Queryable): Promise<{ commitId: string; groups: number[] }[]> {
  return db.query('select commit_id, groups from group_commit');
}
