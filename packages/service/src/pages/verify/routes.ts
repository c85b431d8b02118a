import { z } from 'zod';
import { fail } from '../../domain/errors.js';
import type { LoadShared, SharedScore } from '../../features/credentials/issuing/sharedRecords.js';
import { sharedAnswer, TOKEN_EXAMPLE } from '../../features/credentials/verify/schemas.js';
import type { Answer } from '../../kit/http/answer.js';
import { fixedText } from '../../kit/http/fixedDocument.js';
import {
  everyone,
  type PublicAccess,
  type RequestContext,
  type RouteTable,
  route,
} from '../../kit/http/route.js';
import { type BadgeTheme, badge } from './badge.js';
import { createVerifyPage, type VerifyPageDeps, verifyFault } from './showVerify.js';

/** What a share token shows to people. A token that is none of ours is one that opens nothing. */
export function verifyPageRoutes(deps: VerifyPageDeps): RouteTable {
  const common = {
    access: everyone,
    tag: 'Verification',
    params: TokenPath,
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
  };
  return {
    'GET !/verify/{token}': route({
      operationId: 'showVerifyPage',
      ...common,
      errorPage: verifyFault(deps.config.baseUrl),
      summary: 'Show the record behind a share token',
      description:
        'A page for people, in English or German by `Accept-Language`; for whoever prefers JSON by `Accept`, what ' +
        '`GET /api/v1/verify/{token}` answers. Where the subject agrees, the page shows the confirmed results as well.',
      query: PageQuery,
      answers: {
        200: {
          json: sharedAnswer(deps.sharedProfile),
          media: [{ type: 'text/html', example: '<!doctype html>...' }],
        },
        304: null,
      },
      handle: createVerifyPage(deps),
    }),
    'GET !/badge/{token}.svg': route({
      operationId: 'drawBadge',
      ...common,
      summary: 'Draw the badge of a share token',
      description:
        'The band of the record as it is now, for other websites. It follows the light or dark of whoever looks at it, unless `theme` ' +
        'says which. A withdrawn token has none: 404.',
      query: BadgeQuery,
      answers: { 200: { media: [{ type: 'image/svg+xml', example: '<svg>...</svg>' }] }, 304: null },
      handle: (context) => drawBadge(deps.loadShared, context),
    }),
  };
}

const TokenPath = z.object({
  token: z.string().meta({ description: 'A share token.', example: TOKEN_EXAMPLE }),
});

const PageQuery = z.object({
  lang: z.unknown().optional().meta({
    type: 'string',
    description: '`en` or `de`, in place of what the browser prefers.',
    example: 'de',
  }),
  profile: z.unknown().optional().meta({
    type: 'string',
    description: '`1` asks for `profile` as well, where JSON is preferred.',
    example: '1',
  }),
});

const BadgeQuery = z.object({
  theme: z.enum(['light', 'dark']).optional().meta({
    description: 'For a page that is always light, or always dark.',
    example: 'dark',
  }),
});

type BadgeContext = RequestContext<
  PublicAccess,
  undefined,
  z.output<typeof BadgeQuery>,
  z.output<typeof TokenPath>
>;

async function drawBadge(loadShared: LoadShared, context: BadgeContext): Promise<Answer> {
  const shared = await loadShared(context.params.token);
  if (!shared) return fail('NOT_FOUND', { message: 'There is no badge for this token, or no longer.' });
  return drawnBadge(shared.score, context.query.theme ?? 'auto')(context);
}

/** Drawn lately, and ready to be sent. Badges differ in the score and little else, so one serves many records. */
const drawn = new Map<string, ReturnType<typeof fixedText>>();
const MAX_DRAWN = 2_000;

function drawnBadge(score: SharedScore | null, theme: BadgeTheme): ReturnType<typeof fixedText> {
  const key = `${theme} ${score?.finalScore} ${score?.scoreBand} ${score?.frozen}`;
  const known = drawn.get(key);
  if (known) return known;
  const { svg, styleHash } = badge(score, theme);
  const answer = fixedText('image/svg+xml', svg, {
    'Cache-Control': 'public, max-age=60, must-revalidate',
    'Content-Security-Policy': `default-src 'none'; style-src '${styleHash}'`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Robots-Tag': 'noindex, noarchive',
  });
  if (drawn.size >= MAX_DRAWN) drawn.clear();
  drawn.set(key, answer);
  return answer;
}
