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

/** The schema cannot be distributed. The message is for the operator. */
export class DistributeError extends Error {
  override readonly name = 'DistributeError';
}

export interface Distributed {
  /** Tables distributed by this run, without local tables. */
  readonly placed: readonly string[];
  /** The role is a superuser, so privileges do not keep the ledger append-only. */
  readonly isUnguarded: boolean;
}

/**
 * Distributes the tables of a migrated, empty schema by `tableFacts`, all or none. A run after an
 * upgrade distributes the new tables. Throws DistributeError without Citus, with data, or for a
 * table that is not in the list.
 */
export async function distributeSchema(db: Database): Promise<Distributed> {
  if (!(await hasCitus(db))) {
    throw new DistributeError(
      'This database lacks the extension Citus. On the coordinator, run `create extension citus` in it and add the ' +
        'workers. A single PostgreSQL server needs no distribution.',
    );
  }
  const unknown = (await readTables(db)).filter((table) => tableFacts[table] === undefined);
  if (unknown.length > 0) {
    throw new DistributeError(
      `No placement is defined for these tables: ${unknown.join(', ')}. Add them to commands/distribute/tables.ts.`,
    );
  }
  const placed = await db.transaction(distributeAll);
  return { placed, isUnguarded: await isSuperuser(db) };
}

async function distributeAll(tx: Tx): Promise<string[]> {
  await placeInOrder(tx);
  const done = await readPlaced(tx);
  const open = Object.entries(tableFacts).filter(
    ([table, { placement }]) => placement.kind !== 'local' && !done.has(table),
  );
  await assertEmpty(
    tx,
    open.map(([table]) => table),
  );
  for (const [table, fact] of open) await distributeOne(tx, table, fact);
  return open.map(([table]) => table);
}

async function assertEmpty(tx: Tx, tables: readonly string[]): Promise<void> {
  const filled: string[] = [];
  for (const table of tables) if (await hasRows(tx, table)) filled.push(table);
  if (filled.length === 0) return;
  throw new DistributeError(
    `These tables contain data: ${filled.join(', ')}. Distribute an empty database before the first start of the ` +
      'service, then restore the data into it.',
  );
}

async function distributeOne(
  tx: Tx,
  table: string,
  { placement, isAppendOnly, ...allowed }: TableFact,
): Promise<void> {
  if (isAppendOnly) await dropTriggers(tx, table);
  await place(tx, table, placement);
  if (isAppendOnly) await revokeChanges(tx, table, allowed);
}
