import { z } from 'zod';
import type { Clock } from '#kit/clock.js';
import type { Tx } from '#kit/db/database.js';
import { created, type TypedAnswer } from '#kit/http/answer.js';
import { instant, wholeNumber } from '#kit/http/query.js';
import { findSnapshotInclusion } from '../log/inclusion.js';
import { refuseTestKey, subjectOf, type UserContext } from '../requests/addressedSubject.js';
import type { WithIdempotency } from '../requests/idempotency.js';
import type { CredentialForm } from './forms.js';
import type { Attested, CredentialType, IssuedCredential, Issuer } from './issuer.js';
import type { ShareToken, ShareTokens } from './shareTokens.js';

const DEFAULT_TTL_SECONDS = 86_400;
export const MAX_TTL_SECONDS = 7_776_000;

/** `ttl` of every operation that issues a credential (RULES C7). */
export const ttlParam = wholeNumber(60, MAX_TTL_SECONDS).optional().default(DEFAULT_TTL_SECONDS);

const formatParam = z.enum(['vc2', 'vc1']).optional().default('vc2') satisfies z.ZodType<CredentialForm>;

export const CredentialQuery = z.object({ ttl: ttlParam, format: formatParam });

/** Fields of the answer to a POST that issues a credential. Each operation adds its own. */
export const issuedFields = {
  credential: z.string(),
  type: z.string(),
  expiresAt: instant,
  shareToken: z.string(),
  verifyUrl: z.url(),
};

export interface CredentialDeps {
  clock: Clock;
  withIdempotency: WithIdempotency;
  issuer: Issuer;
  shareTokens: ShareTokens;
}

interface Attesting<Type extends CredentialType, Extra> {
  /** Reads what to attest, in the transaction that may create the token. The subject is known and live. */
  attest(tx: Tx, subjectId: string, now: Date): Promise<Attested<Type>>;
  extra?(share: ShareToken): Extra;
}

interface Issued<Type extends CredentialType> extends IssuedCredential<Type> {
  readonly shareToken: string;
  readonly verifyUrl: string;
}

/** Under its active share token or a new one, which only the same caller can replay. */
export async function answerWithCredential<
  Query extends z.output<typeof CredentialQuery>,
  Body,
  Type extends CredentialType,
  Extra extends object = object,
>(
  { clock, withIdempotency, issuer, shareTokens }: CredentialDeps,
  context: UserContext<Query, Body>,
  { attest, extra }: Attesting<Type, Extra>,
): Promise<TypedAnswer<201, Issued<Type> & Extra>> {
  const { caller, owner, query, claim } = context;
  refuseTestKey(caller);
  const now = clock.now();
  const subjectId = subjectOf(context);
  const signer = await issuer.signer();
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const share = await shareTokens.ensure(tx, { subjectId, actor: owner.actor, now });
    const attested = await attest(tx, subjectId, now);
    const inclusion = await findSnapshotInclusion(tx, subjectId);
    const terms = { form: query.format, share, inclusion, now, ttlSeconds: query.ttl };
    const issued = await signer.issue({ ...terms, ...attested });
    const more = extra?.(share) ?? ({} as Extra);
    return created({ ...issued, shareToken: share.token, verifyUrl: share.verifyUrl, ...more });
  });
}
