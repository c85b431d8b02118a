import { existsSync } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#kit/clock.js';
import { createVault } from '#kit/crypto.js';
import { type Database, isDatabaseUnavailable } from '#kit/db/database.js';
import { assertMigrated, NotMigratedError, readServerFacts } from '#kit/db/migrate.js';
import { hasLedger } from '#ledger/audit/store.js';
import { type DataKeyState, readDataKey } from '#ledger/dataKey.js';
import { headFileIn } from '#ledger/log/heads.js';
import { DataDirLockedError, lockDataDir } from '../../shape/embedded/dataDirLock.js';
import { openGroups } from '../../shape/groups/groups.js';
import { openDatabase } from '../../shape/openDatabase.js';
import { type Config, ConfigError } from '../../start/config.js';
import { isForOperator } from '../../start/exit.js';
import { dataKeyFiles, findDataKeys, localAddress, needsKeyFile } from '../../start/firstStart.js';
import { assertAddressFree } from '../../start/listen.js';
import { MIGRATIONS } from '../../start/migrateSchema.js';
import { assertLogsAreWhole, changedHostText, findChangedHost } from '../../start/prepare.js';
import { assertOwnSessions, assertSpace, existingPartOf, OTHERS } from '../../start/storage.js';
import { commandLog } from '../withLedger.js';

export interface DatabaseFacts {
  serverNow: Date | null;
  /** Whether DATA_KEY is the key of the database; null: not known. */
  keyState: DataKeyState | null;
}

const OLDEST_VERSION = 150_000;

/** @param facts are filled. */
export async function* checkDatabase(
  config: Config,
  facts: DatabaseFacts,
  running: Running,
): AsyncGenerator<Finding> {
  const { databaseUrl, stateFolder } = config;
  if (databaseUrl === undefined) return yield checkEmbedded(config, running);
  await assertOwnSessions('DATABASE_URL', databaseUrl);
  const log = commandLog;
  const db = await openDatabase({ databaseUrl, poolSize: 1, stateFolder, log, transactionLimitMs: null });
  try {
    yield* checkServer(db, config, facts);
  } finally {
    await db.close();
  }
}

function checkEmbedded({ role, dataDir, host, port }: Config, { lock, isOurs }: Running): Finding {
  if (role !== 'all') {
    throw new ConfigError(`ROLE=${role} needs DATABASE_URL. Set DATABASE_URL, or ROLE=all.`);
  }
  const folder = join(dataDir, 'database');
  const durable =
    'It survives a crash, not a power cut: use PostgreSQL (DATABASE_URL) for data you cannot lose.';
  if (!existsSync(folder)) return fine(`The first start creates one in ${folder}.\n${durable}`);
  if (lock === null) return fine(`The one in ${folder} is not in use.\n${durable}`);
  const holder = lock.holderPid === undefined ? 'another process' : `process ${lock.holderPid}`;
  if (isOurs) return fine(`The one in ${folder} is in use by ${holder}, which is the service.\n${durable}`);
  return failed(
    `The one in ${folder} is in use by ${holder}, and no service answers at ${localAddress(host, port)}. ` +
      'If that is a service at another port, run this with its PORT. Otherwise wait for it or stop it, or set another DATA_DIR.',
  );
}

async function* checkServer(db: Database, config: Config, facts: DatabaseFacts): AsyncGenerator<Finding> {
  const { version, now } = await readServerFacts(db);
  facts.serverNow = now;
  const name = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  if (version < OLDEST_VERSION) return yield failed(`${name} is too old. Upgrade to PostgreSQL 15 or newer.`);
  if (!(await hasLedger(db))) return yield fine(`${name}; the first start creates the tables.`);
  if (config.dataKey !== undefined) {
    const { current, previous } = await findDataKeys(config);
    facts.keyState = await readDataKey(db, createVault(current, previous));
  }
  try {
    await assertMigrated(db, MIGRATIONS);
  } catch (error) {
    if (!(error instanceof NotMigratedError)) throw error;
    return yield warning(`${name}; migrations are due. The start runs them, or \`reliability migrate\`.`);
  }
  yield fine(`${name}, every migration has run.`);
  yield* checked('log', checkLogs(db, config));
  const changed = await findChangedHost(db, config);
  if (changed) yield { ...warning(changedHostText(changed)), name: 'BASE_URL' };
}

