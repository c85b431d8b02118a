import { join, resolve } from 'node:path';
import {
  type BootstrapOptions,
  draftFirstPlatform,
  type FirstPlatform,
} from '../features/tenancy/platforms/bootstrap.js';
import type { Clock } from '../kit/clock.js';
import { randomSecret } from '../kit/crypto.js';
import { createIdSource } from '../kit/ids.js';
import { readSecretFile, writeSecretFile } from '../kit/wholeFile.js';
import { type Config, ConfigError } from './config.js';
import { reasonOf, StartError } from './startError.js';
import { welcomeText } from './welcome.js';

/** The secrets of a new installation, and how they are shown to the operator. */
export interface FirstStart {
  /** Unset: the operator API stays closed. */
  readonly adminSecret: string | undefined;
  /** Encrypt the secrets in the database. */
  readonly dataKeys: DataKeys;
  readonly bootstrap: BootstrapOptions;
  /**
   * Prints the secrets that this start created, if any.
   * @param address null if the service could not listen: new secrets must be shown all the same.
   * @param signInLink null if there is no console.
   */
  announce(address: string | null, made: FirstPlatform | null, signInLink: string | null): void;
}

/** Throws if a stored secret is unusable or DATA_KEY is missing. Writes only secret files. */
export async function beginFirstStart(
  config: Config,
  clock: Clock,
  say: (text: string) => void,
): Promise<FirstStart> {
  const dataKeys = await findDataKeys(config);
  const admin = await findAdminSecret(config);
  let keyFile: string | null = null;
  return {
    adminSecret: admin.value,
    dataKeys,
    bootstrap: {
      draft: draftFirstPlatform({ clock, ids: createIdSource(), config }),
      async handOver(keys) {
        keyFile = await writeFirstKeys(config, keys);
      },
    },
    announce(address, made, signInLink) {
      if (made === null && !admin.isNew) return;
      const printed = made !== null && keyFile === null ? made.keys : null;
      say(
        welcomeText({
          // Without new keys there is nothing to try.
          address: made === null ? null : address,
          liveKey: config.bootstrapLiveKey === undefined ? (printed?.live ?? null) : null,
          testKey: config.bootstrapTestKey === undefined ? (printed?.test ?? null) : null,
          keyFile: made === null ? null : keyFile,
          adminSecret: admin.isNew ? { value: admin.value ?? '', path: adminSecretPath(config) } : null,
          signInLink,
        }),
      );
    },
  };
}

interface AdminSecret {
  value: string | undefined;
  isNew: boolean;
}

const MIN_SECRET_LENGTH = 16;

/**
 * ADMIN_SECRET, or the one generated on the first start and stored with the embedded data (RULES
 * K9). With a database server and no ADMIN_SECRET there is none.
 */
async function findAdminSecret(config: Config): Promise<AdminSecret> {
  if (config.adminSecret !== undefined || config.databaseUrl !== undefined) {
    return { value: config.adminSecret, isNew: false };
  }
  const path = adminSecretPath(config);
  const stored = await readSecretFile(path);
  if (stored === null) {
    const value = randomSecret('');
    await writeSecretFile(path, value);
    return { value, isNew: true };
  }
  if (stored.length >= MIN_SECRET_LENGTH) return { value: stored, isNew: false };
  throw new StartError(
    `The admin secret in ${path} has fewer than ${MIN_SECRET_LENGTH} characters. Delete the file to generate a new one, or set ADMIN_SECRET.`,
  );
}

export interface DataKeys {
  readonly current: string;
  /** While DATA_KEY is replaced. */
  readonly previous: string | undefined;
}

/**
 * DATA_KEY and DATA_KEY_PREVIOUS, or the files beside the embedded data, where the first start
 * generates a key (RULES P2). A database server is shared by processes and restored from backups,
 * so there the operator must provide the key.
 */
export async function findDataKeys(config: Config): Promise<DataKeys> {
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

async function readDataKeyFile(path: string): Promise<string | null> {
  const stored = await readSecretFile(path);
  if (stored === null || stored.length >= MIN_SECRET_LENGTH) return stored;
  throw new StartError(
    `The data key in ${path} has fewer than ${MIN_SECRET_LENGTH} characters. Restore the file from a backup, or set DATA_KEY to the original key.`,
  );
}

function adminSecretPath(config: Config): string {
  return join(config.dataDir, 'admin-secret');
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

/** Whether the keys of a first platform go to a file. */
export function needsKeyFile({ databaseUrl, bootstrapLiveKey, bootstrapTestKey }: Config): boolean {
  return databaseUrl !== undefined && (bootstrapLiveKey === undefined || bootstrapTestKey === undefined);
}
