import type { Queryable } from '../kit/db/database.js';
import { codeOf } from '../kit/db/errors.js';
import type { StampedEvent } from './stampedEvent.js';

/**
 * What this process remembers of subjects that the platform which reports them operates or controls itself: its own word makes
 * none of their outcomes verified (INTERFACE 1.7). Registrations of other processes are not told, and need not be: an append says
 * what it took for granted, and its statement fails where that is not so (`isOwnMismatch`). Then it is read anew. So nothing is
 * read for platforms that have no such subject, and little for those that have.
 */
export interface OwnSubjects {
  isOwn(subjectId: string): boolean;
  /** Reads what is not remembered of the subjects of platforms that have such ones; true when there was something to read. */
  lookUp(events: readonly StampedEvent[]): Promise<boolean>;
  /** Reads it of all of them, remembered or not. */
  lookUpAnew(events: readonly StampedEvent[]): Promise<void>;
}

/** Some ten megabytes. Past it everything is forgotten, and what is needed is read again. */
const MAX_REMEMBERED = 100_000;

export function createOwnSubjects(db: Queryable): OwnSubjects {
  const remembered = new Map<string, boolean>();
  const platforms = new Set<string>();
  return {
    isOwn: (subjectId) => remembered.get(subjectId) ?? false,
    async lookUp(events) {
      if (platforms.size === 0) return false;
      const unknown = events.filter(
        ({ takenAsOwn, reporter, subjectId }) =>
          takenAsOwn !== null && platforms.has(reporter.platformId) && !remembered.has(subjectId),
      );
      await read(unknown);
      return unknown.length > 0;
    },
    lookUpAnew: (events) => read(events.filter(({ takenAsOwn }) => takenAsOwn !== null)),
  };

  async function read(events: readonly StampedEvent[]): Promise<void> {
    const subjectIds = [...new Set(events.map(({ subjectId }) => subjectId))];
    if (subjectIds.length === 0) return;
    const rows = await db.query<{ subject_id: string; platform_id: string }>(
      'select subject_id, platform_id from subject where subject_id = any($1::uuid[]) and is_own',
      [subjectIds],
    );
    if (remembered.size + subjectIds.length > MAX_REMEMBERED) remembered.clear();
    for (const subjectId of subjectIds) remembered.set(subjectId, false);
    for (const row of rows) {
      remembered.set(row.subject_id, true);
      platforms.add(row.platform_id);
    }
  }
}

/** The fault of an append that took a subject for its reporter's own and it is not, or the other way round (appendStore). */
export function isOwnMismatch(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '23502' && error.message.includes('is_verified');
}
