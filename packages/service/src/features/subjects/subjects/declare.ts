import { changesBetween, type Declared } from '../../../domain/declaredSubject.js';
import { fail } from '../../../domain/errors.js';
import { isReservedExternalId } from '../../../domain/externalId.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import { recordOwnerActivity } from '../../../ledger/activity.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { type DeclaredRow, findDeclared, insertDeclaration, lockDeclarable } from './store.js';

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
