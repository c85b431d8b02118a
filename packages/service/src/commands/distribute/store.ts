import type { Queryable, Tx } from '../../kit/db/database.js';
import { runScript } from '../../kit/db/transaction.js';
import type { Placement, TableFact } from './tables.js';

/** True after `create extension citus` in this database. */
export async function hasCitus(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ isThere: boolean }>(
    "select to_regproc('create_distributed_table') is not null and to_regclass('pg_dist_partition') is not null as is_there",
  );
  return row?.isThere ?? false;
}

/** Privileges do not restrict a superuser. */
export async function isSuperuser(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ rolsuper: boolean }>(
    'select rolsuper from pg_roles where rolname = current_user',
  );
  return row?.rolsuper ?? false;
}

/** Tables of the schema that the service uses. */
export async function readTables(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
       and relname not like 'pg\\_%' and relname not like 'citus\\_%' order by relname`,
  );
  return rows.map(({ name }) => name);
}

/** Tables that are already distributed. */
export async function readPlaced(db: Queryable): Promise<Set<string>> {
  const rows = await db.query<{ name: string }>(
    'select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid',
  );
  return new Set(rows.map(({ name }) => name));
}

/** @param table one of our table names: it becomes part of the statement. */
export async function hasRows(db: Queryable, table: string): Promise<boolean> {
  const [row] = await db.query<{ hasRows: boolean }>(`select exists (select from ${table}) as has_rows`);
  return row?.hasRows ?? false;
}

/** Citus distributes related tables in one transaction only in sequential mode. */
export async function placeInOrder(tx: Tx): Promise<void> {
  await tx.execute("select set_config('citus.multi_shard_modify_mode', 'sequential', true)");
}

export async function place(tx: Tx, table: string, placement: Placement): Promise<void> {
  switch (placement.kind) {
    case 'local':
      return;
    case 'reference':
      await tx.execute('select create_reference_table($1::text::regclass)', [table]);
      return;
    case 'distributed': {
      const like = placement.group === table ? 'none' : placement.group;
      await tx.execute(
        'select create_distributed_table($1::text::regclass, $2::text, colocate_with => $3::text)',
        [table, placement.by, like],
      );
    }
  }
}

/** Citus does not distribute tables with triggers. */
export async function dropTriggers(tx: Tx, table: string): Promise<void> {
  const triggers = await tx.query<{ name: string }>(
    'select quote_ident(tgname) as name from pg_trigger where tgrelid = $1::text::regclass and not tgisinternal',
    [table],
  );
  for (const { name } of triggers) await runScript(tx, `drop trigger ${name} on ${table}`);
}

/** Also from the table's owner: a change of the ledger then needs a visible `grant` first. */
export async function revokeChanges(
  tx: Tx,
  table: string,
  { mayDelete, erasedColumn }: Pick<TableFact, 'mayDelete' | 'erasedColumn'>,
): Promise<void> {
  const rights = mayDelete ? 'update, truncate' : 'update, delete, truncate';
  await runScript(tx, `revoke ${rights} on ${table} from current_user, public`);
  if (erasedColumn) await runScript(tx, `grant update (${erasedColumn}) on ${table} to current_user`);
}
