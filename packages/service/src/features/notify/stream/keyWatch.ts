import { serviceError } from '#domain/errors.js';
import { scopesAllow } from '#domain/scopes.js';
import { createBatcher } from '#kit/batcher.js';
import { isDatabaseUnavailable } from '#kit/db/database.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type ActiveKey, findActiveKeys } from './streamLeases.js';

/**
 * Ends streams whose key lost access: revoked, expired, without the scope, or of an inactive
 * platform.
 */
export interface KeyWatch {
  /**
   * Watches a stream from now on and returns whether its key has access now, since the key cache of
   * the admission can be a second old. @param end is called at most once, when the key loses
   * access.
   */
  admit(keyId: string, end: () => void): Promise<boolean>;
  forget(keyId: string, end: () => void): void;
  /** Checks all keys. Call it when one may have changed, and regularly. Never throws. */
  check(): void;
}

type KeyWatchDeps = Pick<ServiceDeps, 'db' | 'clock' | 'log'> & {
  /** Time between two regular checks. */
  everyMs: number;
};

/** Streams that can wait to be opened. */
const MAX_WAITING = 2000;

export function createKeyWatch({ db, clock, log, everyMs }: KeyWatchDeps): KeyWatch {
  const ends = new Map<string, Set<() => void>>();
  // Streams that open together share a query.
  const lookups = createBatcher<string, boolean>({
    run: findAccess,
    maxWeight: 100,
    concurrency: 1,
    maxWaiting: MAX_WAITING,
    refuse: () => serviceError('OVERLOADED'),
  });
  let isChecking = false;
  let isRequested = false;
  return { admit, forget, check };

  async function admit(keyId: string, end: () => void): Promise<boolean> {
    // Registered before the query: a change that the query misses is announced later, and then this
    // stream is checked.
    const watched = ends.get(keyId) ?? new Set();
    ends.set(keyId, watched.add(end));
    return lookups.submit(keyId);
  }

  function forget(keyId: string, end: () => void): void {
    const watched = ends.get(keyId);
    if (watched?.delete(end) && watched.size === 0) ends.delete(keyId);
  }

  function check(): void {
    if (ends.size === 0) return;
    isRequested = true;
    if (!isChecking) void checkAll();
  }

  /** Changes during a check are handled together in the next round. */
  async function checkAll(): Promise<void> {
    isChecking = true;
    while (isRequested) {
      isRequested = false;
      try {
        await endWithoutAccess([...ends.keys()]);
      } catch (error) {
        if (!isDatabaseUnavailable(error))
          log.error({ err: error }, 'the keys of the streams could not be checked');
      }
    }
    isChecking = false;
  }

  async function endWithoutAccess(keyIds: string[]): Promise<void> {
    const hasAccess = await findAccess(keyIds);
    for (const [index, keyId] of keyIds.entries()) {
      if (hasAccess[index]) continue;
      for (const end of [...(ends.get(keyId) ?? [])]) end();
    }
  }

  /** Whether each of the keys has access now. */
  async function findAccess(keyIds: readonly string[]): Promise<boolean[]> {
    const found = await findActiveKeys(db, [...new Set(keyIds)]);
    const active = new Map(found.map((key) => [key.id, key]));
    return keyIds.map((keyId) => isAllowed(active.get(keyId)));
  }

  function isAllowed(key: ActiveKey | undefined): boolean {
    if (!key || !scopesAllow(key.scopes, 'webhooks', 'read')) return false;
    if (key.expiresAt === null) return true;
    const leftMs = key.expiresAt.getTime() - clock.now().getTime();
    // A key that expires before the next regular check is checked at that moment.
    if (leftMs > 0 && leftMs < everyMs) setTimeout(check, leftMs + 1).unref();
    return leftMs > 0;
  }
}
