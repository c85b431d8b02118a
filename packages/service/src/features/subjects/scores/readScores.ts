import type { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { findScores } from '../../../ledger/reads/publishedScores.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { ScoreDeps } from './deps.js';
import type { ScoresBody } from './schemas.js';

type Context = RequestContext<KeyAccess, z.output<typeof ScoresBody>, undefined, undefined>;

/** POST /users/scores: up to 100 scores, in the order of the request; an id asked for twice is answered twice. */
export async function readScores({ db }: ScoreDeps, { caller, body }: Context): Promise<Answer> {
  const asked = body.userIds.map((userId) => ({
    userId,
    subjectId: subjectIdOf(caller.platformId, caller.livemode, userId),
  }));
  const known = await findScores(db, [...new Set(asked.map(({ subjectId }) => subjectId))]);
  const scores = asked.map(({ userId, subjectId }) => {
    const score = known.get(subjectId);
    return {
      userId,
      found: score !== undefined,
      finalScore: score?.finalScore ?? null,
      scoreBand: score?.scoreBand ?? null,
      confidence: score?.confidence ?? null,
      frozen: score?.frozen ?? null,
      computedAt: score?.computedAt ?? null,
    };
  });
  return ok({ scores });
}
