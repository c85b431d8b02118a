import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../kit/db/database.js';
import { NotMigratedError } from '../../kit/db/migrate.js';
import { readServerFacts } from '../../kit/db/serverFacts.js';
import { createVault } from '../../kit/vault.js';
import { hasLedger } from '../../ledger/audit/store.js';
import { type DataKeyState, readDataKey } from '../../ledger/dataKey.js';
import { headFileIn } from '../../ledger/log/headFile.js';
import { lockDataDir } from '../../shape/embedded/dataDirLock.js';
import { openGroups } from '../../shape/groups/groups.js';
import { openDatabase } from '../../shape/openDatabase.js';
import { changedHostText, findChangedHost } from '../../start/baseHost.js';
import { type Config, ConfigError } from '../../start/config.js';
import { findDataKeys } from '../../start/firstStart.js';
import { assertLogsAreWhole } from '../../start/logLosses.js';
import { assertSchemaMigrated } from '../../start/migrateSchema.js';
import { assertOwnSessions } from '../../start/ownSessions.js';
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
  const { databaseUrl, stateFolder } = config;
  if (databaseUrl === undefined) {
    return { checks: await checked(NAME, checkEmbedded(config)), serverNow: null, keyState: null };
  }
  let result: CheckedDatabase | null = null;
  const checks = await checked(
    NAME,
    (async () => {
      await assertOwnSessions('DATABASE_URL', databaseUrl);
      const db = await openDatabase({
        databaseUrl,
        poolSize: 1,
        stateFolder,
        log: commandLog,
        transactionLimitMs: null,
      });
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
  const keyState = await keyStateOf(db, config);
  try {
    await assertSchemaMigrated(db);
  } catch (error) {
    if (!(error instanceof NotMigratedError)) throw error;
    const due = `${name}; migrations are due. The start runs them, or \`reliability migrate\`.`;
    return { checks: [warning(NAME, due)], serverNow, keyState };
  }
  const migrated = fine(NAME, `${name}, every migration has run.`);
  const logs = await checked('log', checkLogs(db, config));
  const changed = await findChangedHost(db, config);
  const host = changed ? [warning('BASE_URL', changedHostText(changed))] : [];
  return { checks: [migrated, ...logs, ...host], serverNow, keyState };
}

/** What a start compares: no backup was restored that lacks signed leaves. */
async function checkLogs(db: Database, { logStateDir, logWitnesses: witnesses }: Config): Promise<Check[]> {
  const headOf = (group: number) => (logStateDir === undefined ? null : headFileIn(logStateDir, group));
  await assertLogsAreWhole(await openGroups(db), { headOf, witnesses });
  return [fine('log', 'It contains every signed leaf that is known outside of the database.')];
}

/** Null without a key, which the check of the keys reports. */
async function keyStateOf(db: Database, config: Config): Promise<DataKeyState | null> {
  if (config.dataKey === undefined) return null;
  const { current, previous } = await findDataKeys(config);
  return readDataKey(db, createVault(current, previous));
}
