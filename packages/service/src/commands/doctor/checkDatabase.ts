import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../../config.js';
import { findDataKeys } from '../../firstStart.js';
import { type Database, openDatabase, sharesSessions } from '../../kit/db/database.js';
import { lockDataDir } from '../../kit/db/dataDirLock.js';
import { NotMigratedError } from '../../kit/db/migrate.js';
import { readServerFacts } from '../../kit/db/serverFacts.js';
import { createVault } from '../../kit/vault.js';
import { hasLedger } from '../../ledger/audit/store.js';
import { type DataKeyState, readDataKey } from '../../ledger/dataKey.js';
import { assertSchemaMigrated } from '../../migrateSchema.js';
import { commandLog } from '../withLedger.js';
import { type Check, checked, failed, fine, warning } from './check.js';

export interface CheckedDatabase {
  readonly checks: readonly Check[];
  /** The clock of the server; null if there is none. */
  readonly serverNow: Date | null;
  /** Whether DATA_KEY is the key of the database; null: not known. */
  readonly keyState: DataKeyState | null;
}

const OLDEST_VERSION = 150_000;
const NAME = 'database';

export async function checkDatabase(config: Config): Promise<CheckedDatabase> {
  const { databaseUrl } = config;
  if (databaseUrl === undefined) {
    return { checks: await checked(NAME, checkEmbedded(config)), serverNow: null, keyState: null };
  }
  let result: CheckedDatabase | null = null;
  const checks = await checked(
    NAME,
    (async () => {
      if (await sharesSessions(databaseUrl)) return [failed(NAME, POOLER)];
      const db = await openDatabase({ databaseUrl, poolSize: 1, log: commandLog });
      try {
        result = await checkServer(db, config);
        return [];
      } finally {
        await db.close();
      }
    })(),
  );
  return result ?? { checks, serverNow: null, keyState: null };
}

const POOLER =
  'DATABASE_URL points to a pooler that shares sessions between connections. Set pool_mode = session, or point it at PostgreSQL itself.';

async function checkEmbedded({ role, dataDir }: Config): Promise<Check[]> {
  if (role !== 'all') {
    throw new ConfigError(`ROLE=${role} needs DATABASE_URL. Set DATABASE_URL, or ROLE=all.`);
  }
  const folder = join(dataDir, 'database');
  const durable =
    'It survives a crash, not a power cut: use PostgreSQL (DATABASE_URL) for data you cannot lose.';
  if (!existsSync(folder)) return [fine(NAME, `The first start creates one in ${folder}.\n${durable}`)];
  const lock = await lockDataDir(folder, commandLog);
  await lock.release();
  return [fine(NAME, `The one in ${folder} is not in use.\n${durable}`)];
}

async function checkServer(db: Database, config: Config): Promise<CheckedDatabase> {
  const { version, now: serverNow } = await readServerFacts(db);
  const name = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  if (version < OLDEST_VERSION) {
    return {
      checks: [failed(NAME, `${name} is too old. Upgrade to PostgreSQL 15 or newer.`)],
      serverNow,
      keyState: null,
    };
  }
  if (!(await hasLedger(db))) {
    return {
      checks: [fine(NAME, `${name}; the first start creates the tables.`)],
      serverNow,
      keyState: null,
    };
  }
  const schema = await assertSchemaMigrated(db).then(
    () => fine(NAME, `${name}, every migration has run.`),
    (error: unknown) => {
      if (!(error instanceof NotMigratedError)) throw error;
      return warning(NAME, `${name}; migrations are due. The start runs them, or \`reliability migrate\`.`);
    },
  );
  return { checks: [schema], serverNow, keyState: await keyStateOf(db, config) };
}

/** Null without a key, which the check of the keys reports. */
async function keyStateOf(db: Database, config: Config): Promise<DataKeyState | null> {
  if (config.dataKey === undefined) return null;
  const { current, previous } = await findDataKeys(config);
  return readDataKey(db, createVault(current, previous));
}
