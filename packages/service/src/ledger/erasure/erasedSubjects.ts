import { fail } from '#domain/errors.js';
import { type Database, isDatabaseUnavailable } from '#kit/db/database.js';
import { pollOfGroup } from '#kit/db/groups.js';
import type { DatabaseLog } from '#kit/db/types.js';
import type { Wakes } from '#kit/db/wakes.js';
import type { RefuseSubject } from '#kit/http/mount.js';
import { subjectIdOf } from '../subjectId.js';

/** A lost notification matters for this long. */
const REFRESH_MS = 5_000;

export function failErased(): never {
  return fail('SUBJECT_ERASED');
}

export function refuseErased(erased: Pick<ErasedSubjects, 'has' | 'among'>): RefuseSubject {
  return (named) => {
    const isErased =
      'subjectId' in named ? erased.has(named.subjectId) : erased.among(named)(named.externalId);
    if (isErased) failErased();
  };
}

interface Row {
  subjectId: string;
  horizon: string;
}

export type ErasedSubjects = ReturnType<typeof createErasedSubjects>;

/**
 * The ids of all erased subjects, in memory, so that no request pays for the question: about a megabyte for
 * ten thousand. Writes do not rely on it: an append to an erased subject fails in the database.
 */
export function createErasedSubjects(
  db: Database,
  wakes: Pick<Wakes, 'raise' | 'on'>,
  log: Pick<DatabaseLog, 'error'>,
) {
  let ids = new Set<string>();
  const caches = new Set<() => void>();
  let horizon = '0';

  const readSince = (since: string): Promise<Row[]> =>
    db.query<Row>(
      `select subject_id, pg_snapshot_xmin(pg_current_snapshot())::text as horizon
       from erasure where xid >= $1::xid8`,
      [since],
    );

  function know(known: Set<string>, rows: readonly Row[]): void {
    ids = known;
    horizon = rows[0]?.horizon ?? horizon;
    for (const forget of caches) forget();
  }

  /** Reads what was erased since the last call, in any process. */
  async function refresh(): Promise<void> {
    const rows = await readSince(horizon);
    if (rows.some(({ subjectId }) => !ids.has(subjectId))) {
      know(new Set([...ids, ...rows.map(({ subjectId }) => subjectId)]), rows);
    }
  }

  async function reload(): Promise<void> {
    const rows = await readSince('0');
    know(new Set(rows.map(({ subjectId }) => subjectId)), rows);
  }

  const orLog = (work: () => Promise<void>) => (): void => {
    work().catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'reading erased subjects failed');
    });
  };

  return {
    has: (subjectId: string) => ids.has(subjectId),
    among({ platformId, livemode }: { platformId: string; livemode: boolean }) {
      if (ids.size === 0) return () => false;
      return (externalId: string) => ids.has(subjectIdOf(platformId, livemode, externalId));
    },
    refresh,
    /** After the commit of an erasure or a reset of test data. Others know it by notification. */
    async changed(): Promise<void> {
      await reload();
      wakes.raise('erasures');
    },
    /** Called whenever subjects were erased: caches drop what they hold. */
    onErased(forget: () => void): void {
      caches.add(forget);
    },
    /** Reads all ids, then keeps up with other processes (`wakes.listen`). @returns what ends that. */
    async start(): Promise<() => void> {
      const unsubscribe = wakes.on('erasures', orLog(reload));
      await reload().catch((error: unknown) => {
        unsubscribe();
        throw error;
      });
      const timer = setInterval(orLog(refresh), pollOfGroup(db, REFRESH_MS)).unref();
      return () => {
        clearInterval(timer);
        unsubscribe();
      };
    },
  };
}
