import { z } from 'zod';
import { instant } from '../../../kit/http/query.js';

export type LinkTokenMinted = z.output<typeof LinkTokenMinted>;
export const LinkTokenMinted = z
  .object({
    linkToken: z.string(),
    expiresAt: instant,
  })
  .meta({ id: 'LinkToken' });

export const LinkBody = z
  .object({
    linkToken: z.string().min(1).max(255),
  })
  .meta({ id: 'LinkRequest' });

export type Linked = z.output<typeof Linked>;
export const Linked = z
  .object({
    linked: z.literal(true),
    platforms: z.int().min(2),
  })
  .meta({ id: 'Linked' });

export type Unlinked = z.output<typeof Unlinked>;
export const Unlinked = z.object({ unlinked: z.literal(true) }).meta({ id: 'Unlinked' });
