import type { Declared } from '../../domain/declaredSubject.js';
import type { Queryable, Tx } from '../../kit/db/database.js';

/** Who is declared, and by whom. */
export interface Declaration {
  readonly subjectId: string;
  readonly platformId: string;
  readonly livemode: boolean;
  readonly externalId: string;
  readonly declared: Declared;
  /** The platform runs the subject itself. */
  readonly isOwn: boolean;
  readonly now: Date;
}

/**
 * Makes the subject, or changes what is declared of it; false where there is one of another type already, which then stays as it
 * was. From here to the end of the transaction appends to the subject wait: each of them sees it as it was before or as it is now.
 */
export async function declareSubject(tx: Tx, declaration: Declaration): Promise<boolean> {
  const { subjectId, platformId, livemode, externalId, declared, isOwn, now } = declaration;
  const declaredNow = await tx.execute(
    `insert into subject as held
       (subject_id, platform_id, livemode, external_id, record_id, subject_type, is_own, registered_at)
     values ($1, $2, $3, $4, $1, $5, $6, $7)
     on conflict (subject_id) do update set is_own = excluded.is_own where held.subject_type = excluded.subject_type`,
    [subjectId, platformId, livemode, externalId, declared.subjectType, isOwn, now],
  );
  if (declaredNow === 0) return false;
  await tx.execute(
    `insert into declaration (subject_id, platform_id, livemode, facts, declared_at, updated_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (subject_id) do update set facts = excluded.facts, updated_at = excluded.updated_at`,
    [subjectId, platformId, livemode, declared.facts, now],
  );
  return true;
}

export interface DeclaredRow<Facts> {
  external_id: string;
  facts: Facts;
  is_own: boolean;
  declared_at: Date;
  updated_at: Date;
}

/** What is declared of a subject of this type; null for one of another type, or of none. */
export async function findDeclared<D extends Declared>(
  db: Queryable,
  subjectId: string,
  subjectType: D['subjectType'],
): Promise<DeclaredRow<D['facts']> | null> {
  const [row] = await db.query<DeclaredRow<D['facts']>>(
    `select s.external_id, d.facts, s.is_own, d.declared_at, d.updated_at
     from subject s join declaration d using (subject_id)
     where s.subject_id = $1 and s.subject_type = $2`,
    [subjectId, subjectType],
  );
  return row ?? null;
}
