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

/** The secrets of an installation that begins, and how their owner learns of them. */
export interface FirstStart {
  /** Unset: the operator API stays closed. */
  readonly adminSecret: string | undefined;
  /** Seals what is kept secret in the database. */
  readonly dataKey: string;
  readonly bootstrap: BootstrapOptions;
  /**
   * Prints what this start made; nothing when all was there before.
   * @param address null when the service could not listen: what was made has to be told all the same.
   */
  tell(address: string | null, made: FirstPlatform | null): void;
}

/** Throws when a kept secret is unusable, or DATA_KEY is missing. Nothing but kept secrets is written yet. */
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
        keyFile = await keepFirstKeys(config, keys);
      },
    },
    tell(address, made) {
      if (made === null && !admin.isNew) return;
      const shown = made !== null && keyFile === null ? made.keys : null;
      say(
        welcomeText({
          // Without new keys there is nothing to try them with.
          address: made === null ? null : address,
          liveKey: config.bootstrapLiveKey === undefined ? (shown?.live ?? null) : null,
          testKey: config.bootstrapTestKey === undefined ? (shown?.test ?? null) : null,
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

const MINIMUM_SECRET_LENGTH = 16;

/**
 * ADMIN_SECRET, or the one kept with the embedded data and made at its first start (RULES K9). With a database server
 * and no ADMIN_SECRET there is none.
 */
async function findAdminSecret(config: Config): Promise<AdminSecret> {
  if (config.adminSecret !== undefined || config.databaseUrl !== undefined) {
    return { value: config.adminSecret, isNew: false };
  }
  const path = adminSecretPath(config);
  const kept = await readSecretFile(path);
  if (kept === null) {
    const value = randomSecret('');
    await writeSecretFile(path, value);
    return { value, isNew: true };
  }
  if (kept.length >= MINIMUM_SECRET_LENGTH) return { value: kept, isNew: false };
  throw new StartError(
    `${path} holds no usable secret. Delete it to have a new one made, or set ADMIN_SECRET.`,
  );
}

/**
 * DATA_KEY, or the one kept beside the embedded data and made at its first start (RULES P2). A database server is shared
 * by processes and restored from backups, so there the key has to be the operator's own.
 */
export async function findDataKey(config: Config): Promise<string> {
  if (config.dataKey !== undefined) return config.dataKey;
  if (config.databaseUrl !== undefined) {
    throw new ConfigError(
      'DATABASE_URL needs DATA_KEY: webhook secrets and signing keys are sealed under it in the database.\n' +
        'Make one with `openssl rand -base64 32`, give it to every process, and keep it as safe as your backups: ' +
        'without it they open no more.',
    );
  }
  const path = join(config.dataDir, 'data-key');
  const kept = await readSecretFile(path);
  if (kept !== null && kept.length >= MINIMUM_SECRET_LENGTH) return kept;
  if (kept !== null) {
    throw new StartError(
      `${path} holds no usable key. Restore it from a backup, or set DATA_KEY to what it held.`,
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
 * The first keys of a database server go to a file, since others read its logs (RULES K11). Keys fixed by BOOTSTRAP_* are
 * known and not written down. Answers the path, or null where there is no file.
 */
async function keepFirstKeys(config: Config, keys: FirstPlatform['keys']): Promise<string | null> {
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
        'Point DATA_DIR at a folder that can be written to, or give the keys as BOOTSTRAP_LIVE_KEY and BOOTSTRAP_TEST_KEY.',
    );
  }
  return path;
}

/** Whether the keys of a first platform would be written to a file. */
export function needsKeyFile({ databaseUrl, bootstrapLiveKey, bootstrapTestKey }: Config): boolean {
  return databaseUrl !== undefined && (bootstrapLiveKey === undefined || bootstrapTestKey === undefined);
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What keeps the service from starting and is the operator's to mend; the message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
