import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Answer } from '../../../kit/http/answer.js';
import { findScores } from '../../../ledger/reads/publishedScores.js';
import type { UserContext } from '../../../ledger/requests/userContext.js';
import { type Attested, answerWithCredential, type CredentialDeps } from '../issuing/answerWithCredential.js';
import { achievementOf, BADGES_V3 } from './achievements.js';
import type { BadgeQuery } from './schemas.js';

export interface BadgeDeps extends CredentialDeps {
  config: { baseUrl: string };
}

/** POST /users/{id}/open-badges: an Open Badges 3.0 credential for the band that the record has reached. */
export async function issueBadge(
  deps: BadgeDeps,
  context: UserContext<z.output<typeof BadgeQuery>>,
): Promise<Answer> {
  const query = { ...context.query, format: 'vc2' } as const; // badges have a form of their own
  return answerWithCredential(
    deps,
    { ...context, query },
    {
      attest: (tx, subjectId) => badgeOf(tx, subjectId, deps.config.baseUrl),
    },
  );
}

async function badgeOf(db: Queryable, subjectId: string, baseUrl: string): Promise<Attested> {
  const score = (await findScores(db, [subjectId])).get(subjectId);
  if (!score) return fail('USER_NOT_FOUND', { message: 'This subject has no score yet.' });
  const achievement = achievementOf(score.scoreBand, baseUrl);
  if (!achievement) {
    return fail('CONFLICT', { message: `There is no badge for the band ${score.scoreBand}.` });
  }
  return {
    type: 'OpenBadgeCredential',
    form: 'badge',
    name: achievement.name,
    contexts: [BADGES_V3],
    claims: { type: ['AchievementSubject'], achievement },
    asOf: score.computedAt,
    formulaVersion: score.formulaVersion,
    record: {
      finalScore: score.finalScore,
      scoreBand: score.scoreBand,
      confidence: score.confidence,
      totalEvents: score.totalEvents,
      verifiedEvents: score.verifiedEvents,
      frozen: score.frozen,
    },
  };
}
