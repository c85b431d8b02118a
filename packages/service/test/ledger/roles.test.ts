import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { APPLICATION_ROLE } from '#harness/applicationRole.js';
import { asApplication, engines, hasPostgres, openTestDatabase } from '#harness/engines.js';
import { serviceMigrations } from '#harness/migrationsFolder.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { quietLog } from '#harness/quietLog.js';
import type { Database } from '#kit/db/database.js';
import { codeOf } from '#kit/db/errors.js';
import { NotMigratedError } from '#kit/db/migrate.js';
import { runScript } from '#kit/db/transaction.js';
import {
  forbiddenPrivileges,
  grantToApplication,
  inspectRole,
  isApplicationRole,
  tablePrivileges,
} from '#ledger/roles/privileges.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { hasPlatform } from '../../src/features/tenancy/platforms/addPlatform.js';
import { addGroups, openSchemas } from '../../src/shape/groups/groups.js';
import { migrateSchema, reportRole } from '../../src/start/migrateSchema.js';
import { addPlatform, append, ledgerOn, outcome, recomputeQueued, reporter } from './deps.js';

const PERMISSION_DENIED = '42501';

describe.each(engines)('the privileges of the application on %s', (engine) => {
  const opened = ownDatabase(engine);

  test('are decided for every table of the schema', async () => {
    const tables = await opened.db.query<{ name: string }>(
      `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`,
    );
    const undecided = tables.map(({ name }) => name).filter((name) => tablePrivileges[name] === undefined);
    const advice =
      'a table without a decision about its privileges: add it to ledger/roles/privileges.ts. The role of the ' +
      'application gets nothing else, so the service would fail there.';
    expect(undecided, advice).toEqual([]);
    expect(Object.keys(tablePrivileges)).toHaveLength(tables.length);
  });

  test('allow no deletion from a table that refuses it by a trigger', async () => {
    const guarded = await opened.db.query<{ name: string }>(
      `select distinct tgrelid::regclass::text as name from pg_trigger
       where tgfoid = 'refuse_ledger_change'::regproc and (tgtype & 8) <> 0`,
    );
    expect(guarded.length).toBeGreaterThan(6);
    for (const { name } of guarded) {
      expect(forbiddenPrivileges(tablePrivileges[name] ?? 'insert, update, delete'), name).toContain(
        'DELETE',
      );
    }
  });
});

describe.runIf(hasPostgres)('the role of the application', () => {
  const opened = ownDatabase('postgresql');
  let application: Database;
  beforeAll(() => {
    application = asApplication(opened.db);
  });

  const forbidden = Object.entries(tablePrivileges).flatMap(([table, privileges]) => {
    const noDelete = forbiddenPrivileges(privileges).includes('DELETE');
    return [`truncate ${table}`, ...(noDelete ? [`delete from ${table} where false`] : [])];
  });

  test.each([
    ['delete from the ledger and its log, or truncate a table', forbidden],
    [
      'change a column of a fact',
      [
        'update event set created_at = now()',
        'update event_text set metadata = null',
        'update event set position = 1',
        "update subject set external_id = 'other'",
        'update subject set livemode = false',
        'update declaration_fact set is_own = true',
        'update subject_link set record_id = subject_id',
        "update freeze_fact set action = 'set'",
        'update dispute set opened_at = now()',
        'update score_snapshot set final_score = 100',
        'update log_fact set d = salt',
        'update log_checkpoint set note = note',
        "update log_note set fact = '{}'",
        'update schema_migration set checksum = name',
      ],
    ],
    [
      'disable triggers or change the schema',
      [
        'alter table event disable trigger all',
        'drop trigger event_never_deleted on event',
        'set session_replication_role = replica',
        'create trigger mine before insert on event for each row execute function refuse_ledger_change()',
        `create or replace function refuse_ledger_change() returns trigger language plpgsql as 'begin return old; end'`,
        'create table mine ()',
        'drop table event',
        'alter table event owner to current_user',
      ],
    ],
  ])('cannot %s', async (_, statements) => {
    for (const statement of statements) {
      const refused = application.transaction((tx) => runScript(tx, statement));
      await expect(refused, statement).rejects.toSatisfy((error) => codeOf(error) === PERMISSION_DENIED);
    }
  });

  test('deletes no live row with the functions of the owner', async () => {
    const { platformId: platform } = reporter;
    const id = subjectIdOf(platform, true, 'worker-1');
    await addPlatform(opened.db);
    await append(ledgerOn(opened.db), [outcome({ externalId: 'worker-1' })]);
    await recomputeQueued(opened.db);
    await application.query('select delete_test_subjects($1)', [platform]);
    await application.query('select delete_test_facts($1::uuid[])', [[id]]);
    await application.query('select delete_decay_snapshots($1::uuid[], $2::integer[])', [[id], [1]]);
    for (const table of ['subject', 'event', 'tally', 'score_snapshot']) {
      expect(await opened.db.query(`select 1 from ${table} where subject_id = $1`, [id]), table).toHaveLength(
        1,
      );
    }
  });

  test('can put no table of its own before the ledger in those functions', async () => {
    await application.transaction(async (tx) => {
      await runScript(tx, 'create temporary table event (subject_id uuid, livemode boolean) on commit drop');
      const id = randomUUID();
      await tx.execute('insert into pg_temp.event values ($1, false)', [id]);
      await tx.query('select delete_test_facts($1::uuid[])', [[id]]);
      expect(await tx.query('select 1 from pg_temp.event')).toHaveLength(1);
    });
  });

  test('is told from one that could change the ledger, at the start', async () => {
    const facts = await inspectRole(application);
    expect(facts).toMatchObject({ isSuperuser: false, ownsLedger: false, surplus: [] });
    expect(isApplicationRole(facts)).toBe(true);
    await opened.db.execute('grant delete on event to reliability_test_application');
    expect(await inspectRole(application)).toMatchObject({ surplus: ['DELETE on event'] });
    await opened.db.execute('revoke delete on event from reliability_test_application');

    expect(JSON.stringify(await reported([application]))).toContain('cannot change it');
    const [warning] = await reported([opened.db]);
    expect(warning).toMatchObject({ level: 40, msg: expect.stringContaining('DATABASE_MIGRATION_URL') });
  });
});

