import type { Database } from '#kit/db/database.js';
import { schemaOfGroup } from '#kit/db/groups.js';
import { runScript } from '#kit/db/transaction.js';
import { globalTables } from '#ledger/groups/store.js';
import { tablePrivileges } from '#ledger/roles/privileges.js';

/** Holds a view of each tenant table with the rows of all ledger groups. */
export const ALL_GROUPS = 'all_groups';

/**
 * Lets the tests of several groups read and change any platform's rows with one handle: the view has
 * the rows of all groups, and a trigger writes to the group of the row.
 */
export async function createViews(db: Database, groups: number): Promise<void> {
  const schemas = Array.from({ length: groups }, (_, group) =>
    group === 0 ? 'public' : schemaOfGroup(group),
  );
  const shared = new Set<string>([...globalTables, 'schema_migration']);
  const tables = Object.keys(tablePrivileges).filter((table) => !shared.has(table));
  const views = tables.map(
    (table) => `
      create view ${ALL_GROUPS}.${table} as ${schemas.map((schema) => `select * from ${schema}.${table}`).join(' union all ')};
      create trigger write_through instead of insert or update or delete on ${ALL_GROUPS}.${table}
        for each row execute function ${ALL_GROUPS}.write_through();`,
  );
  await db.transaction((tx) =>
    runScript(
      tx,
      `create schema ${ALL_GROUPS};
       ${writeThrough(schemas)}
       ${views.join('')}`,
    ),
  );
}

/** Names the row by its key, and sets the columns that the statement gives or changes. */
function writeThrough(schemas: readonly string[]): string {
  return `
create function ${ALL_GROUPS}.write_through() returns trigger language plpgsql as $$
declare
  target text; keys text; columns text; affected bigint;
  before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
begin
  if tg_op = 'INSERT' then
    target := 'public';
    if after ? 'platform_id' then
      select case group_id when 0 then 'public' else 'ledger_group_' || group_id end into target
      from public.platform where platform_id = (after ->> 'platform_id')::uuid;
    elsif after ? 'subject_id' then
      ${schemas
        .map(
          (schema) =>
            `if exists (select from ${schema}.subject where subject_id = (after ->> 'subject_id')::uuid) then target := '${schema}'; end if;`,
        )
        .join('\n      ')}
    end if;
    select string_agg(quote_ident(key), ', ') into columns from jsonb_each(after) where value <> 'null';
    execute format('insert into %I.%I (%s) select %3$s from jsonb_populate_record(null::%1$I.%2$I, $1)',
      coalesce(target, 'public'), tg_table_name, columns) using after;
    return new;
  end if;
  select string_agg(quote_ident(a.attname), ', ') into keys
  from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
  where i.indrelid = format('public.%I', tg_table_name)::regclass and i.indisprimary;
  select string_agg(quote_ident(key), ', ') into columns
  from jsonb_each(after) where value is distinct from before -> key;
  if tg_op = 'UPDATE' and columns is null then return new; end if;
  foreach target in array '{${schemas.join(',')}}'::text[] loop
    if tg_op = 'DELETE' then
      execute format('delete from %I.%I where (%s) = (select %3$s from jsonb_populate_record(null::%1$I.%2$I, $1))',
        target, tg_table_name, keys) using before;
    else
      execute format('update %I.%I set (%4$s) = (select %4$s from jsonb_populate_record(null::%1$I.%2$I, $2))
        where (%3$s) = (select %3$s from jsonb_populate_record(null::%1$I.%2$I, $1))',
        target, tg_table_name, keys, columns) using before, after;
    end if;
    get diagnostics affected = row_count;
    exit when affected > 0;
  end loop;
  return coalesce(new, old);
end $$;`;
}
