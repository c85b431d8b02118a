import type { Database, DatabaseLog, Queryable, Tx } from './types.js';

/*
 * A commit on several servers. Each of the others prepares its transaction, then the home ledger
 * commits: its row of `group_commit` is the decision. Then the others commit. A process that dies
 * on the way leaves prepared transactions, which hold their locks. Recovery commits those with a
 * decision and rolls back the rest, except while the home transaction is still open: it holds an
 * advisory lock of that name.
 */

interface PreparedName {
  /** The ledger with the decision. */
  home: number;
  id: string;
  /** A ledger of the server that prepared it. */
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

/** The decision to commit, with the commit of this transaction. */
export async function insertCommit(tx: Tx, id: string, groups: readonly number[]): Promise<void> {
  await tx.query(`select ${LOCK}`, [id]);
  await tx.execute('insert into group_commit (commit_id, groups) values ($1, $2)', [id, groups]);
}

export async function deleteCommit(db: Queryable, id: string): Promise<void> {
  await db.execute('delete from group_commit where commit_id = $1', [id]);
}

/** Runs a statement that cannot be in a transaction. */
interface Maintained {
  maintenance(text: string, limitMs?: number): Promise<void>;
}

/** Ends a prepared transaction; one that has ended already is no error. */
export async function endPrepared(
  db: Maintained,
  end: 'commit' | 'rollback',
  name: string,
  limitMs?: number,
): Promise<void> {
  if (!partsOf(name)) throw new Error('not the name of a prepared transaction of this service');
  try {
    await db.maintenance(`${end} prepared '${name}'`, limitMs);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNKNOWN_NAME) throw error;
  }
}

/** undefined_object */
const UNKNOWN_NAME = '42704';

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