describe.runIf(hasPostgres)('a role without privileges', () => {
  test('waits for the owner: nothing is read, and no table is changed', async () => {
    const opened = await openTestDatabase('postgresql');
    const application = asApplication(opened.db);
    const start = () =>
      migrateSchema({ config: { databaseMigrationUrl: undefined }, db: application, log: quietLog });
    await start();
    expect(await hasPlatform(application)).toBe(false);
    await opened.db.execute(`revoke all on all tables in schema public from ${APPLICATION_ROLE}`);
    expect(await hasPlatform(application)).toBe(false);
    await expect(start()).rejects.toThrow(NotMigratedError);
    await opened.db.transaction((tx) => grantToApplication(tx, APPLICATION_ROLE));
    await opened.db.execute(`revoke all on installation from ${APPLICATION_ROLE}`);
    await expect(start()).rejects.toThrow('was not granted what this version needs');
    await opened.db.execute(
      `delete from schema_migration where name = (select max(name) from schema_migration)`,
    );
    await expect(start()).rejects.toThrow('has not run, and the role of DATABASE_URL may not change tables');
    await opened.close();
  });
});

describe.runIf(hasPostgres)('a ledger group that the owner added alone', () => {
  test('is named by the start, with the command that grants the rights on it', async () => {
    const opened = await openTestDatabase('postgresql');
    const config = { databaseMigrationUrl: undefined };
    const start = () => migrateSchema({ config, db: asApplication(opened.db), log: quietLog });
    const [added = 0] = await addGroups(opened.db, serviceMigrations, 1, new Date());
    const message = new RegExp(`no rights on ledger_group_${added}.*npm run migrate`);
    await expect(start()).rejects.toThrow(message);
    await expect(start()).rejects.toThrow(NotMigratedError);
    const schema = (await openSchemas(opened.db))[added];
    await schema?.transaction((tx) => grantToApplication(tx, APPLICATION_ROLE));
    expect(await start()).toEqual([]);
    await schema?.execute('grant delete on event to reliability_test_application');
    expect(await reported(await openSchemas(asApplication(opened.db)))).toMatchObject([
      { level: 40, group: added, surplus: ['DELETE on event'] },
    ]);
    await opened.close();
  });
});

test('the embedded database has one role, about which the start says nothing', async () => {
  const opened = await openTestDatabase('pglite');
  expect(await reported([opened.db])).toEqual([]);
  await opened.close();
});

/** The lines that a start logs about the roles. */
async function reported(groups: Parameters<typeof reportRole>[0]): Promise<object[]> {
  const lines: object[] = [];
  await reportRole(groups, pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }));
  return lines;
}
