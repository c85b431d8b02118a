import { fail } from '../../../domain/errors.js';
import { hashOfSecret } from '../../../kit/crypto.js';
import type { Queryable } from '../../../kit/db/database.js';
import { isUuid } from '../../../kit/ids.js';
import type { ShareToken, ShareTokens } from '../../../ledger/issuing/shareTokens.js';
import { openGrant, type WalletDeps } from './protocol.js';
import type { WalletOffer } from './schemas.js';
import { findOpenOffer, type Offer } from './store.js';

/**
 * GET /oid4vci/offers/{id}: wallets read it first. It can be read repeatedly until the code is
 * used.
 */
export async function readOffer(
  { db, clock, vault, shareTokens, protocol }: WalletDeps,
  id: string,
): Promise<WalletOffer> {
  const offer = isUuid(id) ? await findOpenOffer(db, hashOfSecret(id.toLowerCase()), clock.now()) : null;
  if (!offer || !(await shareOf(db, shareTokens, offer))) {
    return fail('NOT_FOUND', { message: 'The offer is unknown, expired, used or withdrawn.' });
  }
  const grant = openGrant(vault, offer.sealedGrant);
  const { credentialOfferObject } = await protocol.createOffer(id, offer.credentialType, grant);
  return credentialOfferObject as WalletOffer;
}

/** The share token of the offer. Null after its withdrawal, which ends the offer at every stage. */
export async function shareOf(
  db: Queryable,
  shareTokens: ShareTokens,
  { subjectId, shareTokenId }: Offer,
): Promise<ShareToken | null> {
  const share = await shareTokens.findActive(db, subjectId);
  return share?.tokenId === shareTokenId ? share : null;
}
