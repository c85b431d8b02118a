import { randomInt } from 'node:crypto';
import { renderSVG } from 'uqr';
import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { hashOfSecret } from '../../../kit/crypto.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import { newPublicId, newPublicToken } from '../../../kit/ids.js';
import { recordOwnerActivity } from '../../../ledger/activity.js';
import { refuseTestKey, subjectOf, type UserContext } from '../../../ledger/requests/addressedSubject.js';
import { type Grant, sealGrant, TX_CODE_DIGITS, type WalletDeps } from './protocol.js';
import type { CredentialOffer, OfferQuery, OfferRequest } from './schemas.js';
import { insertOffer } from './store.js';

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
