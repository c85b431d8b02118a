import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APPLICATION_ROLE } from '#harness/applicationRole.js';
import {
  asApplication,
  engines,
  hasPostgres,
  openTestDatabase,
  type TestDatabase,
} from '#harness/engines.js';
import { serviceMigrations } from '#harness/migrationsFolder.js';
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
import { hasPlatform } from '../../src/features/tenancy/platforms/addPlatform.js';
import { addGroups, openSchemas } from '../../src/shape/groups/groups.js';
import { migrateSchema, reportRole } from '../../src/start/migrateSchema.js';

const PERMISSION_DENIED = '42501';

describe.each(engines)('the privileges of the application on %s', (engine) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openTestDatabase(engine);
  });
  afterAll(() => opened.close());

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
  let opened: TestDatabase;
  let application: Database;
  beforeAll(async () => {
    opened = await openTestDatabase('postgresql');
    application = asApplication(opened.db);
  });
  afterAll(() => opened.close());

  const refused = async (statement: string) => {
    const error = await application
      .transaction((tx) => runScript(tx, statement))
      .then(
        () => null,
        (thrown: unknown) => thrown,
      );
    expect(codeOf(error), statement).toBe(PERMISSION_DENIED);
  };

  test('can neither delete from the ledger and its log nor truncate them', async () => {
    for (const [table, privileges] of Object.entries(tablePrivileges)) {
      if (forbiddenPrivileges(privileges).includes('DELETE'))
        await refused(`delete from ${table} where false`);
      await refused(`truncate ${table}`);
    }
  });

  test('can change no column of a fact', async () => {
    for (const statement of [
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
    ]) {
      await refused(statement);
    }
  });

  test('can neither disable triggers nor change the schema', async () => {
    for (const statement of [
      'alter table event disable trigger all',
      'drop trigger event_never_deleted on event',
      'set session_replication_role = replica',
      'create trigger mine before insert on event for each row execute function refuse_ledger_change()',
      `create or replace function refuse_ledger_change() returns trigger language plpgsql as 'begin return old; end'`,
      'create table mine ()',
      'drop table event',
      'alter table event owner to current_user',
    ]) {
      await refused(statement);
    }
  });

  test('deletes no live row with the functions of the owner', async () => {
    const id = randomUUID();
    const platform = randomUUID();
    await opened.db.execute(
      `insert into subject (subject_id, platform_id, livemode, external_id, record_id, registered_at)
       values ($1, $2, true, 'worker-1', $1, now())`,
      [id, platform],
    );
    await opened.db.execute('insert into tally (subject_id, day, code, count) values ($1, 1, 1, 1)', [id]);
    await opened.db.execute(
      `insert into event (subject_id, event_id, platform_id, livemode, position, event_type, stake_level, is_verified,
         platform_tier, created_at)
       values ($1, gen_random_uuid(), $2, true, 1, 'CONTRACT_FULFILLED', 'LOW', false, 'STARTER', now())`,
      [id, platform],
    );
    await opened.db.execute(
      `insert into score_snapshot (subject_id, snapshot_no, platform_id, livemode, final_score, score_band, confidence,
         behavioral_quality, total_events, verified_events, factors, components, reason_codes,
         formula_version, as_of, positions, computed_at)
       values ($1, 1, $2, true, 50, 'Fair', 0, 0, 1, 0, '{}', '{}', '{}', '5.3', 1, '{}', now())`,
      [id, platform],
    );
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

    const lines = () => {
      const written: string[] = [];
      return { written, log: pino({}, { write: (line: string) => written.push(line) }) };
    };
    const separate = lines();
    await reportRole([application], separate.log);
    expect(separate.written.join()).toContain('cannot change it');
    const owner = lines();
    await reportRole([opened.db], owner.log);
    expect(owner.written.join()).toMatch(/"level":40.*DATABASE_MIGRATION_URL/);
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
    const written: string[] = [];
    const log = pino({}, { write: (line: string) => written.push(line) });
    await reportRole(await openSchemas(asApplication(opened.db)), log);
    expect(written.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, group: added, surplus: ['DELETE on event'] },
    ]);
    await opened.close();
  });
});

test('the embedded database has one role, about which the start says nothing', async () => {
  const opened = await openTestDatabase('pglite');
  const refuse = () => {
    throw new Error('nothing to log');
  };
  await reportRole([opened.db], { ...quietLog, info: refuse, warn: refuse });
  await opened.close();
});
