import type pg from 'pg';

/** Loads tables without their keys and indexes, which are built again afterwards: much faster for a large table. */
export async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  say: (line: string) => void,
  load: () => Promise<void>,
): Promise<void> {
  const definitions = await dropIndexes(client, tables);
  await load();
  const startedAt = performance.now();
  await client.query(`set maintenance_work_mem = '1GB'`);
  for (const definition of definitions) await client.query(definition);
  await client.query('reset maintenance_work_mem');
  say(`  ${definitions.length} indexes built in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

/** Returns the statements that build them again. */
async function dropIndexes(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ drops: string; builds: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drops,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as builds
     from pg_constraint where contype in ('p', 'u') and conrelid = any($1::text[]::regclass[])
     union all
     select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
     from pg_index where indrelid = any($1::text[]::regclass[])
       and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    [tables],
  );
  for (const { drops } of rows) await client.query(drops);
  return rows.map(({ builds }) => builds);
}
