import type { Declared } from '../../../domain/declaredSubject.js';
import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { SubjectDeps } from './deps.js';
import { findDeclared } from './store.js';
import { businessOf, scoreShown } from './toResponse.js';

/** GET /businesses/{id}: what is declared, and the score. */
export async function readBusiness({ db }: Pick<SubjectDeps, 'db'>, context: UserContext): Promise<Answer> {
  const subjectId = subjectOf(context);
  const row = await findDeclared<Extract<Declared, { subjectType: 'ORGANIZATION' }>>(
    db,
    subjectId,
    'ORGANIZATION',
  );
  if (!row) return noBusiness();
  return ok({ ...businessOf(row), score: await scoreShown(db, subjectId) });
}

/** GET /businesses/{id}/record: what has been recorded, and how much of it somebody else confirmed. */
export async function readBusinessRecord(
  { loadOutcomes }: Pick<SubjectDeps, 'loadOutcomes'>,
  context: UserContext,
): Promise<Answer> {
  const outcomes = await loadOutcomes(subjectOf(context));
  if (outcomes?.subjectType !== 'ORGANIZATION') return noBusiness();
  const { externalId, record, asOf } = outcomes;
  return ok({ userId: externalId, ...record.business, asOf });
}

function noBusiness(): never {
  return fail('NOT_FOUND', { message: 'No business of this id is registered.' });
}
