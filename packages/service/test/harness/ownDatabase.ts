import { afterAll, beforeAll } from 'vitest';
import type { Database } from '#kit/db/database.js';
import { type Engine, openTestDatabase, type TestDatabase } from './engines.js';

/** A database of the suite that calls this: opened before its tests, deleted after them. */
export function ownDatabase(engine: Engine): { readonly db: Database; readonly url: string | undefined } {
  let opened: TestDatabase | undefined;
  beforeAll(async () => {
    opened = await openTestDatabase(engine);
  });
  afterAll(() => opened?.close());
  const database = () => opened ?? expectOpen();
  return {
    get db() {
      return database().db;
    },
    get url() {
      return database().url;
    },
  };
}

function expectOpen(): never {
  throw new Error('the database is there in tests and hooks alone');
}
