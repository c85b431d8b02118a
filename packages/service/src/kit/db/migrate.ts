import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaOfGroup } from './groups.js';
import { runScript } from './transaction.js';
import type { Database, Queryable, Tx } from './types.js';

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export class NotMigratedError extends MigrationError {}

/**
 * Runs the `0001_name.sql` files of the folder that the database has not run, in order, each in its
 * own transaction, and returns their names. Processes that start at the same time take turns.
 * Throws MigrationError if a file that has run was changed or is missing here: a newer version has
 * used the database, or one from before the first release.
 */
export async function migrate(db: Database, folder: string): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  // Most starts find nothing to do, and need no turn to see that. Not in a group: before it has this table of
  // its own, the name finds that of the first group, and the prepared statement would go on to.
  if (isUpToDate(migrations, await readIfThere(db))) return { applied: [] };
  return applyAll(db, migrations);
}

/** @param shared migrations of the first schema, whose tables all groups share. */
export async function migrateGroup(
  db: Database,
  folder: string,
  shared: ReadonlySet<string>,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder, shared);
  await db.transaction(async (tx) => {
    await takeTurn(tx);
    await runScript(tx, `create schema if not exists ${schemaOfGroup(db.ledgers.own)}`);
  });
  return applyAll(db, migrations);
}

// Citus passes statements on with the text that they came in, which then may hold one statement.
async function runnerOf(db: Queryable): Promise<typeof runScript> {
  const citus = await db.query("select 1 from pg_extension where extname = 'citus'");
  if (citus.length === 0) return runScript;
  return async (tx, script) => {
    for (const statement of statementsOf(script)) await runScript(tx, statement);
  };
}

async function applyAll(db: Database, migrations: Migration[]) {
  const run = await runnerOf(db);
  const applied: string[] = [];
  for (;;) {
    const name = await db.transaction((tx) => applyNext(tx, migrations, run));
    if (name === undefined) return { applied };
    applied.push(name);
  }
}

export async function canMigrate(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ mayCreate: boolean; ownsTables: boolean | null }>(
    `select has_schema_privilege(current_schema(), 'create') as may_create,
       (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('schema_migration')) as owns_tables`,
  );
  return row?.mayCreate === true && row.ownsTables !== false;
}

/** Writes nothing. @param shared for the schema of a ledger group. */
export async function assertMigrated(
  db: Queryable,
  folder: string,
  shared?: ReadonlySet<string>,
): Promise<void> {
  const next = nextOf(await readMigrations(folder, shared), await readIfThere(db));
  if (next === undefined) return;
  throw new NotMigratedError(
    `migration ${next.name} has not run, and the role of DATABASE_URL may not change tables. ` +
      'Run `npm run migrate`, or start one process, with DATABASE_MIGRATION_URL set to the role that owns the tables.',
  );
}

interface Applied {
  name: string;
  checksum: string;
}

interface Migration extends Applied {
  text: string;
}

async function readMigrations(folder: string, shared?: ReadonlySet<string>): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql') && !shared?.has(file)).sort();
  const numbers = new Set<string>();
  for (const file of files) {
    const number = FILE_NAME.exec(file)?.[1];
    if (number === undefined)
      throw new MigrationError(`${file} is not a migration name: rename it like 0001_what_it_does.sql`);
    if (numbers.has(number))
      throw new MigrationError(`two migrations have the number ${number}: give one the next free number`);
    numbers.add(number);
  }
  return Promise.all(files.map((file) => readMigration(folder, file)));
}

async function readMigration(folder: string, name: string): Promise<Migration> {
  // A checkout on Windows may have changed the line endings.
  const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
}

// Reads the applied migrations again under the lock: another process may have run some in the
// meantime.
async function applyNext(tx: Tx, migrations: Migration[], run: typeof runScript) {
  await takeTurn(tx);
  await tx.execute(CREATE_TABLE);
  const next = nextOf(migrations, await readApplied(tx));
  if (next === undefined) return undefined;
  await run(tx, next.text);
  const insert = 'insert into schema_migration (name, checksum, applied_at) values ($1, $2, now())';
  await tx.execute(insert, [next.name, next.checksum]);
  return next.name;
}

async function readIfThere(db: Queryable): Promise<Applied[]> {
  const [row] = await db.query<{ isReadable: boolean | null }>(
    "select has_table_privilege(to_regclass('schema_migration'), 'select') as is_readable",
  );
  return row?.isReadable ? readApplied(db) : [];
}

function isUpToDate(migrations: Migration[], applied: Applied[]): boolean {
  // Without any, the table of migrations may still be missing.
  if (applied.length === 0 || applied.length !== migrations.length) return false;
  return applied.every((done, at) => isSame(done, migrations[at]));
}

function isSame(done: Applied, here: Applied | undefined): here is Applied {
  return here?.name === done.name && here.checksum === done.checksum;
}

function readApplied(tx: Queryable): Promise<Applied[]> {
  return tx.query<Applied>('select name, checksum from schema_migration order by name collate "C"');
}

// The wait for the turn and the migration itself may take longer than the limits of a request; a
// wait for a busy table may not.
async function takeTurn(tx: Tx): Promise<void> {
  await runScript(
    tx,
    `set local statement_timeout = 0;
     set local lock_timeout = 0;
     select pg_advisory_xact_lock(${ADVISORY_LOCK});
     set local lock_timeout = '10s'`,
  );
}

function nextOf(migrations: Migration[], applied: Applied[]): Migration | undefined {
  for (const [position, done] of applied.entries()) {
    const here = migrations[position];
    if (isSame(done, here)) continue;
    throw new MigrationError(whyNot(done.name, migrations, here));
  }
  return migrations[applied.length];
}

function whyNot(name: string, migrations: Migration[], here: Migration | undefined): string {
  if (here?.name === name) {
    return `migration ${name} ran on this database with other contents than it has here. If you changed the file, restore it and write a new one instead. ${UNRELEASED}`;
  }
  if (migrations.some((migration) => migration.name === name)) {
    return `migration ${here?.name} would run after ${name}, which has run already. If you added the file, give it the next free number. ${UNRELEASED}`;
  }
  return `the database has migration ${name}, which this version does not know. If a newer version wrote it, start that version. ${UNRELEASED}`;
}

/** No version migrates what was made before the first release: its migrations were still edited. */
const UNRELEASED =
  'A database that was made by an unreleased version cannot be opened: create a new one, and report its events again.';

const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

// Any constant that never changes: 'migr' in ASCII.
const ADVISORY_LOCK = 0x6d696772;

const CREATE_TABLE = `
  create table if not exists schema_migration (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null
  )`;

/** Strings, quoted names, comments and bodies between dollar signs; any other character. */
const PART = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|(\$\w*\$)[\s\S]*?\1|\/\*[\s\S]*?\*\/|[\s\S]/g;

export function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let text = '';
  for (const [part] of script.matchAll(PART)) {
    if (part === ';') {
      statements.push(text);
      text = '';
    } else if (!part.startsWith('--')) text += part;
  }
  return [...statements, text].map((each) => each.trim()).filter((each) => each !== '');
}

/** Of the server. `version` is `server_version_num`: 150008 is 15.8. */
export async function readServerFacts(db: Queryable): Promise<{ version: number; now: Date }> {
  const [row] = await db.query<{ version: number; now: Date }>(
    `select current_setting('server_version_num')::integer as version, clock_timestamp() as now`,
  );
  if (!row) throw new Error('the server did not answer');
  return row;
}
