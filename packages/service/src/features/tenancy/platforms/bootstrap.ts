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

/** Whether the database, migrated or not, has a platform. */
export async function hasPlatform(db: Database): Promise<boolean> {
  return (await hasPlatformTable(db)) && hasAnyPlatform(db);
}

/** The first platform of an empty database, decided before anything is written. */
export interface FirstPlatform {
  readonly id: string;
  readonly keys: { readonly live: string; readonly test: string };
}

/**
 * Made once per process and used for every attempt, so that a retry after a lost connection
 * recognises its own work.
 */
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
  /**
   * Stores the keys where their owner finds them. Runs before the commit: if it fails, no keys are
   * created.
   */
  handOver?(keys: FirstPlatform['keys']): Promise<void>;
}

/**
 * Creates the first platform of an empty database, with a live and a test key (RULES K11), and
 * returns it with its keys; null when there is another platform. Processes that start at the same
 * time create one in total.
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
