import { fail } from '../../../domain/errors.js';
import { userPath } from '../../../domain/externalId.js';
import type { Queryable } from '../../../kit/db/database.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { answerWithCredential, type CredentialDeps } from '../../../ledger/issuing/answerWithCredential.js';
import type { Attested } from '../../../ledger/issuing/claimSources.js';
import { findScores } from '../../../ledger/reads/publishedScores.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { achievementOf, BADGES_V3 } from './achievements.js';
import { BadgeQuery, OpenBadge } from './schemas.js';

/** Badges that a subject can show anywhere. */
export function badgeRoutes(deps: CredentialDeps & Pick<ServiceDeps, 'config'>): RouteTable {
  return {
    'POST /users/{id}/open-badges': route({
      operationId: 'issueOpenBadge',
      access: keyFor('scores'),
      tag: 'Credentials',
      idempotent: true,
      params: userPath,
      query: BadgeQuery,
      answers: { 201: OpenBadge },
      errors: ['USER_NOT_FOUND', 'TEST_MODE_NOT_ALLOWED', 'CONFLICT'],
      handle(context) {
        const query = { ...context.query, format: 'vc2' } as const; // `badgeOf` overrides it
        const attest = (tx: Queryable, subjectId: string) => badgeOf(tx, subjectId, deps.config.baseUrl);
        return answerWithCredential(deps, { ...context, query }, { attest });
      },
    }),
  };
}

async function badgeOf(
  db: Queryable,
  subjectId: string,
  baseUrl: string,
): Promise<Attested<'OpenBadgeCredential'>> {
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