async function* checkLogs(db: Database, config: Config): AsyncGenerator<Finding> {
  const { logStateDir, logWitnesses: witnesses } = config;
  const headOf = (group: number) => (logStateDir === undefined ? null : headFileIn(logStateDir, group));
  await assertLogsAreWhole(await openGroups(db), { headOf, witnesses });
  yield fine('It contains every signed leaf that is known outside of the database.');
}

export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'FAIL';
  /** What was found; if that is not good, what to do. */
  readonly text: string;
}

/** What a check found, with a name if it is not that of the check. */
export type Finding = Omit<Check, 'name'> & { readonly name?: string };

const finding =
  (status: Check['status']) =>
  (text: string): Finding => ({ status, text });
export const fine = finding('ok');
export const failed = finding('FAIL');
const warning = finding('warn');

/** The lines of a check. An error for the operator becomes one that failed. */
export async function* checked(name: string, findings: AsyncIterable<Finding>): AsyncGenerator<Check> {
  try {
    for await (const finding of findings) yield { name, ...finding };
  } catch (error) {
    if (!isForOperator(error) && !isDatabaseUnavailable(error)) throw error;
    yield { name, ...failed(error.message) };
  }
}

const PROBE_MS = 2_000;
const READY_MS = 5_000;

/** What runs already with the same settings. */
export interface Running {
  /** Of a service that answers at PORT. */
  readonly address: string | null;
  /** Of the embedded database, by whoever uses it. */
  readonly lock: DataDirLockedError | null;
  /** It is the service of these settings, as far as can be seen: it has the database. */
  readonly isOurs: boolean;
}

export async function findRunning(config: Config): Promise<Running> {
  const { databaseUrl, dataDir, role, host, port } = config;
  const local = localAddress(host, port);
  const address = role !== 'worker' && port > 0 && (await isService(local)) ? local : null;
  const folder = join(dataDir, 'database');
  const lock = databaseUrl === undefined && existsSync(folder) ? await lockOf(folder) : null;
  return { address, lock, isOurs: address !== null && (databaseUrl !== undefined || lock !== null) };
}

async function lockOf(folder: string): Promise<DataDirLockedError | null> {
  try {
    await (await lockDataDir(folder, commandLog)).release();
    return null;
  } catch (error) {
    if (error instanceof DataDirLockedError) return error;
    throw error;
  }
}

/** The service that runs, as its own readiness check sees it. */
export async function* checkRunning({ address }: Running): AsyncGenerator<Finding> {
  const answer = await fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(READY_MS) }).catch(
    () => null,
  );
  const body = (await answer?.json().catch(() => null)) as {
    checks?: Record<string, { status: string }>;
  } | null;
  const bad = Object.entries(body?.checks ?? {}).filter(([, { status }]) => status !== 'ok');
  const states = bad.map(([part, { status }]) => `${part} is ${status}`).join(', ');
  const also = 'To start another one beside it, set PORT and DATA_DIR (or DATABASE_URL) for that one.';
  if (answer?.status === 200)
    return yield fine(`It runs at ${address} and is ready${states && ` (${states})`}.\n${also}`);
  yield failed(
    `It runs at ${address} and is not ready: ${states || 'it gives no answer in time'}. See its log, and docs/OPERATIONS.md.`,
  );
}

export async function* checkPort(config: Config, { address }: Running): AsyncGenerator<Finding> {
  const { role, host, port } = config;
  if (role === 'worker') return yield fine('ROLE=worker does not listen.');
  if (address !== null)
    return yield failed(
      `A service with another database already runs at ${address}. Stop it, or set PORT to a free port.`,
    );
  await assertAddressFree(config);
  yield fine(`${port} on ${host} is free.`);
}

async function isService(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(PROBE_MS) });
    const body = (await answer.json()) as { status?: unknown };
    return typeof body.status === 'string';
  } catch {
    return false;
  }
}

