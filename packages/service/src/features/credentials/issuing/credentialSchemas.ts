import { z } from 'zod';
import { wholeNumber } from '../../../kit/http/query.js';
import type { CredentialForm } from './forms.js';

const DEFAULT_TTL_SECONDS = 86_400;
export const MAX_TTL_SECONDS = 7_776_000;

/** `ttl` of everything that issues a credential (RULES C7). */
export const ttlParam = wholeNumber(60, MAX_TTL_SECONDS)
  .optional()
  .default(DEFAULT_TTL_SECONDS)
  .meta({
    description:
      'How long the credential holds, in seconds: 60 to 7776000 (90 days), a day by default. Its end goes by steps, at most a ' +
      'twenty-fourth of that sooner; below four minutes a sixth.',
    example: '86400',
  });

/** `format` of an operation that issues a credential. */
export const formatParam = z.enum(['vc2', 'vc1']).optional().default('vc2').meta({
  description:
    '`vc1` asks for the `vc` claim of VC Data Model 1.1; left out, or `vc2`, it is a `vc+jwt` of 2.0. Both say the same.',
  example: 'vc1',
}) satisfies z.ZodType<CredentialForm>;

/** The query of an operation that issues a credential. */
export const CredentialQuery = z.object({ ttl: ttlParam, format: formatParam });

/** The fields of the answer to a POST that issues one; each operation adds its name, and what more it has. */
export const issuedFields = {
  credential: z.string().meta({ description: 'The signed credential, a compact JWT.' }),
  type: z.string().meta({ description: 'Its type, beside `VerifiableCredential`.' }),
  expiresAt: z.iso.datetime(),
  shareToken: z.string().meta({
    description:
      'The active share token of the subject, minted where it had none. Withdrawn, it revokes the credential.',
  }),
  verifyUrl: z.url().meta({ description: 'The page that shows the same record to people.' }),
};
