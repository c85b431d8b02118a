import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { ScoreDeps } from './deps.js';
import { findDetailedScore } from './store.js';

/** GET /users/{id}/score/components */
export async function readComponents({ db }: ScoreDeps, context: UserContext): Promise<Answer> {
  const score = await findDetailedScore(db, subjectOf(context));
  if (!score) return fail('USER_NOT_FOUND');
  return ok({
    userId: context.params.id,
    components: score.detail.components,
    formulaVersion: score.formulaVersion,
    computedAt: score.computedAt,
  });
}
