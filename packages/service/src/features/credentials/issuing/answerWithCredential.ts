import type { z } from 'zod';
import type { Clock } from '../../../kit/clock.js';
import type { Tx } from '../../../kit/db/database.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { WithIdempotency } from '../../../ledger/requests/idempotency.js';
import { refuseTestKey } from '../../../ledger/requests/liveKey.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { CredentialQuery } from './credentialSchemas.js';
import type { CredentialDraft, IssuedCredential, Issuer } from './issuer.js';
import type { ShareToken, ShareTokens } from './shareTokens.js';

export interface CredentialDeps {
  clock: Clock;
  withIdempotency: WithIdempotency;
  issuer: Issuer;
  shareTokens: ShareTokens;
}

/** What a credential is to say; who issues it, for how long and under which token, is the same for all. */
export type Attested = Omit<CredentialDraft, 'form' | 'share' | 'now' | 'ttlSeconds'> & {
  /** In place of what `format` asks for. */
  readonly form?: CredentialDraft['form'];
};

interface Attesting {
  /** Reads what is attested, in the transaction that may mint the token. The subject is known and live. */
  attest(tx: Tx, subjectId: string, now: Date): Promise<Attested>;
  /** What the answer holds besides. */
  more?(issued: IssuedCredential, share: ShareToken): object;
}

/**
 * The answer to a POST that issues a credential about a subject: under its active share token, or under one that is
 * minted for it. The answer opens the public reads, so a replay of it is for the same caller alone.
 */
export async function answerWithCredential<Query extends z.output<typeof CredentialQuery>, Body>(
  { clock, withIdempotency, issuer, shareTokens }: CredentialDeps,
  context: UserContext<Query, Body>,
  { attest, more }: Attesting,
): Promise<Answer> {
  const { caller, query, claim } = context;
  refuseTestKey(caller);
  const now = clock.now();
  const subjectId = subjectOf(context);
  const signer = await issuer.signer();
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const share = await shareTokens.ensure(tx, { subjectId, actor: `key:${caller.keyId}`, now });
    const attested = await attest(tx, subjectId, now);
    const terms = { form: query.format, share, now, ttlSeconds: query.ttl };
    const issued = await signer.issue({ ...terms, ...attested });
    return created({
      ...issued,
      shareToken: share.token,
      verifyUrl: share.verifyUrl,
      ...more?.(issued, share),
    });
  });
}
