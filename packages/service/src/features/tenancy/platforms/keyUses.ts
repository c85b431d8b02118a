import { type Database, isDatabaseUnavailable } from '#kit/db/database.js';
import { noteKeyUses } from './keyStore.js';

/** When each key was last used: noted in memory by every request, written every 30 s. */
export interface KeyUses {
  note(keyId: string, usedAtMs: number): void;
  /** Writes the notes. Throws when the database is away; the notes are kept then. */
  flush(): Promise<void>;
  /** Starts writing. Returns stop, which writes the last notes. */
  start(): () => Promise<void>;
}

interface KeyUsesDeps {
  db: Database;
  log: { warn(details: object, message: string): void };
}

const FLUSH_EVERY_MS = 30_000;

export function createKeyUses({ db, log }: KeyUsesDeps): KeyUses {
  let noted = new Map<string, number>();
  return { note, flush, start };

  function note(keyId: string, usedAtMs: number): void {
    noted.set(keyId, usedAtMs);
  }

  async function flush(): Promise<void> {
    if (noted.size === 0) return;
    const writing = noted;
    noted = new Map();
    const uses = new Map([...writing].map(([keyId, usedAtMs]) => [keyId, new Date(usedAtMs)]));
    try {
      await db.transaction((tx) => noteKeyUses(tx, uses));
    } catch (error) {
      noted = new Map([...writing, ...noted]);
      throw error;
    }
  }

  function start(): () => Promise<void> {
    let underWay: Promise<void> = Promise.resolve();
    const flushQuietly = () => {
      underWay = underWay.then(flush).catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) log.warn({ err: error }, 'last uses of keys could not be stored');
      });
      return underWay;
    };
    const timer = setInterval(flushQuietly, FLUSH_EVERY_MS);
    timer.unref();
    return () => {
      clearInterval(timer);
      return flushQuietly();
    };
  }
}
