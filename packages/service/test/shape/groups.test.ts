import { beforeAll, describe, expect, test } from 'vitest';
import { hasCitus, hasPostgres } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { serviceMigrations } from '#harness/migrationsFolder.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { quietLog } from '#harness/quietLog.js';
import { type Database, DatabaseUnavailableError } from '#kit/db/database.js';
import { globalTables } from '#ledger/groups/store.js';
import { tablePrivileges } from '#ledger/roles/privileges.js';
import { DistributedGroup } from '../../src/shape/citus/distributedGroup.js';
import { addGroups, inspectGroups, openGroups } from '../../src/shape/groups/groups.js';
import { createQueueWatch, findQueuedWork } from '../../src/shape/groups/queueWatch.js';

const shared = new Set<string>(globalTables);
const tenantTables = Object.keys(tablePrivileges)
  .filter((name) => !shared.has(name))
  .sort();

describe.skipIf(!hasPostgres)('the schemas of ledger groups', () => {
  const opened = ownDatabase('postgresql');
  let groups: Database[];

  beforeAll(async () => {
    await addGroups(opened.db, serviceMigrations, 2, new Date());
    groups = (await openGroups(opened.db)).slice(-2);
  });

  test('a group has every tenant table and no global one', async () => {
    for (const db of groups) expect(await tablesOf(db)).toEqual(tenantTables);
  });

  test('columns, indexes, constraints, triggers and functions are those of the first schema', async () => {
    const first = await definitionOf(opened.db);
    for (const db of groups) expect(await definitionOf(db)).toEqual(first);
  });

  test('every migration is recorded once, and a second start runs none', async () => {
    expect(await inspectGroups(opened.db, serviceMigrations)).toEqual({ behind: new Map(), away: [] });
    const numbers = groups.map(({ ledgers }) => ledgers.own);
    expect(numbers).toEqual([...new Set(numbers)]);
    expect(numbers).not.toContain(0);
  });

  test('one statement tells which groups have something queued', async () => {
    const all = [opened.db, ...groups];
    // The nodes of a cluster are asked one by one.
    const servers = hasCitus ? all.map((db) => [db]) : [all];
    const look = async () => {
      const found = [];
      for (const each of servers) found.push(...(await findQueuedWork(opened.db, each)));
      return found;
    };
    expect(await look()).toEqual([]);
    const [, db] = groups;
    await db?.execute('insert into recompute_queue (record_id, enqueued_at) values ($1, $2)', [
      '0199a3c2-7b1e-8c40-8d21-5f0c9b7a1e34',
      new Date(),
    ]);
    const scores = { scores: true, facts: false, deliveries: false, jobs: false };
    expect(await look()).toEqual([{ group: db?.ledgers.own, ...scores }]);
    const found = await new Promise((resolve) => {
      const watch = createQueueWatch({
        db: opened.db,
        log: quietLog,
        groups: () => groups,
        onQueued: (group, queued) => resolve(watch.stop().then(() => ({ group, ...queued }))),
      });
      watch.start();
    });
    expect(found).toEqual({ group: db?.ledgers.own, ...scores });
    await db?.execute('delete from recompute_queue');
    await opened.db.execute(
      `insert into outbox_queue (target_id, envelope_id, platform_id, kind, due_at)
       values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'webhook', now())`,
    );
    const deliveries = { ...scores, scores: false, deliveries: true };
    expect(await look()).toEqual([{ group: 0, ...deliveries }]);
  });

  test('a group whose node does not answer delays no look at the others', async () => {
    const [db] = groups;
    await db?.execute(
      'insert into recompute_queue (record_id, enqueued_at) values (gen_random_uuid(), now())',
    );
    let answer = (_: Error): void => {};
    const hanging = new DistributedGroup({
      group: 998,
      coordinator: opened.db,
      locate: () => new Promise((_, reject) => (answer = reject)),
      prepare: async () => {},
    });
    let looks = 0;
    const watch = createQueueWatch({
      db: opened.db,
      log: quietLog,
      groups: () => [hanging, ...groups],
      onQueued: (group) => {
        if (group === db?.ledgers.own) looks += 1;
      },
    });
    watch.start();
    await eventually(() => looks >= 2);
    answer(new DatabaseUnavailableError('away'));
    await watch.stop();
  });

  test('the ledger of a group refuses changes, too', async () => {
    const [db] = groups;
    await expect(db?.execute('truncate event')).rejects.toThrow();
  });
});

async function tablesOf(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace order by 1`,
  );
  return rows.map(({ name }) => name).sort();
}

/** Everything about the tenant tables, without the name of the schema. */
async function definitionOf(db: Database): Promise<object[]> {
  const rows = await db.query<{ what: string }>(
    `with own as (
       select oid, relname from pg_class where relnamespace = current_schema()::regnamespace and relname = any($1::text[])
     )
     select format('column %s.%s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull,
         pg_get_expr(adbin, adrelid)) as what
       from own join pg_attribute on attrelid = own.oid left join pg_attrdef on adrelid = own.oid and adnum = attnum
       where attnum > 0 and not attisdropped
     union all select 'index ' || pg_get_indexdef(indexrelid) from own join pg_index on indrelid = own.oid
     union all select format('constraint %s %s', relname, pg_get_constraintdef(c.oid))
       from own join pg_constraint c on conrelid = own.oid
     union all select 'trigger ' || pg_get_triggerdef(t.oid)
       from own join pg_trigger t on tgrelid = own.oid where not tgisinternal
     union all select 'function ' || proname || ' ' || prosrc from pg_proc where pronamespace = current_schema()::regnamespace
       and proname not like 'ledger_group_%' -- of the whole cluster
     order by 1`,
    [tenantTables],
  );
  const [{ schema } = { schema: '' }] = await db.query<{ schema: string }>(
    'select current_schema()::text as schema',
  );
  // Citus writes the conditions of triggers with brackets of its own.
  return rows.map(({ what }) => ({ what: what.replaceAll(`${schema}.`, '').replace(/[()]/g, '') }));
}
