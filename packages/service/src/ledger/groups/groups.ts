import type { Database } from '../../kit/db/database.js';
import { MAX_GROUP } from '../../kit/db/groups.js';
import { assertMigrated, migrateGroup, type SharedSchema } from '../../kit/db/migrate.js';
import { findGroups, insertGroup, readSharedSchema } from './store.js';
import { GLOBAL_MIGRATIONS, globalTables, LAST_MIXED_MIGRATION } from './tables.js';

/** Processes that listen here open groups that were added. */
export const GROUPS_CHANNEL = 'groups';

/** A handle for each group; the one at place 0 is `db` itself. */
export async function openGroups(db: Database): Promise<Database[]> {
  const groups = await findGroups(db);
  if (groups.length === 1) return [db];
  const shared = await readSharedSchema(db);
  return groups.map((group) => (group === 0 ? db : db.inGroup(group, shared)));
}

/** Migrates the schemas of all groups but the first. Returns how many migrations ran. */
export async function migrateGroups(db: Database, folder: string): Promise<number> {
  const [, ...others] = await openGroups(db);
  let count = 0;
  for (const group of others) count += await migrateOne(group, folder);
  return count;
}

/**
 * Adds groups with the next numbers, each with its own schema, and returns their numbers. Platforms
 * are placed in them from then on. A run after a crash continues with the schema that is there.
 */
export async function addGroups(db: Database, folder: string, count: number, now: Date): Promise<number[]> {
  const shared = await readSharedSchema(db);
  const added: number[] = [];
  while (added.length < count) {
    const group = (await findGroups(db)).length;
    if (group > MAX_GROUP) throw new GroupsError(`A database has at most ${MAX_GROUP + 1} groups.`);
    await migrateOne(db.inGroup(group, shared), folder);
    // Last: nobody uses a schema that is not complete. Another process may have added the same.
    if (await insertGroup(db, group, now)) added.push(group);
  }
  return added;
}

/** The groups cannot be changed so. The message is for the operator. */
export class GroupsError extends Error {
  override readonly name = 'GroupsError';
}

/** Checks without writing that the schemas of all groups are up to date. Throws NotMigratedError. */
export async function assertGroupsMigrated(db: Database, folder: string): Promise<void> {
  const [, ...others] = await openGroups(db);
  for (const group of others) await assertMigrated(group, folder, SHARED);
}

const SHARED: SharedSchema = {
  tables: globalTables,
  migrations: GLOBAL_MIGRATIONS,
  lastMixed: LAST_MIXED_MIGRATION,
};

async function migrateOne(group: Database, folder: string): Promise<number> {
  const { applied } = await migrateGroup(group, folder, SHARED);
  return applied.length;
}
