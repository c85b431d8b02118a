import { fail } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { figuresOf } from '../../../ledger/reads/publishedScores.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { LoadScore } from './loadScores.js';

/** GET /users/{id}/score */
export async function readScore(loadScore: LoadScore, context: UserContext): Promise<Answer> {
  const score = await loadScore(subjectOf(context));
  if (!score) return fail('USER_NOT_FOUND');
  return ok({ userId: context.params.id, ...figuresOf(score) });
}
