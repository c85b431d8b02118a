import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { LogWitness } from '#domain/logWitnesses.js';
import { type Clock, systemClock } from '#kit/clock.js';
import { createVault, type RotatingVault } from '#kit/crypto.js';
import { type Database, isDatabaseUnavailable, type Queryable } from '#kit/db/database.js';
import { NotMigratedError } from '#kit/db/migrate.js';
import { createIdSource } from '#kit/ids.js';
import { readTreeSize } from '#ledger/log/checkpoints.js';
import { type HeadFile, headFileIn } from '#ledger/log/heads.js';
import { createSignInLink } from '../features/tenancy/console/routes.js';
import {
  type BootstrapOptions,
  bootstrapPlatform,
  type FirstPlatform,
  hasPlatform,
} from '../features/tenancy/platforms/addPlatform.js';
import { findLostHeads } from '../features/transparency/witness/lostHeads.js';
import { isDistributed, noteCluster } from '../shape/citus/distribute.js';
import { openGroups } from '../shape/groups/groups.js';
import type { App } from './build.js';
import { type Config, ConfigError } from './config.js';
import { StartError } from './exit.js';
import { assertDataKey, beginFirstStart, followDataKey, needsKeyFile } from './firstStart.js';
import { migrateLateGroup, migrateSchema, reportRole } from './migrateSchema.js';
import { assertOwnSessions, assertWritable, type Storage } from './storage.js';

interface PrepareDeps {
  config: Config;
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  vault: RotatingVault;
  logHead?: (group: number) => HeadFile | null;
}

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** During a long migration the service must listen and answer 503. */
const LISTEN_ANYWAY_AFTER_MS = 5_000;

export interface PrepareOptions {
  config: Config;
  log: FastifyBaseLogger;
  /** Prints a text for the person at the console. */
  say(text: string): void;
  /** Another thread of this process has prepared the database. */
  isPrepared: boolean;
  /** Default: the system's clock. */
  clock?: Clock;
}

/**
 * Finds the secrets of the installation, which the service is built with. Throws ConfigError and
 * StartError.
 */
export async function beginPreparing(
  { config, log, say, isPrepared, clock = systemClock }: PrepareOptions,
  { db, opened, isEmpty }: Storage,
  signal: AbortSignal,
) {
  // A secret that a first start makes is shown once: not before there is a database to use it with.
  if (isEmpty) await opened;
  const firstStart = await beginFirstStart(config, clock, say);
  const { adminSecret, dataKeys } = firstStart;
  if (adminSecret === undefined && !isPrepared)
    log.warn('the operator API is closed: ADMIN_SECRET is not set');
  const vault = createVault(dataKeys.current, dataKeys.previous);
  const { logStateDir } = config;
  const logHead = (group: number) => (logStateDir === undefined ? null : headFileIn(logStateDir, group));
  const deps = { config, db, clock, log, vault, logHead };
  let prepared: Awaited<ReturnType<typeof prepare>> | undefined = isPrepared
    ? { made: null, away: [] }
    : undefined;

  return {
    deps,
    adminSecret,
    prepareGroup: (group: Database) => prepareGroup(deps, group),
    async announce(address: string | null, made: FirstPlatform | null): Promise<void> {
      firstStart.announce(address, made, made && address ? await signInLinkOf(deps, address, made) : null);
    },
    /**
     * Prepares the database and opens the service on it. Retries while the database is unavailable, and
     * opens again if it was away meanwhile.
     */
    open(app: Pick<App, 'open' | 'markReady'>) {
      let stopWaiting = () => {};
      const patience = new Promise<null>((resolve) => {
        stopWaiting = () => resolve(null);
        setTimeout(stopWaiting, LISTEN_ANYWAY_AFTER_MS).unref();
      });
      /** Rejects if a retry cannot help, or on `signal`. */
      const done = attempt(FIRST_RETRY_MS);
      /** The result of the first attempt; null as soon as the database is unavailable or slow. */
      const firstOutcome = Promise.race([done, patience]);
      return { done, firstOutcome };

      async function attempt(retryMs: number): Promise<FirstPlatform | null> {
        try {
          if (!prepared) await assertServerFits(deps);
          // Once: its keys are shown only by the call that made them.
          prepared ??= await prepare(deps, firstStart.bootstrap);
          await app.open(prepared.away);
          void followDataKey(deps, signal);
          app.markReady();
          return prepared.made;
        } catch (error) {
          // Another process may be about to migrate.
          if (!isDatabaseUnavailable(error) && !(error instanceof NotMigratedError)) throw error;
          log.warn({ err: error, retryMs }, 'waiting for the database');
          stopWaiting();
          await pause(retryMs, undefined, { signal });
          return attempt(Math.min(2 * retryMs, MAX_RETRY_MS));
        }
      }
    },
  };
}

/** At BASE_URL if that has https: over http a browser would refuse the cookie. */
async function signInLinkOf({ config, db, clock }: PrepareDeps, address: string, { keys }: FirstPlatform) {
  if (!config.console) return null;
  const base = config.baseUrl.startsWith('https:') ? config.baseUrl : address;
  return `${base}/console#sign-in=${await createSignInLink({ db, clock }, keys.test)}`;
}

