import { afterAll, beforeAll } from 'vitest';
import { type Engine, openTestDatabase, type TestDatabase } from './engines.js';

/** A database of the suite that calls this: opened before its tests, deleted after them. */
export function ownDatabase(engine: Engine, open = () => openTestDatabase(engine)) {
  let opened: TestDatabase | undefined;
  beforeAll(async () => {
    opened = await open();
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
    get dataDir() {
      return database().dataDir;
    },
  };
}

function expectOpen(): never {
  throw new Error('the database is there in tests and hooks alone');
}
