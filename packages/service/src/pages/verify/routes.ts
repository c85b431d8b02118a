import { dayOf, isoFromDay } from '@reliability/scoring';
import { z } from 'zod';
import { fail } from '#domain/errors.js';
import type { SerializedAnswer } from '#kit/http/answer.js';
import { fixedText } from '#kit/http/fixedDocument.js';
import { MAX_ADDRESS, pathText } from '#kit/http/query.js';
import {
  byShareToken,
  everyone,
  type PublicAccess,
  type RequestContext,
  type RouteTable,
  route,
} from '#kit/http/route.js';
import { sharedAnswer } from '../../features/sharing/verify/readShared.js';
import type { LoadShared } from '../../features/sharing/verify/sharedRecords.js';
import { HTML, LanguageQuery } from '../hosted/pageRoutes.js';
import { createVerifyPage, type VerifyPageDeps, verifyError } from './answerVerify.js';
import { type BadgeContent, type BadgeTheme, badge } from './badge.js';

/** The page and the badge of a share token. Unknown and withdrawn tokens look the same: 404. */
export function verifyPageRoutes(deps: VerifyPageDeps): RouteTable {
  const common = {
    access: everyone,
    tag: 'Verification',
    params: TokenPath,
    groupOf: byShareToken,
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE', 'OVERLOADED'] as const,
  };
  return {
    'GET !/verify/{token}': route({
      operationId: 'showVerifyPage',
      ...common,
      errorPage: verifyError(deps.config.baseUrl),
      query: PageQuery,
      answers: {
        200: {
          json: sharedAnswer(deps.sharedProfile),
          ...HTML,
        },
        304: null,
      },
      handle: createVerifyPage(deps),
    }),
    'GET !/badge/{token}.svg': route({
      operationId: 'drawBadge',
      ...common,
      query: BadgeQuery,
      answers: { 200: { media: [{ type: 'image/svg+xml' }] }, 304: null },
      handle: (context) => drawBadge(deps.loadShared, context),
    }),
  };
}

const TokenPath = z.object({
  token: pathText(MAX_ADDRESS),
});

const PageQuery = LanguageQuery.extend({
  profile: z.unknown().optional().meta({ type: 'string' }),
});

const BadgeQuery = z.object({
  theme: z.enum(['light', 'dark']).optional(),
});

type BadgeContext = RequestContext<
  PublicAccess,
  undefined,
  z.output<typeof BadgeQuery>,
  z.output<typeof TokenPath>
>;

async function drawBadge(loadShared: LoadShared, context: BadgeContext): Promise<SerializedAnswer> {
  const shared = await loadShared(context.params.token);
  if (!shared)
    return fail('NOT_FOUND', {
      message: 'There is no badge for this token. It is unknown or was withdrawn.',
    });
  const { score, registeredAt } = shared;
  const content = score && { ...score, registeredOn: isoFromDay(dayOf(registeredAt)) };
  return cachedBadge(content, context.query.theme ?? 'auto')(context);
}

/** Response cache. A badge differs in the score and the date of registration alone. */
const cached = new Map<string, ReturnType<typeof fixedText>>();
const MAX_CACHED = 2_000;

function cachedBadge(score: BadgeContent | null, theme: BadgeTheme): ReturnType<typeof fixedText> {
  const key = `${theme} ${score?.finalScore} ${score?.scoreBand} ${score?.frozen} ${score?.registeredOn}`;
  const known = cached.get(key);
  if (known) return known;
  const { svg, styleHash } = badge(score, theme);
  const answer = fixedText('image/svg+xml', svg, {
    'Cache-Control': 'public, max-age=60, must-revalidate',
    'Content-Security-Policy': `default-src 'none'; style-src '${styleHash}'`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Robots-Tag': 'noindex, noarchive',
  });
  if (cached.size >= MAX_CACHED) cached.clear();
  cached.set(key, answer);
  return answer;
}
