import { z } from 'zod';
import { platformOfSubject } from '../../../domain/externalId.js';
import { instant } from '../../../kit/http/query.js';

export const ShareBody = z
  .object({
    includeProfile: z.boolean().optional(),
  })
  .meta({ id: 'ShareTokenRequest' });

export type MintedShareToken = z.output<typeof MintedShareToken>;
export const MintedShareToken = z
  .object({
    shareToken: z.string(),
    verifyUrl: z.url(),
    badgeUrl: z.url(),
    includeProfile: z.boolean(),
    createdAt: instant,
  })
  .meta({ id: 'ShareToken' });

export type WithdrawnShareToken = z.output<typeof WithdrawnShareToken>;
export const WithdrawnShareToken = z
  .object({
    revoked: z.literal(true),
    alreadyRevoked: z.boolean(),
  })
  .meta({ id: 'ShareTokenWithdrawn' });

export const OperatorShareQuery = z.object({ platformId: platformOfSubject });
