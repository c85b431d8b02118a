import { randomInt, randomUUID } from 'node:crypto';
import { renderSVG } from 'uqr';
import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { hashOfSecret, randomSecret } from '../../../kit/crypto.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import { recordActivity } from '../../../ledger/activity.js';
import { refuseTestKey } from '../../../ledger/requests/liveKey.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { WalletDeps } from './deps.js';
import { sealGrant } from './grants.js';
import { type Grant, TX_CODE_DIGITS } from './protocol.js';
import type { OfferQuery, OfferRequest } from './schemas.js';
import { insertOffer } from './store.js';

/** Of offer and code: long enough to fetch a phone, and no longer (RULES W1). */
const OFFER_MS = 10 * 60_000;

/** POST /users/{id}/credential-offers. Everything in the answer opens the credential, so a replay is for the same caller alone. */
export async function createOffer(
  { db, clock, ids, vault, withIdempotency, shareTokens, claimSources, config, protocol }: WalletDeps,
  context: UserContext<z.output<typeof OfferQuery>, z.output<ReturnType<typeof OfferRequest>>>,
): Promise<Answer> {
  const { caller, body, query, claim } = context;
  refuseTestKey(caller);
  const now = clock.now();
  const subjectId = subjectOf(context);
  const actor = `key:${caller.keyId}`;
  const { credentialType } = body;
  const source = claimSources.find(({ type }) => type === credentialType);
  if (!(await source?.attest(db, subjectId, now))) {
    fail('CONFLICT', { message: 'A credential of this type says nothing about a subject of this kind.' });
  }
  // Whoever has the id reads the code, so nothing in it can be worked out, not even the time.
  const offerId = randomUUID();
  const grant: Grant = { code: randomSecret(''), txCode: body.txCode ? drawnTxCode() : null };
  const expiresAt = new Date(now.getTime() + OFFER_MS);
  const address = `${config.baseUrl}/oid4vci/offers/${offerId}`;

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
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: caller.platformId,
      livemode: caller.livemode,
      action: 'CREDENTIAL_OFFER_CREATED',
      actor,
      target: subjectId,
      subjectId,
      details: { credentialType, txCode: body.txCode, expiresAt },
      at: now,
    });
    const { credentialOffer: link } = await protocol.drawUpOffer(address, credentialType, grant);
    return created({
      offerId,
      credentialOfferUri: link,
      qrSvg: renderSVG(link),
      ...(grant.txCode !== null && { txCode: grant.txCode }),
      expiresAt,
    });
  });
}

function drawnTxCode(): string {
  return String(randomInt(10 ** TX_CODE_DIGITS)).padStart(TX_CODE_DIGITS, '0');
}
