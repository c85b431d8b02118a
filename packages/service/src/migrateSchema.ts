import { fileURLToPath } from 'node:url';
import type { Config } from './config.js';
import { type Database, type DatabaseLog, openDatabase } from './kit/db/database.js';
import { assertMigrated, canMigrate, migrate, NotMigratedError } from './kit/db/migrate.js';
import { packageFile } from './kit/packageFile.js';
import {
  addGroups,
  assertGroupsMigrated,
  GROUPS_CHANNEL,
  GroupsError,
  migrateGroups,
  openGroups,
} from './ledger/groups/groups.js';
import { grantToApplication } from './ledger/roles/grants.js';
import { currentRole, inspectRole, isApplicationRole, isGranted } from './ledger/roles/inspectRole.js';

const MIGRATIONS = fileURLToPath(packageFile('migrations/'));

interface SchemaDeps {
  config: Pick<Config, 'databaseMigrationUrl'>;
  /** As the application's role. */
  db: Database;
  log: DatabaseLog;
}

/**
 * Migrates the database: as the role of DATABASE_MIGRATION_URL if it is set, which then grants the
 * application's role what it needs, else as the role of DATABASE_URL if that owns the schema. A role
 * that does not own the schema checks only that all migrations ran.
 * Throws MigrationError, and NotMigratedError while another process still has to migrate.
 */
export async function migrateSchema({ config, db, log }: SchemaDeps): Promise<void> {
  const url = config.databaseMigrationUrl;
  if (url !== undefined) return asOwner(url, db, log, (owner) => migrateAll(owner, log));
  if (await canMigrate(db)) return migrateAll(db, log);
  await assertMigrated(db, MIGRATIONS);
  if (!(await isGranted(db))) {
    // The owner grants right after it has migrated.
    throw new NotMigratedError(
      'the role of DATABASE_URL was not granted what this version needs: run `npm run migrate` as the owner of the tables',
    );
  }
  await assertGroupsMigrated(db, MIGRATIONS);
}

/**
 * Adds ledger groups, as the role that `migrateSchema` uses, and grants the application's role what
 * it needs. Returns their numbers. Throws MigrationError and GroupsError.
 */
export async function addLedgerGroups(
  { config, db, log }: SchemaDeps,
  count: number,
  now: Date,
): Promise<number[]> {
  const add = (owner: Database) => addGroups(owner, MIGRATIONS, count, now);
  const url = config.databaseMigrationUrl;
  if (url === undefined && !(await canMigrate(db))) {
    throw new GroupsError(
      'The role of DATABASE_URL may not create schemas. Set DATABASE_MIGRATION_URL to the role that owns the tables.',
    );
  }
  const added = await (url === undefined ? add(db) : asOwner(url, db, log, add));
  await db.notify(GROUPS_CHANNEL); // running processes open the groups
  return added;
}

/** Runs `work` as the owner of the tables, then grants the application's role what it needs. */
async function asOwner<T>(
  databaseUrl: string,
  db: Database,
  log: DatabaseLog,
  work: (owner: Database) => Promise<T>,
): Promise<T> {
  const role = await currentRole(db);
  const owner = await openDatabase({ databaseUrl, poolSize: 1, log });
  try {
    const result = await work(owner);
    if ((await currentRole(owner)) === role) return result;
    for (const group of await openGroups(owner)) {
      await group.transaction((tx) => grantToApplication(tx, role));
    }
    log.info({ databaseRole: role }, 'the role of the application was granted its privileges');
    return result;
  } finally {
    await owner.close();
  }
}

async function migrateAll(db: Database, log: DatabaseLog): Promise<void> {
  const { applied } = await migrate(db, MIGRATIONS);
  if (applied.length > 0) log.info({ applied }, 'the database was migrated');
  await migrateGroups(db, MIGRATIONS);
}

/** Logs the role of this process, as a warning if it could rewrite the ledger. */
export async function reportRole(db: Database, log: DatabaseLog): Promise<void> {
  if (db.engine === 'pglite') return;
  const { role: databaseRole, ...rights } = await inspectRole(db);
  if (isApplicationRole(rights)) {
    log.info({ databaseRole }, 'the database role can append to the ledger and cannot change it');
    return;
  }
  log.warn(
    { databaseRole, ...rights },
    'the database role of DATABASE_URL could change the ledger or disable its triggers. Create a role for the ' +
      'application, use it in DATABASE_URL, and set DATABASE_MIGRATION_URL to the role that owns the tables ' +
      '(docs/OPERATIONS.md, Database roles)',
  );
}
