import type { Declared } from '../../domain/declaredSubject.js';
import { fail } from '../../domain/errors.js';
import { isReservedExternalId } from '../../domain/externalId.js';
import { type Answer, created } from '../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../kit/http/route.js';
import { subjectIdOf } from '../../ledger/subjectId.js';
import type { SubjectParts } from './parts.js';
import { type DeclaredRow, declareSubject, findDeclared } from './store.js';

interface Declaring<D extends Declared> {
  readonly userId: string;
  readonly declared: D;
  /** The calling platform runs the subject itself. */
  readonly isOwn: boolean;
  /** What is told where the id belongs to a subject of another type. */
  readonly taken: string;
  shown(row: DeclaredRow<D['facts']>): object;
}

/** Registers a subject as what it is declared to be, or takes a newer declaration of it in the place of the last one. */
export function declare<D extends Declared>(
  { clock, once }: Pick<SubjectParts, 'clock' | 'once'>,
  { caller, claim }: RequestContext<KeyAccess, unknown, undefined, undefined>,
  { userId, declared, isOwn, taken, shown }: Declaring<D>,
): Promise<Answer> {
  const { platformId, livemode } = caller;
  if (livemode && isReservedExternalId(userId)) fail('RESERVED_EXTERNAL_ID');
  const now = clock.now();
  const subjectId = subjectIdOf(platformId, livemode, userId);
  return once.run(claim, { now }, async (tx) => {
    const owner = { subjectId, platformId, livemode, externalId: userId };
    if (!(await declareSubject(tx, { ...owner, declared, isOwn, now }))) fail('CONFLICT', { message: taken });
    const row = await findDeclared<D>(tx, subjectId, declared.subjectType);
    if (!row) throw new Error('what was declared is not there');
    return created(shown(row));
  });
}
