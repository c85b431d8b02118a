import { z } from 'zod';
import { platformOfSubject } from '../../../domain/externalId.js';
import { instant } from '../../../kit/http/query.js';

const TOKEN_EXAMPLE = 'st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf';

export const ShareBody = z
  .object({
    includeProfile: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether the subject agrees to show its professional profile too. Default: an active token keeps its setting, and a new ' +
          'token does not show the profile.',
      }),
  })
  .meta({ id: 'ShareTokenRequest', description: 'What to share.', example: { includeProfile: true } });

export type MintedShareToken = z.output<typeof MintedShareToken>;
export const MintedShareToken = z
  .object({
    shareToken: z.string().meta({
      description:
        'Anyone who has it can make the public reads until it is withdrawn. An active token is returned again.',
    }),
    verifyUrl: z.url().meta({ description: 'The page for people.' }),
    badgeUrl: z.url().meta({ description: 'A badge of the band, an SVG.' }),
    includeProfile: z.boolean(),
    createdAt: instant.meta({ description: 'When the token was created.' }),
  })
  .meta({
    id: 'ShareToken',
    description: 'The active share token of the subject.',
    example: {
      shareToken: TOKEN_EXAMPLE,
      verifyUrl: `https://reliability.example/verify/${TOKEN_EXAMPLE}`,
      badgeUrl: `https://reliability.example/badge/${TOKEN_EXAMPLE}.svg`,
      includeProfile: true,
      createdAt: '2026-03-01T09:30:00.000Z',
    },
  });

export type WithdrawnShareToken = z.output<typeof WithdrawnShareToken>;
export const WithdrawnShareToken = z
  .object({
    revoked: z.literal(true).meta({ description: 'The subject shares nothing now.' }),
    alreadyRevoked: z.boolean().meta({
      description:
        'True if no token was active. Then the request changed nothing and is not in the activity log.',
    }),
  })
  .meta({
    id: 'ShareTokenWithdrawn',
    description:
      'The public reads answer 404 from now on. Credentials issued under the token are permanently revoked.',
    example: { revoked: true, alreadyRevoked: false },
  });

export const OperatorShareQuery = z.object({ platformId: platformOfSubject });
