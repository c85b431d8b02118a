import {
  type Declared,
  type DeclaredParties,
  declaredParties,
  type Insiders,
  NOTHING_DECLARED,
} from '#domain/declaredSubject.js';
import { namesOf } from '#domain/sameParty.js';
import type { Queryable } from '#kit/db/database.js';
import { isNullIn } from '#kit/db/errors.js';
import { subjectIdOf } from '../subjectId.js';

/** A subject's declaration, as appends use it. Number 0: none. */
export interface KnownDeclaration {
  readonly number: number;
  readonly parties: DeclaredParties;
}

export interface NamedSubject {
  readonly subjectId: string;
  readonly platformId: string;
  readonly livemode: boolean;
}

/** About 10 MB. Beyond this the cache is cleared. */
const MAX_REMEMBERED = 50_000;
const UNDECLARED: KnownDeclaration = { number: 0, parties: NOTHING_DECLARED };

/**
 * This process's cache of declarations. It needs no invalidation by other processes: an append
 * names the declaration it used, and its statement fails if another one is in force (`isOutdated`).
 * Then the append reads that one. So platforms without declarations cost no reads, others few.
 */
export function createKnownDeclarations() {
  const remembered = new Map<string, KnownDeclaration>();
  const declaring = new Set<string>();
  return {
    of: (subjectId: string): KnownDeclaration => remembered.get(subjectId) ?? UNDECLARED,
    /** True if the platform is known to have declared a subject: call `lookUp` before `of`. */
    isDeclaring: (platformId: string) => declaring.has(platformId),
    async lookUp(db: Queryable, subjects: readonly NamedSubject[]): Promise<void> {
      // A reset of test data restarts the numbers, so a cached test declaration may be wrong
      // despite an equal number.
      const unknown = subjects.filter(({ subjectId, livemode }) => !livemode || !remembered.has(subjectId));
      if (unknown.length === 0) return;
      const subjectIds = unknown.map(({ subjectId }) => subjectId);
      const found = await findDeclarations(db, subjectIds);
      if (remembered.size + unknown.length > MAX_REMEMBERED) remembered.clear();
      for (const subjectId of subjectIds) remembered.set(subjectId, found.get(subjectId) ?? UNDECLARED);
    },
    /** Drops these subjects from the cache and marks their platforms as declaring. */
    forget(subjects: readonly NamedSubject[]): void {
      for (const { platformId, subjectId } of subjects) {
        declaring.add(platformId);
        remembered.delete(subjectId);
      }
    },
    clear: () => remembered.clear(),
  };
}

export type KnownDeclarations = ReturnType<typeof createKnownDeclarations>;

/** Those in force, from the database alone. */
export async function declarationsOf(
  db: Queryable,
  subjects: readonly NamedSubject[],
): Promise<Pick<KnownDeclarations, 'of'>> {
  const found = await findDeclarations(
    db,
    subjects.map(({ subjectId }) => subjectId),
  );
  return { of: (subjectId) => found.get(subjectId) ?? UNDECLARED };
}

export async function findDeclarations(db: Queryable, subjectIds: readonly string[]) {
  // The database stores facts that match the subject type.
  const rows = await db.query<Declared & { subjectId: string; number: number; isOwn: boolean }>(
    `select s.subject_id, s.subject_type, d.number, d.is_own, d.facts
     from subject s join declaration_fact d on d.subject_id = s.subject_id and d.number = s.declaration_no
     where s.subject_id = any($1::uuid[]) and s.declaration_no > 0 and d.facts is not null`,
    [subjectIds],
  );
  return new Map(
    rows.map((row) => [row.subjectId, { number: row.number, parties: declaredParties(row, row.isOwn) }]),
  );
}

/** The error of an append that used an outdated declaration (store.ts). */
export function isOutdated(error: unknown): boolean {
  return isNullIn(error, 'is_verified');
}

/**
 * The parties that cannot attest outcomes of these subjects, by the declarations in force. The
 * subjects may be unknown.
 */
export async function loadInsiders(
  db: Queryable,
  { platformId, platformName, livemode }: { platformId: string; platformName: string; livemode: boolean },
  externalIds: readonly string[],
) {
  const idOf = (externalId: string) => subjectIdOf(platformId, livemode, externalId);
  const found = await findDeclarations(db, [...new Set(externalIds)].map(idOf));
  const platform = namesOf([platformName]);
  return (externalId: string): Insiders => ({
    externalId,
    platform,
    declared: found.get(idOf(externalId))?.parties ?? NOTHING_DECLARED,
  });
}
