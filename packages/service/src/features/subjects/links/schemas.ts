import { z } from 'zod';
import { instant } from '../../../kit/http/query.js';

const TOKEN_EXAMPLE = 'lkt_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPfAaGgIiKkMmo';

export type LinkTokenMinted = z.output<typeof LinkTokenMinted>;
export const LinkTokenMinted = z
  .object({
    linkToken: z.string().meta({
      description: 'Shown once: the service stores only its hash. Give it to the subject and nobody else.',
    }),
    expiresAt: instant,
  })
  .meta({
    id: 'LinkToken',
    description: 'Valid for one link, until it expires.',
    example: { linkToken: TOKEN_EXAMPLE, expiresAt: '2026-03-01T09:45:00.000Z' },
  });

export const LinkBody = z
  .object({
    linkToken: z
      .string()
      .min(1)
      .max(255)
      .meta({ description: 'The token that the subject got from the other platform.' }),
  })
  .meta({
    id: 'LinkRequest',
    description: 'Proof that the subject wants the link.',
    example: { linkToken: TOKEN_EXAMPLE },
  });

export type Linked = z.output<typeof Linked>;
export const Linked = z
  .object({
    linked: z.literal(true),
    platforms: z
      .int()
      .min(2)
      .meta({ description: 'Number of platforms that now have a subject in the record.' }),
  })
  .meta({
    id: 'Linked',
    description: 'The subjects now share a record. Its score is queued for a recompute.',
    example: { linked: true, platforms: 2 },
  });

export type Unlinked = z.output<typeof Unlinked>;
export const Unlinked = z.object({ unlinked: z.literal(true) }).meta({
  id: 'Unlinked',
  description: 'The subject has its own record again. Its score is queued for a recompute.',
  example: { unlinked: true },
});
