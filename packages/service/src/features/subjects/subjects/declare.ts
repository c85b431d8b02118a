import type { z } from 'zod';
import { changesBetween, type Declared } from '../../../domain/declaredSubject.js';
import { fail } from '../../../domain/errors.js';
import { isReservedExternalId } from '../../../domain/externalId.js';
import type { Tx } from '../../../kit/db/database.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { KeyAccess, KeyCaller, RequestContext } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { SubjectDeps } from './deps.js';
import { type DeclaredRow, findDeclared, insertDeclaration, lockDeclarable } from './store.js';

/** What a subject is declared to be. */
export interface Declaration<Facts> {
  readonly facts: Facts;
  /** The calling platform runs the subject itself. */
  readonly isOwn: boolean;
}

interface Declaring<D extends Declared> {
  readonly userId: string;
  readonly subjectType: D['subjectType'];
  /** The field that says whether the platform runs the subject itself. */
  readonly ownFlag: 'platformIsOperator' | 'platformIsController';
  /** What the request makes of what was declared before; null: nothing was. Throws where that is not enough. */
  declared(before: Declaration<D['facts']> | null): Declaration<D['facts']>;
  /** What is answered where the id belongs to a subject of another type. */
  readonly taken: string;
  shown(row: DeclaredRow<D['facts']>): object;
}

/**
 * Registers a subject as what it is declared to be, or adds a declaration to those before. The same again is no new one. Events that
 * are reported from now on are judged by it, those before stay as they are.
 */
export function declare<D extends Declared>(
  { clock, ids, withIdempotency }: Pick<SubjectDeps, 'clock' | 'ids' | 'withIdempotency'>,
  { caller, claim }: RequestContext<KeyAccess, z.output<z.ZodType>, undefined, undefined>,
  { userId, subjectType, ownFlag, declared, taken, shown }: Declaring<D>,
): Promise<Answer> {
  const { platformId, livemode } = caller;
  if (livemode && isReservedExternalId(userId)) fail('RESERVED_EXTERNAL_ID');
  const now = clock.now();
  const subjectId = subjectIdOf(platformId, livemode, userId);
  return withIdempotency(claim, { now }, async (tx) => {
    const owner = { subjectId, platformId, livemode, externalId: userId };
    const held = await lockDeclarable(tx, { ...owner, subjectType, now });
    if (!held) return fail('CONFLICT', { message: taken });
    const row = await findDeclared<D>(tx, subjectId, subjectType);
    const after = declared(row && { facts: row.facts, isOwn: row.isOwn });
    const before = row ? { ...row.facts, [ownFlag]: row.isOwn } : {};
    const changes = changesBetween(before, { ...after.facts, [ownFlag]: after.isOwn });
    if (row && Object.keys(changes).length === 0) return created(shown(row));
    const number = held.declarationNo + 1;
    await insertDeclaration(tx, { ...owner, ...after, number, afterPosition: held.eventCount, now });
    await note(tx, { caller, id: ids.at(now), subjectId, number, changes, now });
    const newRow = await findDeclared<D>(tx, subjectId, subjectType);
    if (!newRow) throw new Error('what was declared is not there');
    return created(shown(newRow));
  });
}

interface Noted {
  caller: KeyCaller;
  id: string;
  subjectId: string;
  number: number;
  changes: object;
  now: Date;
}

function note(tx: Tx, { caller, id, subjectId, number, changes, now }: Noted): Promise<void> {
  const { platformId, livemode, keyId } = caller;
  return recordActivity(tx, {
    id,
    platformId,
    livemode,
    action: number === 1 ? 'SUBJECT_DECLARED' : 'DECLARATION_CHANGED',
    actor: `key:${keyId}`,
    subjectId,
    details: { declaration: number, changes },
    at: now,
  });
}
