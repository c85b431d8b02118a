import { setTimeout as pause } from 'node:timers/promises';
import type { Database, DatabaseLog } from '../kit/db/database.js';
import type { RotatingVault } from '../kit/vault.js';
import { adoptDataKey, type DataKeyState, readDataKey } from '../ledger/dataKey.js';
import { StartError } from './startError.js';

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
