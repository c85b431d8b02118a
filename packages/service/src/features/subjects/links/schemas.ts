import { z } from 'zod';

const TOKEN_EXAMPLE = 'lkt_mJ3v0b7Qd1xYkz5RZc8sT2uWn4LhEoPfAaGgIiKkMmo';

export const LinkTokenMinted = z
  .object({
    linkToken: z.string().meta({
      description: 'Shown this once: only its hash is kept. Hand it to the subject, and to nobody else.',
    }),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    id: 'LinkToken',
    description: 'Good for one link, until it expires.',
    example: { linkToken: TOKEN_EXAMPLE, expiresAt: '2026-03-01T09:45:00.000Z' },
  });

export const LinkBody = z
  .object({
    linkToken: z
      .string()
      .min(1)
      .max(255)
      .meta({ description: 'What the subject brings from the other platform.' }),
  })
  .meta({
    id: 'LinkRequest',
    description: 'Proof that the subject wants the two to be one.',
    example: { linkToken: TOKEN_EXAMPLE },
  });

export const Linked = z
  .object({
    linked: z.literal(true),
    platforms: z.int().min(2).meta({ description: 'How many platforms have a subject on the record now.' }),
  })
  .meta({
    id: 'Linked',
    description: 'The subjects share a record from here on. Its score has been queued for a recompute.',
    example: { linked: true, platforms: 2 },
  });

export const Unlinked = z.object({ unlinked: z.literal(true) }).meta({
  id: 'Unlinked',
  description: 'The subject is a record of its own again. Its score has been queued for a recompute.',
  example: { unlinked: true },
});
