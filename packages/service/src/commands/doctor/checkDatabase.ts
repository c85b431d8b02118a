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
import { checked, type Finding, failed, fine, warning } from './check.js';

/** What other checks need of the database. */
export interface DatabaseFacts {
  /** The clock of the server; null if there is none. */
  serverNow: Date | null;
  /** Whether DATA_KEY is the key of the database; null: not known. */
  keyState: DataKeyState | null;
}

const OLDEST_VERSION = 150_000;

/** @param facts are filled. */
export async function* checkDatabase(config: Config, facts: DatabaseFacts): AsyncGenerator<Finding> {
  const { databaseUrl, stateFolder } = config;
  if (databaseUrl === undefined) return yield await checkEmbedded(config);
  await assertOwnSessions('DATABASE_URL', databaseUrl);
  const log = commandLog;
  const db = await openDatabase({ databaseUrl, poolSize: 1, stateFolder, log, transactionLimitMs: null });
  try {
    yield* checkServer(db, config, facts);
  } finally {
    await db.close();
  }
}

async function checkEmbedded({ role, dataDir }: Config): Promise<Finding> {
  if (role !== 'all') {
    throw new ConfigError(`ROLE=${role} needs DATABASE_URL. Set DATABASE_URL, or ROLE=all.`);
  }
  const folder = join(dataDir, 'database');
  const durable =
    'It survives a crash, not a power cut: use PostgreSQL (DATABASE_URL) for data you cannot lose.';
  if (!existsSync(folder)) return fine(`The first start creates one in ${folder}.\n${durable}`);
  const lock = await lockDataDir(folder, commandLog);
  await lock.release();
  return fine(`The one in ${folder} is not in use.\n${durable}`);
}

async function* checkServer(db: Database, config: Config, facts: DatabaseFacts): AsyncGenerator<Finding> {
  const { version, now } = await readServerFacts(db);
  facts.serverNow = now;
  const name = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  if (version < OLDEST_VERSION) return yield failed(`${name} is too old. Upgrade to PostgreSQL 15 or newer.`);
  if (!(await hasLedger(db))) return yield fine(`${name}; the first start creates the tables.`);
  facts.keyState = await keyStateOf(db, config);
  try {
    await assertSchemaMigrated(db);
  } catch (error) {
    if (!(error instanceof NotMigratedError)) throw error;
    return yield warning(`${name}; migrations are due. The start runs them, or \`reliability migrate\`.`);
  }
  yield fine(`${name}, every migration has run.`);
  yield* checked('log', checkLogs(db, config));
  const changed = await findChangedHost(db, config);
  if (changed) yield { ...warning(changedHostText(changed)), name: 'BASE_URL' };
}

/** What a start compares: no backup was restored that lacks signed leaves. */
async function* checkLogs(
  db: Database,
  { logStateDir, logWitnesses: witnesses }: Config,
): AsyncGenerator<Finding> {
  const headOf = (group: number) => (logStateDir === undefined ? null : headFileIn(logStateDir, group));
  await assertLogsAreWhole(await openGroups(db), { headOf, witnesses });
  yield fine('It contains every signed leaf that is known outside of the database.');
}

/** Null without a key, which the check of the keys reports. */
async function keyStateOf(db: Database, config: Config): Promise<DataKeyState | null> {
  if (config.dataKey === undefined) return null;
  const { current, previous } = await findDataKeys(config);
  return readDataKey(db, createVault(current, previous));
}
