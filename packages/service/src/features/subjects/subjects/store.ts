import type { Declared } from '../../../domain/declaredSubject.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow } from '../../../kit/db/rows.js';
import { queueForLog } from '../../../ledger/log/queue.js';
import { figuresOf, findScores } from '../../../ledger/reads/publishedScores.js';

interface Declarable {
  readonly subjectId: string;
  readonly platformId: string;
  readonly livemode: boolean;
  readonly externalId: string;
  readonly subjectType: Declared['subjectType'];
  readonly now: Date;
}

/**
 * Inserts the subject if it is new, and locks it: appends to it wait for the end of the
 * transaction. Each append so sees either the declaration before or the one after. Null if a
 * subject of another type has the id.
 */
export async function lockDeclarable(
  tx: Tx,
  { subjectId, platformId, livemode, externalId, subjectType, now }: Declarable,
): Promise<{ declarationNo: number; eventCount: number } | null> {
  const [row] = await tx.query<{ declarationNo: number; eventCount: number }>(
    `insert into subject as known (subject_id, platform_id, livemode, external_id, record_id, subject_type, registered_at)
     values ($1, $2, $3, $4, $1, $5, $6)
     on conflict (subject_id) do update set subject_type = known.subject_type where known.subject_type = excluded.subject_type
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
  /** The subject's event count: the declaration applies to later events. */
  readonly afterPosition: number;
}

/** The subject must be locked. */
export async function insertDeclaration(tx: Tx, declaration: NewDeclaration): Promise<void> {
  const { subjectId, platformId, livemode, number, facts, isOwn, afterPosition, now } = declaration;
  const fact = { subjectId, number, platformId, livemode, isOwn, facts, afterPosition, declaredAt: now };
  await insertRow(tx, 'declaration_fact', fact);
  await tx.execute('update subject set declaration_no = $2, is_own = $3 where subject_id = $1', [
    subjectId,
    number,
    isOwn,
  ]);
  await queueForLog(tx, [subjectId], now);
}

export interface DeclaredRow<Facts> {
  externalId: string;
  facts: Facts;
  isOwn: boolean;
  /** Of the first declaration. */
  createdAt: Date;
  /** Of the declaration in force. */
  updatedAt: Date;
  /** Null if the first declaration is in force. */
  declarationChangedAt: Date | null;
}

/** The declaration in force. Null for an unregistered subject and for one of another type. */
export async function findDeclared<D extends Declared>(
  db: Queryable,
  subjectId: string,
  subjectType: D['subjectType'],
): Promise<DeclaredRow<D['facts']> | null> {
  const [row] = await db.query<DeclaredRow<D['facts']>>(
    `select s.external_id, d.facts, d.is_own, f.declared_at as created_at, d.declared_at as updated_at,
       case when d.number > 1 then d.declared_at end as declaration_changed_at
     from subject s join declaration_fact d on d.subject_id = s.subject_id and d.number = s.declaration_no
       join declaration_fact f on f.subject_id = s.subject_id and f.number = 1
     where s.subject_id = $1 and s.subject_type = $2`,
    [subjectId, subjectType],
  );
  return row ?? null;
}

/** The score of the record; null before the first event. */
export async function findScore(db: Queryable, subjectId: string) {
  const score = (await findScores(db, [subjectId])).get(subjectId);
  if (!score) return null;
  const { behavioralQuality: _, ...figures } = figuresOf(score);
  return figures;
}
