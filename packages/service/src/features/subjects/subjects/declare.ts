import { changesBetween, type Declared } from '#domain/declaredSubject.js';
import { fail } from '#domain/errors.js';
import { isReservedExternalId } from '#domain/externalId.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, updateRow } from '#kit/db/rows.js';
import { created, type TypedAnswer } from '#kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '#kit/http/route.js';
import { recordOwnerActivity } from '#ledger/activity.js';
import { indexForSearch } from '#ledger/displayNames.js';
import { queueForLog } from '#ledger/log/queue.js';
import { figuresOf, findScores } from '#ledger/reads/publishedScores.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';

export type DeclareDeps = Pick<ServiceDeps, 'clock' | 'ids' | 'withIdempotency'>;

interface Declaration<Facts> {
  readonly facts: Facts;
  /** The calling platform runs the subject itself. */
  readonly isOwn: boolean;
}

interface Declaring<D extends Declared, Response> {
  readonly userId: string;
  readonly subjectType: D['subjectType'];
  /** The field that says whether the platform runs the subject itself. */
  readonly ownFlag: 'platformIsOperator' | 'platformIsController';
  /**
   * Applies the request to the declaration in force (null: none yet). Throws if the result is
   * incomplete.
   */
  declared(before: Declaration<D['facts']> | null): Declaration<D['facts']>;
  /** The error message if the id belongs to a subject of another type. */
  readonly taken: string;
  toResponse(row: DeclaredRow<D['facts']>): Response;
}

/**
 * Registers a subject, or adds a declaration to earlier ones. An equal declaration adds nothing. A
 * declaration applies to events that are reported later; earlier events stay as they were judged.
 */
export function declare<D extends Declared, Response extends object>(
  { clock, ids, withIdempotency }: DeclareDeps,
  owner: Owner,
  claim: IdempotencyClaim | null,
  { userId, subjectType, ownFlag, declared, taken, toResponse }: Declaring<D, Response>,
): Promise<TypedAnswer<201, Response>> {
  const { platformId, livemode } = owner;
  if (livemode && isReservedExternalId(userId)) fail('RESERVED_EXTERNAL_ID');
  const now = clock.now();
  const subjectId = subjectIdOf(platformId, livemode, userId);
  return withIdempotency(claim, { now }, async (tx) => {
    const subject = { subjectId, platformId, livemode, externalId: userId };
    const locked = await lockDeclarable(tx, { ...subject, subjectType, now });
    if (!locked) return fail('CONFLICT', { message: taken });
    if (locked.isNew) await indexForSearch(tx, [{ ...subject, displayName: null }]);
    const row = await findDeclared<D>(tx, subjectId, subjectType);
    const after = declared(row && { facts: row.facts, isOwn: row.isOwn });
    const before = row ? { ...row.facts, [ownFlag]: row.isOwn } : {};
    const changes = changesBetween(before, { ...after.facts, [ownFlag]: after.isOwn });
    if (row && Object.keys(changes).length === 0) return created(toResponse(row));
    const number = locked.declarationNo + 1;
    await insertDeclaration(tx, { ...subject, ...after, number, afterPosition: locked.eventCount, now });
    await recordOwnerActivity(tx, ids, owner, {
      action: number === 1 ? 'SUBJECT_DECLARED' : 'DECLARATION_CHANGED',
      subjectId,
      details: { declaration: number, changes },
      at: now,
    });
    const newRow = await findDeclared<D>(tx, subjectId, subjectType);
    if (!newRow) throw new Error('the new declaration cannot be read');
    return created(toResponse(newRow));
  });
}

interface Declarable {
  readonly subjectId: string;
  readonly platformId: string;
  readonly livemode: boolean;
  readonly externalId: string;
  readonly subjectType: Declared['subjectType'];
  readonly now: Date;
}

interface LockedSubject {
  readonly declarationNo: number;
  readonly eventCount: number;
  /** A row that was there before has this transaction as xmax. */
  readonly isNew: boolean;
}

/**
 * Inserts the subject if it is new, and locks it: appends to it wait for the end of the
 * transaction. Each append so sees either the declaration before or the one after. Null if a
 * subject of another type has the id.
 */
async function lockDeclarable(
  tx: Tx,
  { subjectId, platformId, livemode, externalId, subjectType, now }: Declarable,
): Promise<LockedSubject | null> {
  const [row] = await tx.query<LockedSubject>(
    `insert into subject as known (subject_id, platform_id, livemode, external_id, record_id, subject_type, registered_at)
     values ($1, $2, $3, $4, $1, $5, $6)
     on conflict (subject_id) do update set subject_type = known.subject_type where known.subject_type = excluded.subject_type
     returning declaration_no, event_count, xmax = 0 as is_new`,
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
async function insertDeclaration(tx: Tx, declaration: NewDeclaration): Promise<void> {
  const { subjectId, platformId, livemode, number, facts, isOwn, afterPosition, now } = declaration;
  const fact = { subjectId, number, platformId, livemode, isOwn, facts, afterPosition, declaredAt: now };
  await insertRow(tx, 'declaration_fact', fact);
  await updateRow(tx, 'subject', { subjectId }, { declarationNo: number, isOwn });
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
