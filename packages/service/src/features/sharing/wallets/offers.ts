import { randomInt } from 'node:crypto';
import { renderSVG } from 'uqr';
import type { z } from 'zod';
import { fail } from '#domain/errors.js';
import { hashOfSecret } from '#kit/crypto.js';
import type { Queryable } from '#kit/db/database.js';
import { created, type TypedAnswer } from '#kit/http/answer.js';
import { isUuid, newPublicId, newPublicToken } from '#kit/ids.js';
import { recordOwnerActivity } from '#ledger/activity.js';
import { knownPlatform } from '#ledger/groups/platforms.js';
import type { ServiceCredentialType } from '#ledger/issuing/forms.js';
import type { ShareToken, ShareTokens } from '#ledger/issuing/shareTokens.js';
import { refuseTestKey, subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import {
  type Grant,
  MAX_WRONG_TX_CODES,
  openGrant,
  sealGrant,
  TX_CODE_DIGITS,
  type WalletDeps,
} from './protocol.js';
import type { CredentialOffer, OfferQuery, OfferRequest, WalletOffer } from './schemas.js';
import { findOpenOffer, findPagedOffer, insertOffer, type Offer } from './store.js';

/** Lifetime of offer and code (RULES W1). */
const OFFER_MS = 10 * 60_000;

/**
 * POST /users/{id}/credential-offers. The answer gives access to the credential, so only the same
 * caller can replay it.
 */
export async function createOffer(
  { db, clock, ids, vault, withIdempotency, shareTokens, claimSources, config, protocol }: WalletDeps,
  context: UserContext<z.output<typeof OfferQuery>, z.output<ReturnType<typeof OfferRequest>>>,
): Promise<TypedAnswer<201, CredentialOffer>> {
  const { caller, owner, body, query, claim } = context;
  refuseTestKey(caller);
  const now = clock.now();
  const subjectId = subjectOf(context);
  const { actor } = owner;
  const { credentialType } = body;
  const source = claimSources.find(({ type }) => type === credentialType);
  if (!(await source?.attest(db, subjectId, now))) {
    fail('CONFLICT', { message: 'This credential type does not apply to this type of subject.' });
  }
  // The id gives access to the code, so no part of it may be predictable, not even the time.
  const offerId = newPublicId(db);
  const grant: Grant = {
    code: newPublicToken('oac_', db),
    txCode: body.txCode ? randomTxCode() : null,
  };
  const expiresAt = new Date(now.getTime() + OFFER_MS);

  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const share = await shareTokens.ensure(tx, { subjectId, actor, now });
    await insertOffer(tx, {
      offerHash: hashOfSecret(offerId),
      codeHash: hashOfSecret(grant.code),
      subjectId,
      shareTokenId: share.tokenId,
      credentialType,
      ttlSeconds: query.ttl,
      sealedGrant: sealGrant(vault, grant),
      expiresAt,
    });
    await recordOwnerActivity(tx, ids, caller, {
      action: 'CREDENTIAL_OFFER_CREATED',
      target: subjectId,
      subjectId,
      details: { credentialType, txCode: body.txCode, expiresAt },
      at: now,
    });
    const { credentialOffer: link } = await protocol.createOffer(offerId, credentialType, grant);
    return created({
      offerId,
      pageUrl: `${config.baseUrl}/offers/${offerId}`,
      credentialOfferUri: link,
      qrSvg: renderSVG(link),
      ...(grant.txCode !== null && { txCode: grant.txCode }),
      expiresAt,
    });
  });
}

function randomTxCode(): string {
  return String(randomInt(10 ** TX_CODE_DIGITS)).padStart(TX_CODE_DIGITS, '0');
}

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
