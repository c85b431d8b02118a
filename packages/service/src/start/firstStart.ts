import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '#kit/clock.js';
import { type RotatingVault, randomSecret } from '#kit/crypto.js';
import type { Database, DatabaseLog } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import { readSecretFile, writeSecretFile } from '#kit/wholeFile.js';
import { adoptDataKey, type DataKeyState, readDataKey } from '#ledger/dataKey.js';
import {
  type BootstrapOptions,
  draftFirstPlatform,
  type FirstPlatform,
} from '../features/tenancy/platforms/addPlatform.js';
import { type Config, ConfigError } from './config.js';
import { reasonOf, StartError } from './exit.js';

/**
 * The secrets of a new installation, and how they are shown to the operator. Throws if a stored secret is
 * unusable or DATA_KEY is missing. Writes only secret files.
 */
export async function beginFirstStart(config: Config, clock: Clock, say: (text: string) => void) {
  const dataKeys = await findDataKeys(config);
  const admin: Welcome['admin'] = await findAdminSecret(config);
  let keyFile: string | null = null;
  const bootstrap: BootstrapOptions = {
    draft: draftFirstPlatform({ clock, ids: createIdSource(), config }),
    async handOver(keys) {
      keyFile = await writeFirstKeys(config, keys);
    },
  };
  return {
    /** Undefined: the operator API stays closed. */
    adminSecret: admin.value,
    /** Encrypt the secrets in the database. */
    dataKeys,
    bootstrap,
    /**
     * Prints the secrets that this start created, if any.
     * @param address null if the service could not listen: new secrets must be shown all the same.
     * @param signInLink null if there is no console.
     */
    announce(address: string | null, made: FirstPlatform | null, signInLink: string | null): void {
      if (made === null && admin.newIn === null) return;
      const printed = keyFile === null ? made?.keys : undefined;
      say(
        welcomeText({
          // Without new keys there is nothing to try.
          address: made && address,
          liveKey: config.bootstrapLiveKey === undefined ? printed?.live : undefined,
          testKey: config.bootstrapTestKey === undefined ? printed?.test : undefined,
          keyFile: made && keyFile,
          admin,
          signInLink,
        }),
      );
    },
  };
}

/**
 * ADMIN_SECRET, or the one generated on the first start and stored with the embedded data (RULES
 * K9). With a database server and no ADMIN_SECRET there is none. `newIn`: the file that this start has made.
 */
async function findAdminSecret({ adminSecret, databaseUrl, dataDir }: Config) {
  if (adminSecret !== undefined || databaseUrl !== undefined) return { value: adminSecret, newIn: null };
  const path = join(dataDir, 'admin-secret');
  const remedy = 'Delete the file to generate a new one, or set ADMIN_SECRET.';
  const stored = await readStored('admin secret', path, remedy);
  if (stored !== null) return { value: stored, newIn: null };
  const value = randomSecret('');
  await writeSecretFile(path, value);
  return { value, newIn: path };
}

const MIN_SECRET_LENGTH = 16;

async function readStored(name: string, path: string, remedy: string): Promise<string | null> {
  const stored = await readSecretFile(path);
  if (stored === null || stored.length >= MIN_SECRET_LENGTH) return stored;
  throw new StartError(`The ${name} in ${path} has fewer than ${MIN_SECRET_LENGTH} characters. ${remedy}`);
}

/**
 * DATA_KEY and DATA_KEY_PREVIOUS, or the files beside the embedded data, where the first start
 * generates a key (RULES P2). A database server is shared by processes and restored from backups,
 * so there the operator must provide the key.
 */
export async function findDataKeys(config: Config) {
  const previous = config.dataKeyPrevious;
  if (config.dataKey !== undefined) return { current: config.dataKey, previous };
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      'DATABASE_URL needs DATA_KEY, which encrypts webhook secrets and signing keys in the database.\n' +
        'Generate one with `openssl rand -base64 32`, give it to every process and back it up: ' +
        'without it these secrets cannot be decrypted.',
    );
  }
  const files = dataKeyFiles(config);
  const stored = await readDataKeyFile(files.current);
  if (stored !== null) {
    return { current: stored, previous: previous ?? (await readDataKeyFile(files.previous)) ?? undefined };
  }
  const value = randomSecret('');
  await writeSecretFile(files.current, value);
  return { current: value, previous };
}

/** Where the keys of the embedded database are, if DATA_KEY is not set. */
export function dataKeyFiles({ dataDir }: Config): { current: string; previous: string } {
  return { current: join(dataDir, 'data-key'), previous: join(dataDir, 'data-key-previous') };
}

function readDataKeyFile(path: string): Promise<string | null> {
  return readStored('data key', path, 'Restore the file from a backup, or set DATA_KEY to the original key.');
}

/**
 * With a database server the first keys go to a file, because logs have more readers (RULES K11).
 * Keys set by BOOTSTRAP_* are not written. Returns the path, or null if there is no file.
 */
async function writeFirstKeys(config: Config, keys: FirstPlatform['keys']): Promise<string | null> {
  if (!needsKeyFile(config)) return null;
  const lines = [
    ...(config.bootstrapLiveKey === undefined ? [`LIVE_KEY=${keys.live}`] : []),
    ...(config.bootstrapTestKey === undefined ? [`TEST_KEY=${keys.test}`] : []),
  ];
  const path = resolve(config.dataDir, 'first-keys');
  try {
    await writeSecretFile(path, lines.join('\n'));
  } catch (error) {
    throw new StartError(
      `The first keys cannot be written to ${path} (${reasonOf(error)}). ` +
        'Set DATA_DIR to a folder that this user can write to, or set BOOTSTRAP_LIVE_KEY and BOOTSTRAP_TEST_KEY.',
    );
  }
  return path;
}

