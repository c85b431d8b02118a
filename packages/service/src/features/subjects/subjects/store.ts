import type { Declared } from '../../../domain/declaredSubject.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';

/** The subject that is declared, and by whom. */
interface Declarable {
  readonly subjectId: string;
  readonly platformId: string;
  readonly livemode: boolean;
  readonly externalId: string;
  readonly subjectType: Declared['subjectType'];
  readonly now: Date;
}

/**
 * Makes the subject where there is none, and holds it: from here to the end of the transaction appends to it wait, and each of them
 * sees it as it was before or as it is then. Null where there is one of another type already.
 */
export async function lockDeclarable(
  tx: Tx,
  { subjectId, platformId, livemode, externalId, subjectType, now }: Declarable,
): Promise<{ declarationNo: number; eventCount: number } | null> {
  const [row] = await tx.query<{ declarationNo: number; eventCount: number }>(
    `insert into subject as held (subject_id, platform_id, livemode, external_id, record_id, subject_type, registered_at)
     values ($1, $2, $3, $4, $1, $5, $6)
     on conflict (subject_id) do update set subject_type = held.subject_type where held.subject_type = excluded.subject_type
     returning declaration_no, event_count`,
    [subjectId, platformId, livemode, externalId, subjectType, now],
  );
  return row ?? null;
}

interface NewDeclaration extends Omit<Declarable, 'subjectType' | 'externalId'> {
  readonly number: number;
  readonly facts: Declared['facts'];
  /** The platform runs the subject itself. */
  readonly isOwn: boolean;
  /** How many events the subject has: those that follow are judged by the declaration. */
  readonly afterPosition: number;
}

/** Of a subject that is held. */
export async function insertDeclaration(tx: Tx, declaration: NewDeclaration): Promise<void> {
  const { subjectId, platformId, livemode, number, facts, isOwn, afterPosition, now } = declaration;
  await tx.execute(
    `insert into declaration_fact (subject_id, number, platform_id, livemode, is_own, facts, after_position, declared_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [subjectId, number, platformId, livemode, isOwn, facts, afterPosition, now],
  );
  await tx.execute('update subject set declaration_no = $2, is_own = $3 where subject_id = $1', [
    subjectId,
    number,
    isOwn,
  ]);
}

export interface DeclaredRow<Facts> {
  externalId: string;
  facts: Facts;
  isOwn: boolean;
  /** The first time. */
  declaredAt: Date;
  /** The last time. */
  updatedAt: Date;
  /** Null: never. */
  changedAt: Date | null;
}

/** What is declared of a subject of this type; null for one of another type, or of none. */
export async function findDeclared<D extends Declared>(
  db: Queryable,
  subjectId: string,
  subjectType: D['subjectType'],
): Promise<DeclaredRow<D['facts']> | null> {
  const [row] = await db.query<DeclaredRow<D['facts']>>(
    `select s.external_id, d.facts, d.is_own, f.declared_at, d.declared_at as updated_at,
       case when d.number > 1 then d.declared_at end as changed_at
     from subject s join declaration_fact d on d.subject_id = s.subject_id and d.number = s.declaration_no
       join declaration_fact f on f.subject_id = s.subject_id and f.number = 1
     where s.subject_id = $1 and s.subject_type = $2`,
    [subjectId, subjectType],
  );
  return row ?? null;
}
