import { hashOfSecret } from '../../../kit/crypto.js';
import { isUuid } from '../../../kit/ids.js';
import { knownPlatform } from '../../../ledger/groups/platforms.js';
import type { ServiceCredentialType } from '../../../ledger/issuing/vocabulary.js';
import { MAX_WRONG_TX_CODES, openGrant, type WalletDeps } from './protocol.js';
import { shareOf } from './readOffer.js';
import { findPagedOffer } from './store.js';

/** An offer for its page. It does not contain the code. */
export interface ShownOffer {
  readonly offerId: string;
  readonly credentialType: ServiceCredentialType;
  readonly platformName: string;
  readonly expiresAt: Date;
  readonly secondsLeft: number;
  /** What a wallet opens. Null: a wallet has taken the offer. */
  readonly link: string | null;
  readonly needsTxCode: boolean;
}

/** Null for an unknown, expired, blocked or withdrawn offer. */
export type LoadOffer = (id: string) => Promise<ShownOffer | null>;

export function createOfferLoader({ db, clock, vault, shareTokens, protocol }: WalletDeps): LoadOffer {
  return async (id) => {
    const offerId = id.toLowerCase();
    const offer = isUuid(offerId) ? await findPagedOffer(db, hashOfSecret(offerId)) : null;
    const now = clock.now();
    if (!offer || offer.expiresAt <= now || !(await shareOf(db, shareTokens, offer))) return null;
    const { sealedGrant, wrongTxCodes, platformId, expiresAt } = offer;
    const { name: platformName } = await knownPlatform(db, platformId);
    const credentialType = offer.credentialType as ServiceCredentialType;
    const secondsLeft = Math.ceil((expiresAt.getTime() - now.getTime()) / 1000);
    const shown = { offerId, credentialType, platformName, expiresAt, secondsLeft };
    if (sealedGrant === null)
      return wrongTxCodes < MAX_WRONG_TX_CODES ? { ...shown, link: null, needsTxCode: false } : null;
    const grant = openGrant(vault, sealedGrant);
    const { credentialOffer: link } = await protocol.createOffer(offerId, credentialType, grant);
    return { ...shown, link, needsTxCode: grant.txCode !== null };
  };
}
