import { z } from 'zod';
import { requestDecisions, requestStatuses } from '../../../domain/catalogues/enums.js';
import { externalId } from '../../../domain/externalId.js';
import { parsedUrl } from '../../../domain/parsedUrl.js';
import { namesSomebody } from '../../../domain/sameParty.js';
import { HOUR_MS } from '../../../domain/timestamp.js';
import { cursorParam, MAX_ADDRESS, pageLimit } from '../../../kit/http/query.js';

const MAX_EXPIRY_HOURS = 2160;

/** The fields that the bodies of both kinds share. */
export const attesterFields = {
  counterpartyRef: z
    .string()
    .min(1, { abort: true })
    .max(255, { abort: true })
    .refine(namesSomebody, 'must name somebody')
    .meta({
      description:
        'Your own name for the counterparty: opaque, echoed as given. Not the subject, its operator, or your platform, under any spelling.',
    }),
  counterpartyName: z
    .string()
    .min(1)
    .max(255)
    .nullish()
    .meta({ description: 'How the hosted page addresses the counterparty.' }),
  returnUrl: z
    .string()
    .max(2048, { abort: true })
    .refine(isReturnUrl, 'must be an https URL without user name and password')
    .meta({ format: 'uri' })
    .nullish()
    .meta({ description: 'Where the hosted page links to after the answer.' }),
  expiresInHours: z.number().min(1).max(MAX_EXPIRY_HOURS).nullish().meta({
    description: 'How long the counterparty has to answer. Default: 14 days.',
  }),
};

/** The end of the window of a request that is made now. */
export function expiryOf(expiresInHours: number | null | undefined, defaultHours: number, now: Date): Date {
  return new Date(now.getTime() + Math.round((expiresInHours ?? defaultHours) * HOUR_MS));
}

/** The page shows the address as it was given, so nothing in it may be read in two ways. */
function isReturnUrl(text: string): boolean {
  if (!/^https:\/\/[^/?#\\]/i.test(text)) return false;
  // URL parsers silently drop or convert these.
  if (/[\s\p{Cc}\\]/u.test(text)) return false;
  const url = parsedUrl(text);
  return url !== null && url.username + url.password === '';
}

export const attestationStatus = z.enum(requestStatuses).meta({
  description: 'PENDING until it is answered, cancelled or expired; every other state is final.',
});

/** The description of the token in the response to its platform. */
export const TOKEN_TEXT =
  'Shown once; the service stores only its hash. Give it to the counterparty and to nobody else.';

/** The filters of both listings. */
export const listFilters = {
  status: z.enum(requestStatuses).optional().meta({ description: 'Only requests with this status now.' }),
  userId: externalId
    .optional()
    .meta({ description: 'Only requests about this subject.', example: 'worker-4711' }),
};
export const paging = { limit: pageLimit(100, 25), cursor: cursorParam };

/** What a counterparty sends: the token, and with an answer the decision. */
export function tokenField(example: string) {
  return z
    .string()
    .max(MAX_ADDRESS)
    .meta({ description: 'The token that the platform handed to the counterparty.', example });
}

export const decisionField = z
  .enum(requestDecisions)
  .meta({ description: '`decline` records nothing and is no evidence.' });
