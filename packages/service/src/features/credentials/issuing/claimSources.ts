import type { Queryable } from '../../../kit/db/database.js';
import type { Attested } from './answerWithCredential.js';
import type { ServiceCredentialType } from './vocabulary.js';

/**
 * What credentials of one type say about a subject. A feature that attests something has one, for its own operation; routes.ts passes
 * it on to the wallets as well, which offer every type they are given.
 */
export interface ClaimSource {
  readonly type: ServiceCredentialType;
  /** What people are shown in a wallet, a few words: `Earnings record`. */
  readonly title: string;
  /**
   * What is attested now of a live subject; asked outside of transactions. Null for a subject of which nothing of this type can be
   * said at all: a record of business of a person. A record that is still empty is a record. Throws USER_NOT_FOUND.
   */
  attest(db: Queryable, subjectId: string, now: Date): Promise<Attested | null>;
}
