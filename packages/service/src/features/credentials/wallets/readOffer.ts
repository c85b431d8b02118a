import { fail } from '../../../domain/errors.js';
import { hashOfSecret } from '../../../kit/crypto.js';
import type { Queryable } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { isUuid } from '../../../kit/ids.js';
import type { ShareToken, ShareTokens } from '../issuing/shareTokens.js';
import type { WalletDeps } from './deps.js';
import { openGrant } from './grants.js';
import { findOpenOffer, type Offer } from './store.js';

/** GET /oid4vci/offers/{id}: what a wallet reads first, as often as it likes until the code is spent. */
export async function readOffer(
  { db, clock, vault, shareTokens, config, protocol }: WalletDeps,
  id: string,
): Promise<Answer> {
  const offer = isUuid(id) ? await findOpenOffer(db, hashOfSecret(id.toLowerCase()), clock.now()) : null;
  if (!offer || !(await shareOf(db, shareTokens, offer))) {
    return fail('NOT_FOUND', { message: 'There is no such offer, or it holds no longer.' });
  }
  const address = `${config.baseUrl}/oid4vci/offers/${id}`;
  const grant = openGrant(vault, offer.sealedGrant);
  const { credentialOfferObject } = await protocol.drawUpOffer(address, offer.credentialType, grant);
  return ok(credentialOfferObject);
}

/** The share token that the offer was made under; null once it is withdrawn, which ends the offer at every stage. */
export async function shareOf(
  db: Queryable,
  shareTokens: ShareTokens,
  { subjectId, shareTokenId }: Offer,
): Promise<ShareToken | null> {
  const share = await shareTokens.findActive(db, subjectId);
  return share?.tokenId === shareTokenId ? share : null;
}
