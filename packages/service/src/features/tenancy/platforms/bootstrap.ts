import type { Clock } from '../../../kit/clock.js';
import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { newKey } from './addKey.js';
import { addPlatform } from './addPlatform.js';
import { findPlatform, hasAnyPlatform, hasPlatformTable, takeFirstStartTurn } from './store.js';

interface BootstrapDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  config: { bootstrapLiveKey?: string | undefined; bootstrapTestKey?: string | undefined };
}

/** Whether the database, migrated or not, holds a platform already. */
export async function hasPlatform(db: Database): Promise<boolean> {
  return (await hasPlatformTable(db)) && hasAnyPlatform(db);
}

/** The platform that an empty database gets, decided before anything is written. */
export interface FirstPlatform {
  readonly id: string;
  readonly keys: { readonly live: string; readonly test: string };
}

/** Made once per process and used for every attempt: a repeat after a lost connection then knows its own work. */
export function draftFirstPlatform({ clock, ids, config }: Omit<BootstrapDeps, 'db'>): FirstPlatform {
  return {
    id: ids.at(clock.now()),
    keys: {
      live: config.bootstrapLiveKey ?? newKey('live'),
      test: config.bootstrapTestKey ?? newKey('test'),
    },
  };
}

export interface BootstrapOptions {
  draft?: FirstPlatform;
  /** Puts the keys where their owner finds them. Runs before the commit: keys that could not be kept are not made. */
  handOver?(keys: FirstPlatform['keys']): Promise<void>;
}

/**
 * Gives a database without any platform its first one, with a live and a test key (RULES K11), and answers it with its keys;
 * null when there is another already. Processes that start at the same time make one between them.
 */
export async function bootstrapPlatform(
  deps: BootstrapDeps,
  { draft = draftFirstPlatform(deps), handOver }: BootstrapOptions = {},
): Promise<FirstPlatform | null> {
  const { db, clock, ids } = deps;
  return db.transaction(async (tx) => {
    await takeFirstStartTurn(tx);
    if (await hasAnyPlatform(tx)) return (await findPlatform(tx, draft.id)) ? draft : null;
    await handOver?.(draft.keys);
    await addPlatform(tx, ids, clock.now(), {
      ...draft,
      name: 'Default',
      trustTier: 'STARTER',
      plan: 'enterprise',
      actor: 'service',
    });
    return draft;
  });
}