export function needsKeyFile({ databaseUrl, bootstrapLiveKey, bootstrapTestKey }: Config): boolean {
  return databaseUrl !== undefined && (bootstrapLiveKey === undefined || bootstrapTestKey === undefined);
}

interface Welcome {
  address: string | null;
  /** Undefined: set by BOOTSTRAP_* or written to `keyFile`, so not shown. */
  liveKey: string | undefined;
  testKey: string | undefined;
  keyFile: string | null;
  admin: { value: string | undefined; newIn: string | null };
  signInLink: string | null;
}

/** Printed once. It must be readable on a terminal and in a log. */
function welcomeText({ address, liveKey, testKey, keyFile, admin, signInLink }: Welcome): string {
  const given = (value: unknown, ...lines: string[]) => (value ? lines : []);
  return [
    '',
    '  Reliability score service: first secrets',
    '',
    ...given(liveKey, `  live key      ${liveKey}`),
    ...given(testKey, `  test key      ${testKey}`),
    ...given(keyFile, `  first keys    in ${keyFile}, readable only by its owner`),
    ...given(admin.newIn, `  admin secret  ${admin.value}`, `                stored in ${admin.newIn}`),
    ...given(
      liveKey ?? testKey,
      '',
      '  Save the keys now. They are shown only once; the service stores only their hashes.',
    ),
    ...given(
      signInLink,
      '',
      '  Open the console, signed in with the test key (works once, within 10 minutes):',
      '',
      `  ${signInLink}`,
    ),
    ...(address === null ? [] : firstSteps(address, testKey, keyFile)),
    '',
  ].join('\n');
}

/** The first event goes to test mode, because the live ledger would keep it forever. */
function firstSteps(address: string, testKey: string | undefined, keyFile: string | null): string[] {
  const key = testKey ?? (keyFile === null ? '$BOOTSTRAP_TEST_KEY' : '$TEST_KEY');
  const authorization = `-H "Authorization: Bearer ${key}"`;
  const source = keyFile === null || testKey !== undefined ? '' : `. '${keyFile}' && `;
  const body = `-H 'Content-Type: application/json' -d '${JSON.stringify(FIRST_EVENT)}'`;
  return [
    '',
    `  The service is at ${address}, the API reference at ${address}/docs`,
    '',
    '  Report an outcome in test mode:',
    '',
    `${source}curl -sS ${address}/api/v1/events ${authorization} ${body}`,
    '',
    '  Then read the score:',
    '',
    `${source}curl -sS ${address}/api/v1/users/${FIRST_EVENT.userId}/score ${authorization}`,
  ];
}

const FIRST_EVENT = { userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED', isVerified: true };

/** The address of this server for clients on this machine. */
export function localAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/**
 * Throws StartError if DATA_KEY and DATA_KEY_PREVIOUS do not open the secrets of this database.
 * Otherwise the vault seals with the key that is in use.
 */
export async function assertDataKey(db: Database, vault: RotatingVault): Promise<DataKeyState> {
  const state = await adoptDataKey(db, vault);
  if (state === 'unknown') {
    throw new StartError(
      'DATA_KEY differs from the key that encrypted the secrets in this database. Set DATA_KEY to the original key. ' +
        'To replace the key, set DATA_KEY_PREVIOUS to the original key and run `npm run rotate-data-key`.',
    );
  }
  if (state === 'previousMissing') {
    throw new StartError(
      'DATA_KEY is being replaced, and secrets in this database may still be encrypted with the former key. ' +
        'Set DATA_KEY_PREVIOUS to the former key until `npm run rotate-data-key` has ended.',
    );
  }
  return state;
}

/** How soon a process seals with the new key after the rotation began. */
export const DATA_KEY_POLL_MS = 1_000;

/**
 * While DATA_KEY_PREVIOUS is in use, looks for the beginning of the rotation, from which on this
 * process has to seal with DATA_KEY.
 */
export async function followDataKey(
  { db, vault, log }: { db: Database; vault: RotatingVault; log: DatabaseLog },
  signal: AbortSignal,
): Promise<void> {
  if (!vault.hasPrevious) return;
  let state: DataKeyState | null = null;
  while (!signal.aborted) {
    try {
      const known: DataKeyState | null = state;
      state = await readDataKey(db, vault);
      if (state !== known) log.info({ state }, NEWS[state]);
      if (state !== 'previous') return;
    } catch (error) {
      // The database is unavailable: this process writes nothing meanwhile.
      if (!signal.aborted) log.warn({ err: error }, 'the key in use cannot be read');
    }
    await pause(DATA_KEY_POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}

const NEWS: Readonly<Record<DataKeyState, string>> = {
  current: 'everything is encrypted with DATA_KEY: remove DATA_KEY_PREVIOUS',
  previous: 'DATA_KEY_PREVIOUS is in use until `npm run rotate-data-key` begins',
  rotating: 'DATA_KEY is in use; `npm run rotate-data-key` has not ended',
  previousMissing: 'DATA_KEY_PREVIOUS is not the former key of this database',
  unknown: 'neither DATA_KEY nor DATA_KEY_PREVIOUS is the key of this database',
};