/**
 * Checks for settings that would fail later with a database server. Writes nothing. Throws
 * ConfigError.
 */
async function assertServerFits({ config, db }: PrepareDeps): Promise<void> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined) return;
  await assertOwnSessions('DATABASE_URL', databaseUrl);
  if (needsKeyFile(config) && !(await hasPlatform(db))) await assertWritable(dataDir);
}

/**
 * Migrates the database, records its cluster and creates the first platform.
 * @returns `made`: the first platform, if this call created it. `away`: ledger groups that could not be
 * prepared, because their node of a Citus cluster is away.
 */
export async function prepare(deps: PrepareDeps, options: BootstrapOptions = {}) {
  const { config, db, clock, log, vault } = deps;
  if (config.databaseReplicaUrl !== undefined && (await isDistributed(db))) {
    throw new ConfigError(
      'DATABASE_REPLICA_URL cannot be used with a Citus cluster: it is a replica of one server. Remove it.',
    );
  }
  const away = await migrateSchema({ config, db, log });
  const groups = (await openGroups(db)).filter(({ ledgers }) => !away.includes(ledgers.own));
  await reportRole(groups, log);
  for (const each of groups) await noteClusterOf(each, deps);
  await assertDataKey(db, vault);
  await assertLogs(groups, deps);
  const changed = await findChangedHost(db, config);
  await db.execute('update installation set base_host = $1 where base_host is distinct from $1', [
    new URL(config.baseUrl).host,
  ]);
  if (changed) log.warn(changed, changedHostText(changed));
  const made = await bootstrapPlatform({ db, clock, ids: createIdSource(), config }, options);
  return { made, away };
}

/** Prepares a ledger group whose node of a Citus cluster is back. Throws as `prepare` does. */
export async function prepareGroup(deps: PrepareDeps, group: Database): Promise<void> {
  await migrateLateGroup(deps, group.ledgers.own);
  await noteClusterOf(group, deps);
  await assertLogs([group], deps);
}

async function noteClusterOf(db: Database, { clock, log }: PrepareDeps): Promise<void> {
  if (!(await noteCluster(db, clock.now()))) return;
  log.warn(
    { group: db.ledgers.own },
    'the database has moved to another cluster: all it held before counts as settled',
  );
}

function assertLogs(groups: readonly Database[], { config, logHead }: PrepareDeps): Promise<void> {
  const headOf = (group: number) => logHead?.(group) ?? null;
  return assertLogsAreWhole(groups, { headOf, witnesses: config.logWitnesses });
}

/** The host of BASE_URL changed under what was signed with the former one. Null: it did not, or nothing was. */
export async function findChangedHost(db: Queryable, { baseUrl }: Pick<Config, 'baseUrl'>) {
  const [row] = await db.query<{ baseHost: string | null; hasSigned: boolean }>(
    `select base_host, exists (select from signing_key where purpose in ('credential', 'log')) as has_signed
     from installation`,
  );
  const now = new URL(baseUrl).host;
  return row?.baseHost && row.hasSigned && row.baseHost !== now ? { former: row.baseHost, now } : null;
}

export function changedHostText({ former, now }: { former: string; now: string }): string {
  return (
    `The host of BASE_URL was ${former} and is now ${now}. Credentials issued so far name did:web:${former} as their issuer: ` +
    `they verify only while https://${former} still serves this installation. The transparency log continues as ${now}/log, ` +
    `which witnesses and holders of proofs of ${former}/log do not know. If this is a mistake, set BASE_URL back.`
  );
}

/**
 * Throws StartError if signed leaves are missing. It names every log that lost some, so that one stop shows all.
 * `headOf` gives the newest checkpoint of a group's log that is kept outside of the database.
 */
export async function assertLogsAreWhole(
  groups: readonly Database[],
  { headOf, witnesses }: { headOf(group: number): HeadFile | null; witnesses: readonly LogWitness[] },
): Promise<void> {
  const losses = [];
  for (const db of groups) {
    const loss = await lossOf(db, headOf(db.ledgers.own), witnesses);
    if (loss) losses.push(loss);
  }
  if (losses.length === 0) return;
  throw new StartError(
    `${losses.map(({ text }) => text).join(' ')} A backup was restored, or rows were changed. Restore the database with all ` +
      `its rows, or accept the loss: ${losses.map(({ command }) => command).join(' and ')}. The log then records the loss ` +
      'for everybody to see.',
  );
}

async function lossOf(db: Database, head: HeadFile | null, witnesses: readonly LogWitness[]) {
  const lost = await findLostHeads(db, { head, witnesses });
  if (lost.length === 0) return null;
  const size = Math.max(...lost.map((each) => each.size));
  const where = db.ledgers.own === 0 ? 'the database' : `ledger group ${db.ledgers.own}`;
  return {
    text:
      `The transparency log of ${where} has ${await readTreeSize(db)} leaves and does not contain the log of ${size} ` +
      `leaves that was signed before (known by ${lost.map(({ knownBy }) => knownBy).join(', ')}).`,
    command: `npm run accept-rollback -- ${size}${db.ledgers.own === 0 ? '' : ` --group ${db.ledgers.own}`}`,
  };
}
