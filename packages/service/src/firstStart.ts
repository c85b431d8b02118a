import { join, resolve } from 'node:path';
import { type Config, ConfigError } from './config.js';
import {
  type BootstrapOptions,
  draftFirstPlatform,
  type FirstPlatform,
} from './features/tenancy/platforms/bootstrap.js';
import type { Clock } from './kit/clock.js';
import { randomSecret } from './kit/crypto.js';
import { createIdSource } from './kit/ids.js';
import { readSecretFile, writeSecretFile } from './kit/secretFile.js';
import { welcomeText } from './welcome.js';

/** The secrets of a new installation, and how they are shown to the operator. */
export interface FirstStart {
  /** Unset: the operator API stays closed. */
  readonly adminSecret: string | undefined;
  /** Encrypts the secrets in the database. */
  readonly dataKey: string;
  readonly bootstrap: BootstrapOptions;
  /**
   * Prints the secrets that this start created, if any.
   * @param address null if the service could not listen: new secrets must be shown all the same.
   */
  announce(address: string | null, made: FirstPlatform | null): void;
}

/** Throws if a stored secret is unusable or DATA_KEY is missing. Writes only secret files. */
export async function beginFirstStart(
  config: Config,
  clock: Clock,
  say: (text: string) => void,
): Promise<FirstStart> {
  const dataKey = await findDataKey(config);
  const admin = await findAdminSecret(config);
  let keyFile: string | null = null;
  return {
    adminSecret: admin.value,
    dataKey,
    bootstrap: {
      draft: draftFirstPlatform({ clock, ids: createIdSource(), config }),
      async handOver(keys) {
        keyFile = await writeFirstKeys(config, keys);
      },
    },
    announce(address, made) {
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

/**
 * DATA_KEY, or the one generated on the first start and stored beside the embedded data (RULES P2).
 * A database server is shared by processes and restored from backups, so there the operator must
 * provide the key.
 */
export async function findDataKey(config: Config): Promise<string> {
  if (config.dataKey !== undefined) return config.dataKey;
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      'DATABASE_URL needs DATA_KEY, which encrypts webhook secrets and signing keys in the database.\n' +
        'Generate one with `openssl rand -base64 32`, give it to every process and back it up: ' +
        'without it these secrets cannot be decrypted.',
    );
  }
  const path = join(config.dataDir, 'data-key');
  const stored = await readSecretFile(path);
  if (stored !== null && stored.length >= MIN_SECRET_LENGTH) return stored;
  if (stored !== null) {
    throw new StartError(
      `The data key in ${path} has fewer than ${MIN_SECRET_LENGTH} characters. Restore the file from a backup, or set DATA_KEY to the original key.`,
    );
  }
  const value = randomSecret('');
  await writeSecretFile(path, value);
  return value;
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

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A problem that the operator must fix before the service can start; the message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
