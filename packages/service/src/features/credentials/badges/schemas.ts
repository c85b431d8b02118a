import { z } from 'zod';
import { issuedFields, ttlParam } from '../issuing/credentialSchemas.js';
import { achievementAt, asDocument } from './achievements.js';

const BASE = 'https://reliability.example';
const TOKEN_EXAMPLE = 'st_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPf';

export const BadgeQuery = z.object({ ttl: ttlParam });

export const OpenBadge = z.object({ ...issuedFields, type: z.literal('OpenBadgeCredential') }).meta({
  id: 'OpenBadge',
  description: 'An Open Badges 3.0 credential, secured as a JWT.',
  example: {
    credential: 'eyJhbGciOiJFZERTQSIs...',
    type: 'OpenBadgeCredential',
    expiresAt: '2026-03-02T09:00:00.000Z',
    shareToken: TOKEN_EXAMPLE,
    verifyUrl: `${BASE}/verify/${TOKEN_EXAMPLE}`,
  },
});

export const achievementPath = z.object({
  key: z.string().max(255).meta({
    description: 'The last part of the id of an achievement: `excellent`, `good`, `fair` or `building`.',
    example: 'good',
  }),
});

const example = achievementAt('good', BASE);

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
  .meta({
    id: 'Achievement',
    description: 'The achievement behind the badges of one band (Open Badges 3.0).',
    example: example ? asDocument(example) : {},
  });
