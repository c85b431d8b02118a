import { hashOfSecret } from '../../../kit/crypto.js';
import type { Database } from '../../../kit/db/database.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim } from '../../../kit/http/route.js';
import { newPublicToken } from '../../../kit/ids.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { LinkTokenMinted } from './schemas.js';
import { assertKnown, deleteLinkTokens, insertLinkToken } from './store.js';

const LIFETIME_MS = 15 * 60 * 1000;

/**
 * POST /users/{id}/link-token: valid for one link within 15 minutes. Returned once; the service
 * stores its hash.
 */
export function mintLinkToken(
  { clock, withIdempotency }: Pick<ServiceDeps, 'clock' | 'withIdempotency'>,
  subjectId: string,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, LinkTokenMinted>> {
  const now = clock.now();
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    await assertKnown(tx, subjectId);
    const linkToken = newPublicToken('lkt_', tx);
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    const tokenHash = hashOfSecret(linkToken);
    await insertLinkToken(tx, { tokenHash, subjectId, expiresAt });
    return created({ linkToken, expiresAt });
  });
}

/** Part of the retention sweep: deletes expired tokens. */
export function removeOldLinkTokens(db: Database): Sweep {
  return (now, until) =>
    inSlices(db, 'link tokens', until, async (tx) => {
      const affected = await deleteLinkTokens(tx, now, SLICE_ROWS);
      return { affected, isLast: affected < SLICE_ROWS };
    });
}
