import { z } from 'zod';
import { instant, wholeNumber } from '../../kit/http/query.js';
import type { CredentialForm } from './forms.js';

const DEFAULT_TTL_SECONDS = 86_400;
export const MAX_TTL_SECONDS = 7_776_000;

/** `ttl` of every operation that issues a credential (RULES C7). */
export const ttlParam = wholeNumber(60, MAX_TTL_SECONDS).optional().default(DEFAULT_TTL_SECONDS);

/** `format` of an operation that issues a credential. */
export const formatParam = z
  .enum(['vc2', 'vc1'])
  .optional()
  .default('vc2') satisfies z.ZodType<CredentialForm>;

/** The query of an operation that issues a credential. */
export const CredentialQuery = z.object({ ttl: ttlParam, format: formatParam });

/** Fields of the answer to a POST that issues a credential. Each operation adds its own. */
export const issuedFields = {
  credential: z.string(),
  type: z.string(),
  expiresAt: instant,
  shareToken: z.string(),
  verifyUrl: z.url(),
};
