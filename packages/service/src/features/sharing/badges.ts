import { model, type ScoreBand } from '@reliability/scoring';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import type { Queryable } from '#kit/db/database.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import {
  answerWithCredential,
  type CredentialDeps,
  issuedFields,
  ttlParam,
} from '#ledger/issuing/answerWithCredential.js';
import { CREDENTIALS_V2 } from '#ledger/issuing/forms.js';
import type { Attested } from '#ledger/issuing/issuer.js';
import { findScores } from '#ledger/reads/publishedScores.js';
import type { ServiceDeps } from '../serviceDeps.js';

const BadgeQuery = z.object({ ttl: ttlParam });

const OpenBadge = z
  .object({ ...issuedFields, type: z.literal('OpenBadgeCredential') })
  .meta({ id: 'OpenBadge' });

export const achievementPath = z.object({ key: z.string().max(255) });

export const AchievementDocument = z
  .object({
    '@context': z.array(z.string()),
    id: z.url(),
    type: z.array(z.literal('Achievement')),
    name: z.string(),
    description: z.string(),
    achievementType: z.literal('Badge'),
    criteria: z.object({ narrative: z.string() }),
  })
  .meta({ id: 'Achievement' });

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

/** The context of Open Badges. It follows that of the W3C. */
const BADGES_V3 = 'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json';

/** Bands with a badge: the good ones. New subjects and subjects with breaches get none. */
const keys = { Excellent: 'excellent', Good: 'good', Fair: 'fair', Building: 'building' } as const;
type BadgeBand = keyof typeof keys;

/** An achievement of Open Badges 3.0 as part of a badge. */
export type Achievement = Omit<z.output<typeof AchievementDocument>, '@context'>;

/** Null for a band without a badge. */
function achievementOf(band: ScoreBand, baseUrl: string): Achievement | null {
  return band in keys ? achievementFor(band as BadgeBand, baseUrl) : null;
}

/** By the last part of its address. */
export function achievementAt(key: string, baseUrl: string): Achievement | null {
  const band = (Object.keys(keys) as BadgeBand[]).find((candidate) => keys[candidate] === key);
  return band ? achievementFor(band, baseUrl) : null;
}

/** The achievement as a public JSON-LD document. */
export function asDocument(achievement: Achievement): object {
  return { '@context': [CREDENTIALS_V2, BADGES_V3], ...achievement };
}

function achievementFor(band: BadgeBand, baseUrl: string): Achievement {
  return {
    id: `${baseUrl}/achievements/${keys[band]}`,
    type: ['Achievement'],
    name: `Reliability: ${band}`,
    description: `Reached the band ${band}, by the outcomes that platforms have reported.`,
    achievementType: 'Badge',
    criteria: {
      narrative:
        `A reliability score of ${minimumOf(band)} or more out of 100, by version ${model.formulaVersion} of the formula, at the ` +
        'moment that the badge names. The score follows from the record by arithmetic alone: nobody grants it.',
    },
  };
}

function minimumOf(band: BadgeBand): number {
  return model.bands.find((entry) => entry.band === band)?.minimum ?? model.scoreMaximum;
}
