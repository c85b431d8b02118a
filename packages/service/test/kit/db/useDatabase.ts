import { type Engine, openTestDatabase } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { temporaryMigrations } from './migrationsFor.js';

/** A database with the schema of these statements, for the tests of a file or of a `describe`. */
export function useDatabase(engine: Engine, schema?: string) {
  return ownDatabase(engine, async () => {
    const migrations = temporaryMigrations(schema === undefined ? {} : { '0001_schema.sql': schema });
    const opened = await openTestDatabase(engine, { migrations: migrations.folder });
    migrations.remove();
    return opened;
  });
}