export async function* checkDisk(config: Config): AsyncGenerator<Finding> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== undefined && !needsKeyFile(config))
    return yield fine('The service needs no folder: data is in DATABASE_URL, keys in BOOTSTRAP_*.');
  const folder = await existingPartOf(dataDir);
  const found = await stat(folder);
  const isWritable = await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!found.isDirectory() || !isWritable) {
    const why = found.isDirectory() ? 'this user may not write there' : 'it is not a folder';
    return yield failed(
      `DATA_DIR ${dataDir} cannot be used, since ${folder}: ${why}. Set DATA_DIR to a folder that this user can write to.`,
    );
  }
  const isNew = (await stat(join(dataDir, 'database')).catch(() => null)) === null;
  const free = databaseUrl === undefined ? await assertSpace(dataDir, isNew) : null;
  const space = free === null ? '' : `, ${free} MB free`;
  const isOpen = folder !== process.cwd() && process.platform !== 'win32' && (found.mode & OTHERS) !== 0;
  yield fine(`DATA_DIR ${dataDir} can be written${space}.`);
  if (isOpen && !isNew)
    yield warning(
      `Other users of this machine can open ${folder}, which has secrets. Run: chmod 700 '${folder}'`,
    );
}

/** Leases and signatures bear some seconds. */
const MAX_DIFFERENCE_MS = 5_000;
const MAX_AHEAD_MS = 60_000;

export async function* checkClock(config: Config, { serverNow }: DatabaseFacts): AsyncGenerator<Finding> {
  const now = systemClock.now();
  const remedy = 'Set the clock, and keep it set by NTP.';
  if (serverNow) {
    const differenceMs = now.getTime() - serverNow.getTime();
    if (Math.abs(differenceMs) <= MAX_DIFFERENCE_MS)
      return yield fine(`${now.toISOString()}, as the database server.`);
    const seconds = Math.round(Math.abs(differenceMs) / 1000);
    const direction = differenceMs > 0 ? 'ahead of' : 'behind';
    return yield failed(`It is ${seconds} s ${direction} the clock of the database server. ${remedy}`);
  }
  const names = await readdir(config.dataDir).catch(() => []);
  const files = names.map((name) => join(config.dataDir, name));
  const newest = Math.max(...(await Promise.all([fileURLToPath(import.meta.url), ...files].map(changed))));
  if (newest - now.getTime() > MAX_AHEAD_MS) {
    const written = new Date(newest).toISOString();
    return yield failed(`It is ${now.toISOString()}, before the last write at ${written}. ${remedy}`);
  }
  yield fine(now.toISOString());
}

async function changed(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}

export async function* checkKeys(config: Config, { keyState }: DatabaseFacts): AsyncGenerator<Finding> {
  const { databaseUrl, dataKey, adminSecret } = config;
  if (databaseUrl === undefined && dataKey === undefined) return yield checkFiles(config);
  await findDataKeys(config); // throws if DATA_KEY is missing
  yield keyState === null ? fine('DATA_KEY is set.') : states[keyState];
  if (databaseUrl !== undefined && adminSecret === undefined)
    yield warning('ADMIN_SECRET is not set, so nobody can create platforms. Set it to open /admin.');
}

/** The key of the embedded database is a file. */
function checkFiles(config: Config): Finding {
  const { current } = dataKeyFiles(config);
  if (existsSync(current)) return fine(`The key that encrypts secrets is in ${current}. Back it up.`);
  if (!existsSync(join(config.dataDir, 'database')))
    return fine(`The first start generates them in ${config.dataDir}.`);
  return failed(
    `The key of the database, ${current}, is missing. Restore the file from a backup, or set DATA_KEY to its content.`,
  );
}

const states: Readonly<Record<DataKeyState, Finding>> = {
  current: fine('DATA_KEY is the key of the database.'),
  previous: warning('DATA_KEY is new. Run `reliability rotate-data-key` to encrypt the secrets with it.'),
  rotating: warning('A rotation of DATA_KEY has not ended. Run `reliability rotate-data-key` again.'),
  previousMissing: failed(
    'DATA_KEY is being replaced. Set DATA_KEY_PREVIOUS to the former key until `reliability rotate-data-key` has ended.',
  ),
  unknown: failed('DATA_KEY is not the key of this database. Set it to the original key.'),
};
