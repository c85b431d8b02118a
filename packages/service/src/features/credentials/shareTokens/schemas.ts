import { z } from 'zod';
import { platformOfSubject } from '../../../domain/externalId.js';

const TOKEN_EXAMPLE = 'st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf';

export const ShareBody = z
  .object({
    includeProfile: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether the subject agrees that its professional profile is shown as well. Left out, an active token stays as it is, and ' +
          'a new one shows none.',
      }),
  })
  .meta({ id: 'ShareTokenRequest', description: 'What is shared.', example: { includeProfile: true } });

export const Shared = z
  .object({
    shareToken: z.string().meta({
      description:
        'Opens the public reads for whoever has it, until it is withdrawn. An active token is shown again.',
    }),
    verifyUrl: z.url().meta({ description: 'The page for people.' }),
    badgeUrl: z.url().meta({ description: 'A badge of the band, an SVG.' }),
    includeProfile: z.boolean(),
    createdAt: z.iso.datetime().meta({ description: 'When the token was minted.' }),
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

export const Withdrawn = z
  .object({
    revoked: z.literal(true).meta({ description: 'The subject shares nothing now.' }),
    alreadyRevoked: z.boolean().meta({
      description: 'It did not before, either: nothing was changed, nor is there anything new in the trail.',
    }),
  })
  .meta({
    id: 'ShareTokenWithdrawn',
    description:
      'The public reads answer 404 from now on, and credentials issued under the token count as revoked for good.',
    example: { revoked: true, alreadyRevoked: false },
  });

export const OperatorShareQuery = z.object({ platformId: platformOfSubject });
