import type { Declared } from '../../../domain/declaredSubject.js';
import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { SubjectDeps } from './deps.js';
import { findDeclared } from './store.js';
import { agentOf, scoreShown } from './toResponse.js';

/** GET /agents/{id}: what is declared, the score, and on whose word its deliveries stand. */
export async function readAgent(
  { db, loadOutcomes }: Pick<SubjectDeps, 'db' | 'loadOutcomes'>,
  context: UserContext,
): Promise<Answer> {
  const subjectId = subjectOf(context);
  const row = await findDeclared<Extract<Declared, { subjectType: 'AGENT' }>>(db, subjectId, 'AGENT');
  const outcomes = row && (await loadOutcomes(subjectId));
  if (!row || !outcomes) return fail('NOT_FOUND', { message: 'No agent of this id is registered.' });
  const score = await scoreShown(db, subjectId);
  return ok({ ...agentOf(row), score, deliveryRecord: outcomes.record.deliveries });
}
