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
    .refine(namesSomebody, 'must name somebody'),
  counterpartyName: z.string().min(1).max(255).nullish(),
  returnUrl: z
    .string()
    .max(2048, { abort: true })
    .refine(isReturnUrl, 'must be an https URL without user name and password')
    .meta({ format: 'uri' })
    .nullish(),
  expiresInHours: z.number().min(1).max(MAX_EXPIRY_HOURS).nullish(),
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

export const attestationStatus = z.enum(requestStatuses);

/** The filters of both listings. */
export const listFilters = {
  status: z.enum(requestStatuses).optional(),
  userId: externalId.optional(),
};
export const paging = { limit: pageLimit(100, 25), cursor: cursorParam };

/** What a counterparty sends: the token, and with an answer the decision. */
export function tokenField() {
  return z.string().max(MAX_ADDRESS);
}

export const decisionField = z.enum(requestDecisions);
