import type { Database } from '../../src/kit/db/database.js';
import { runScript } from '../../src/kit/db/transaction.js';

/**
 * Creates functions with the names of Citus' own. They distribute nothing: they record the calls
 * and refuse the same as Citus: a table with triggers, a unique key without the distribution
 * column, and a table colocated with one that is not distributed.
 */
export async function pretendCitus(db: Database): Promise<void> {
  await db.transaction((tx) => runScript(tx, STAND_IN));
}

const STAND_IN = `
  create table pg_dist_partition (logicalrelid regclass primary key, partkey text, colocated_with text);

  create function create_reference_table(table_name regclass) returns void language plpgsql as $$
  begin
    if exists (select from pg_trigger where tgrelid = table_name and not tgisinternal) then
      raise exception 'cannot distribute relation "%" because it has triggers', table_name;
    end if;
    insert into pg_dist_partition values (table_name, null, null);
  end $$;

  create function create_distributed_table(table_name regclass, distribution_column text,
    distribution_type text default 'hash', colocate_with text default 'default') returns void language plpgsql as $$
  begin
    if exists (select from pg_trigger where tgrelid = table_name and not tgisinternal) then
      raise exception 'cannot distribute relation "%" because it has triggers', table_name;
    end if;
    if exists (
      select from pg_index x where x.indrelid = table_name and x.indisunique and not exists (
        select from pg_attribute a where a.attrelid = table_name and a.attname = distribution_column
          and a.attnum = any (x.indkey::int2[])
      )
    ) then
      raise exception 'cannot create constraint on "%": it must include the distribution column', table_name;
    end if;
    if colocate_with not in ('none', 'default')
      and not exists (select from pg_dist_partition where logicalrelid = colocate_with::regclass) then
      raise exception 'relation % is not distributed', colocate_with;
    end if;
    insert into pg_dist_partition values (table_name, distribution_column, colocate_with);
  end $$`;
