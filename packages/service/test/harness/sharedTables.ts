import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { globalTables, isGlobal } from '#ledger/groups/store.js';
import { tablePrivileges } from '#ledger/roles/privileges.js';
import { over } from './over.js';

const naming = (tables: readonly string[]) =>
  new RegExp(`\\b(?:from|join|into|update|table)\\s+(?:${tables.join('|')})\\b`, 'i');
/** Also a table that a test has renamed. */
const SHARED = naming(globalTables.flatMap((table) => [table, `${table}_away`]));
const OWN = naming(Object.keys(tablePrivileges).filter((table) => !isGlobal(table)));

function isShared(text: string): boolean {
  if (!SHARED.test(text)) return false;
  if (OWN.test(text))
    throw new Error(`on a cluster no statement reaches shared tables and those of a group: ${text}`);
  return true;
}

/**
 * The handle of a distributed group, with which a test also finds the tables that all groups share, as it
 * does with one group: statements that name one go to the handle of the first group.
 */
export function withSharedTables(ledger: Database, first: Database): Database {
  const pick = (text: string) => (isShared(text) ? first : ledger);
  return over(ledger, {
    query: (...args: Parameters<Queryable['query']>) => pick(args[0]).query(...args),
    execute: (...args: Parameters<Queryable['execute']>) => pick(args[0]).execute(...args),
    transaction: <T>(work: (tx: Tx) => Promise<T>) => ledger.transaction((tx) => work(txOf(tx))),
  });
}

function txOf(own: Tx): Tx {
  const within = <T>(text: string, run: (tx: Tx) => Promise<T>) =>
    isShared(text) ? own.inShared(run) : run(own);
  return over(own, {
    query: (...args: Parameters<Queryable['query']>) => within(args[0], (tx) => tx.query(...args)),
    execute: (...args: Parameters<Queryable['execute']>) => within(args[0], (tx) => tx.execute(...args)),
  });
}
