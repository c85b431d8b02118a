import type { FastifyBaseLogger } from 'fastify';
import { serviceError } from '../../../domain/errors.js';
import { scopesAllow } from '../../../domain/scopes.js';
import { createBatcher } from '../../../kit/batcher.js';
import type { Clock } from '../../../kit/clock.js';
import { type Database, isDatabaseUnavailable } from '../../../kit/db/database.js';
import { type ActiveKey, findActiveKeys } from './streamLeaseStore.js';

/** Ends streams whose key no longer opens them: revoked, expired, without the scope, or of an inactive platform. */
export interface KeyWatch {
  /**
   * Watches over a stream from now on, and answers whether its key opens it at this moment: what admission remembers of the key
   * may be a second old. @param end is called once at most, when the key has lost its right.
   */
  admit(keyId: string, end: () => void): Promise<boolean>;
  forget(keyId: string, end: () => void): void;
  /** Looks at all keys; to be called when one may have changed, and from time to time. Never throws. */
  check(): void;
}

interface KeyWatchDeps {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  /** From one regular check to the next. */
  everyMs: number;
}

/** Streams that may wait to be opened. */
const MAX_LOOKS = 2000;

export function createKeyWatch({ db, clock, log, everyMs }: KeyWatchDeps): KeyWatch {
  const ends = new Map<string, Set<() => void>>();
  // Streams that are opened together share a look.
  const looks = createBatcher<string, boolean>({
    run: findRights,
    maxWeight: 100,
    concurrency: 1,
    maxWaiting: MAX_LOOKS,
    refuse: () => serviceError('OVERLOADED'),
  });
  let isChecking = false;
  let isWanted = false;
  return { admit, forget, check };

  async function admit(keyId: string, end: () => void): Promise<boolean> {
    // Before the look: a change that the look does not see is announced after it, and then this stream is among the watched.
    const watched = ends.get(keyId) ?? new Set();
    ends.set(keyId, watched.add(end));
    return looks.submit(keyId);
  }

  function forget(keyId: string, end: () => void): void {
    const watched = ends.get(keyId);
    if (watched?.delete(end) && watched.size === 0) ends.delete(keyId);
  }

  function check(): void {
    if (ends.size === 0) return;
    isWanted = true;
    if (!isChecking) void checkAll();
  }

  /** Changes that come in while it looks are looked at in the next round, together. */
  async function checkAll(): Promise<void> {
    isChecking = true;
    while (isWanted) {
      isWanted = false;
      try {
        await endWithoutRight([...ends.keys()]);
      } catch (error) {
        if (!isDatabaseUnavailable(error))
          log.error({ err: error }, 'the keys of the streams could not be checked');
      }
    }
    isChecking = false;
  }

  async function endWithoutRight(keyIds: string[]): Promise<void> {
    const rights = await findRights(keyIds);
    for (const [index, keyId] of keyIds.entries()) {
      if (rights[index]) continue;
      for (const end of [...(ends.get(keyId) ?? [])]) end();
    }
  }

  /** Whether each of the keys opens streams at this moment. */
  async function findRights(keyIds: readonly string[]): Promise<boolean[]> {
    const found = await findActiveKeys(db, [...new Set(keyIds)]);
    const standing = new Map(found.map((key) => [key.id, key]));
    return keyIds.map((keyId) => isRight(standing.get(keyId)));
  }

  function isRight(key: ActiveKey | undefined): boolean {
    if (!key || !scopesAllow(key.scopes, 'webhooks', 'read')) return false;
    if (key.expiresAt === null) return true;
    const leftMs = key.expiresAt.getTime() - clock.now().getTime();
    // An end that comes before the next regular check is met when it comes.
    if (leftMs > 0 && leftMs < everyMs) setTimeout(check, leftMs + 1).unref();
    return leftMs > 0;
  }
}
