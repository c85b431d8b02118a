import {
  type Declared,
  type DeclaredParties,
  declaredParties,
  NOTHING_DECLARED,
} from '../../domain/declaredSubject.js';
import type { Queryable } from '../../kit/db/database.js';
import { codeOf } from '../../kit/db/errors.js';

/** A declaration of a subject as appends judge by it. Number 0: nothing is declared. */
export interface KnownDeclaration {
  readonly number: number;
  readonly parties: DeclaredParties;
}

/**
 * What this process remembers of declared subjects. Other processes declare, too, and need not say so: an append says which
 * declaration it judged by, and its statement fails where another one is in force (`isOutdated`). Then that one is read. So nothing
 * is read for platforms that have declared no subject, and little for those that have.
 */
export interface KnownDeclarations {
  of(subjectId: string): KnownDeclaration;
  /** Whether the platform is known to have declared a subject: then `lookUp` comes before `of`. */
  isDeclaring(platformId: string): boolean;
  /** Reads what is not remembered of these subjects. */
  lookUp(db: Queryable, subjects: readonly NamedSubject[]): Promise<void>;
  /** From now on what these subjects are is read before it is judged by. */
  forget(subjects: readonly NamedSubject[]): void;
}

export interface NamedSubject {
  readonly subjectId: string;
  readonly platformId: string;
  readonly livemode: boolean;
}

/** Some ten megabytes. Past it everything is forgotten, and what is needed is read again. */
const MAX_REMEMBERED = 50_000;
const UNDECLARED: KnownDeclaration = { number: 0, parties: NOTHING_DECLARED };

export function createKnownDeclarations(): KnownDeclarations {
  const remembered = new Map<string, KnownDeclaration>();
  const declaring = new Set<string>();
  return {
    of: (subjectId) => remembered.get(subjectId) ?? UNDECLARED,
    isDeclaring: (platformId) => declaring.has(platformId),
    async lookUp(db, subjects) {
      // A reset of test data begins the numbers again, so what is remembered of test subjects may have changed under its number.
      const unknown = subjects.filter(({ subjectId, livemode }) => !livemode || !remembered.has(subjectId));
      if (unknown.length === 0) return;
      const subjectIds = unknown.map(({ subjectId }) => subjectId);
      const found = await findDeclarations(db, subjectIds);
      if (remembered.size + unknown.length > MAX_REMEMBERED) remembered.clear();
      for (const subjectId of subjectIds) remembered.set(subjectId, found.get(subjectId) ?? UNDECLARED);
    },
    forget(subjects) {
      for (const { platformId, subjectId } of subjects) {
        declaring.add(platformId);
        remembered.delete(subjectId);
      }
    },
  };
}

interface DeclarationRow {
  subjectId: string;
  subjectType: Declared['subjectType'];
  number: number;
  isOwn: boolean;
  facts: Declared['facts'];
}

/** The declarations in force, by subject. */
export async function findDeclarations(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<Map<string, KnownDeclaration>> {
  const rows = await db.query<DeclarationRow>(
    `select s.subject_id, s.subject_type, d.number, d.is_own, d.facts
     from subject s join declaration_fact d on d.subject_id = s.subject_id and d.number = s.declaration_no
     where s.subject_id = any($1::uuid[]) and s.declaration_no > 0`,
    [subjectIds],
  );
  return new Map(
    rows.map((row) => [
      row.subjectId,
      { number: row.number, parties: declaredParties(declaredOf(row), row.isOwn) },
    ]),
  );
}

/** The facts are of the kind that the type says. */
function declaredOf({ subjectType, facts }: DeclarationRow): Declared {
  return { subjectType, facts } as Declared;
}

/** The fault of an append that judged by another declaration than the one in force (appendStore). */
export function isOutdated(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === '23502' && error.message.includes('is_verified');
}

/** The same as a conflict: run again, the transaction reads what is declared now. */
export class OutdatedDeclaration extends Error {
  override readonly name = 'OutdatedDeclaration';
  readonly code = '40001';
}
