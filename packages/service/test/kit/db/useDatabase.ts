import { afterAll, beforeAll } from 'vitest';
import { type Engine, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { temporaryMigrations } from './migrationsFor.js';

/** A database with the schema of these statements, for the tests of a file or of a `describe`. */
export function useDatabase(engine: Engine, schema?: string) {
  let opened: TestDatabase;
  beforeAll(async () => {
    const migrations = temporaryMigrations(schema === undefined ? {} : { '0001_schema.sql': schema });
    opened = await openTestDatabase(engine, { migrations: migrations.folder });
    migrations.remove();
  });
  afterAll(() => opened?.close());
  return {
    get db() {
      return opened.db;
    },
    get url() {
      return opened.url;
    },
    get dataDir() {
      return opened.dataDir;
    },
  };
}
