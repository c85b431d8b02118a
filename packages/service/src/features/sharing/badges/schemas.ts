import { z } from 'zod';
import { issuedFields, ttlParam } from '../../../ledger/issuing/credentialSchemas.js';

export const BadgeQuery = z.object({ ttl: ttlParam });

export const OpenBadge = z
  .object({ ...issuedFields, type: z.literal('OpenBadgeCredential') })
  .meta({ id: 'OpenBadge' });

export const achievementPath = z.object({
  key: z.string().max(255),
});

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
