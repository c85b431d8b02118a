import { z } from 'zod';
import { parsedUrl } from '../../../domain/parsedUrl.js';
import { namesSomebody } from '../../../domain/sameParty.js';
import { HOUR_MS } from '../../../domain/timestamp.js';

const MAX_EXPIRY_HOURS = 2160;

/** What a request for a confirmation and one for a reference have in common. */
export const attesterFields = {
  counterpartyRef: z
    .string()
    .min(1, { abort: true })
    .max(255)
    .refine(namesSomebody, 'must name somebody')
    .meta({
      description:
        'Your own name for the counterparty: opaque, echoed as given. Not the subject, who runs it, or your platform, under any spelling.',
    }),
  counterpartyName: z.string().min(1).max(255).nullish().meta({ description: 'How the witness is called.' }),
  returnUrl: z
    .string()
    .max(2048)
    .refine(isReturnUrl, 'must be an https URL without user name and password')
    .meta({ format: 'uri' })
    .nullish()
    .meta({ description: 'Where the hosted page leads the witness back to.' }),
  expiresInHours: z.number().min(1).max(MAX_EXPIRY_HOURS).nullish().meta({
    description: 'How long the counterparty has to answer. Default: 14 days.',
  }),
};

/** When a request that is made now ends. */
export function expiryOf(expiresInHours: number | null | undefined, usualHours: number, now: Date): Date {
  return new Date(now.getTime() + Math.round((expiresInHours ?? usualHours) * HOUR_MS));
}

/** The address is shown as it was given, so nothing in it may be read in two ways. */
function isReturnUrl(text: string): boolean {
  if (!/^https:\/\/[^/?#\\]/i.test(text)) return false;
  // URL parsers drop or turn these round in silence.
  if (/[\s\p{Cc}\\]/u.test(text)) return false;
  const url = parsedUrl(text);
  return url !== null && url.username + url.password === '';
}
