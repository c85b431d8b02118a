import type { Database, Tx } from '../../kit/db/database.js';
import {
  dropTriggers,
  hasCitus,
  hasRows,
  isSuperuser,
  place,
  placeInOrder,
  readPlaced,
  readTables,
  revokeChanges,
} from './store.js';
import { type TableFact, tableFacts } from './tables.js';

/** Why this schema is not distributed; the message is for the operator. */
export class DistributeError extends Error {
  override readonly name = 'DistributeError';
}

export interface Distributed {
  /** What was placed now; local tables are not in it, nor what was placed before. */
  readonly placed: readonly string[];
  /** The role may do what it likes, so nothing in the database holds the ledger append-only. */
  readonly isUnguarded: boolean;
}

/**
 * Places the tables of a migrated, empty schema as `tableFacts` says, all or none. Run again after an upgrade it places the
 * tables that came with it. Throws DistributeError without Citus, with data, or with a table that is not in the list.
 */
export async function distributeSchema(db: Database): Promise<Distributed> {
  if (!(await hasCitus(db))) {
    throw new DistributeError(
      'This database has no Citus: run `create extension citus` in it on the coordinator, and add the workers, first. ' +
        'One PostgreSQL server needs nothing of this.',
    );
  }
  const unknown = (await readTables(db)).filter((table) => tableFacts[table] === undefined);
  if (unknown.length > 0) {
    throw new DistributeError(`Nothing says where these tables belong: ${unknown.join(', ')}.`);
  }
  const placed = await db.transaction(placeAll);
  return { placed, isUnguarded: await isSuperuser(db) };
}

async function placeAll(tx: Tx): Promise<string[]> {
  await placeInOrder(tx);
  const done = await readPlaced(tx);
  const open = Object.entries(tableFacts).filter(
    ([table, { placement }]) => placement.kind !== 'local' && !done.has(table),
  );
  await assertEmpty(
    tx,
    open.map(([table]) => table),
  );
  for (const [table, fact] of open) await placeOne(tx, table, fact);
  return open.map(([table]) => table);
}

async function assertEmpty(tx: Tx, tables: readonly string[]): Promise<void> {
  const filled: string[] = [];
  for (const table of tables) if (await hasRows(tx, table)) filled.push(table);
  if (filled.length === 0) return;
  throw new DistributeError(
    `The schema holds data already (${filled.join(', ')}). Distribute an empty database, before the service is first ` +
      'started on it, and restore the data into that one.',
  );
}

async function placeOne(tx: Tx, table: string, { placement, isAppendOnly }: TableFact): Promise<void> {
  if (isAppendOnly) await dropTriggers(tx, table);
  await place(tx, table, placement);
  if (isAppendOnly) await revokeChanges(tx, table);
}
