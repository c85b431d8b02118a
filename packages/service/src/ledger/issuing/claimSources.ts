import type { Queryable } from '../../kit/db/database.js';
import type { CredentialDraft, CredentialType } from './issuer.js';
import type { ServiceCredentialType } from './vocabulary.js';

/** The content of a credential. Issuer, lifetime and share token are the same for all of them. */
export type Attested<Type extends CredentialType = CredentialType> = Omit<
  CredentialDraft<Type>,
  'form' | 'share' | 'inclusion' | 'now' | 'ttlSeconds'
> & {
  /** Overrides the `format` of the request. */
  readonly form?: CredentialDraft['form'];
};

/**
 * What credentials of one type say about a subject. A feature that attests something has one for
 * its own operation. `routes.ts` also passes it to the wallets, which offer every type they get.
 */
export interface ClaimSource {
  readonly type: ServiceCredentialType;
  /** The name that people see in a wallet, a few words: `Earnings record`. */
  readonly title: string;
  /**
   * The current content for a live subject, read outside of transactions. Null if the type cannot
   * apply to the subject, such as a business record to a person. An empty record is still a record.
   * Throws USER_NOT_FOUND.
   */
  attest(db: Queryable, subjectId: string, now: Date): Promise<Attested | null>;
}
