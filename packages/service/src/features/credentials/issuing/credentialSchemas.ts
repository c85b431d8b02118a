import { z } from 'zod';
import { instant, wholeNumber } from '../../../kit/http/query.js';
import type { CredentialForm } from './forms.js';

const DEFAULT_TTL_SECONDS = 86_400;
export const MAX_TTL_SECONDS = 7_776_000;

/** `ttl` of every operation that issues a credential (RULES C7). */
export const ttlParam = wholeNumber(60, MAX_TTL_SECONDS)
  .optional()
  .default(DEFAULT_TTL_SECONDS)
  .meta({
    description:
      'Lifetime of the credential in seconds, 60 to 7776000 (90 days). Default: 86400 (a day). The end is rounded down, by at most ' +
      'a twenty-fourth of the lifetime, or a sixth if it is below four minutes.',
    example: '86400',
  });

/** `format` of an operation that issues a credential. */
export const formatParam = z.enum(['vc2', 'vc1']).optional().default('vc2').meta({
  description:
    '`vc2` is a `vc+jwt` of VC Data Model 2.0, `vc1` a JWT with the `vc` claim of 1.1. Both have the same content. Default: `vc2`.',
  example: 'vc1',
}) satisfies z.ZodType<CredentialForm>;

/** The query of an operation that issues a credential. */
export const CredentialQuery = z.object({ ttl: ttlParam, format: formatParam });

/** Fields of the answer to a POST that issues a credential. Each operation adds its own. */
export const issuedFields = {
  credential: z.string().meta({ description: 'The signed credential, a compact JWT.' }),
  type: z.string().meta({ description: 'Its type besides `VerifiableCredential`.' }),
  expiresAt: instant,
  shareToken: z.string().meta({
    description:
      'The active share token of the subject, created if there was none. Withdrawing it revokes the credential.',
  }),
  verifyUrl: z.url().meta({ description: 'The page with the same record for people.' }),
};
