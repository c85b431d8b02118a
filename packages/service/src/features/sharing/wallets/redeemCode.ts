import {
  Oauth2ErrorCodes,
  Oauth2ServerErrorResponseError,
  preAuthorizedCodeGrantIdentifier,
} from '@openid4vc/oauth2';
import type { z } from 'zod';
import { hashOfSecret } from '#kit/crypto.js';
import type { Tx } from '#kit/db/database.js';
import { newPublicToken } from '#kit/ids.js';
import { ACCESS_MS } from './accessToken.js';
import { shareOf } from './offers.js';
import { MAX_WRONG_TX_CODES, openGrant, type WalletDeps } from './protocol.js';
import { asServiceError, refuse, withRefusals } from './refusals.js';
import type { TokenForm, WalletToken } from './schemas.js';
import { countWrongTxCode, lockOpenOffer, type OpenOffer, spendCode } from './store.js';

/**
 * POST /oid4vci/token: exchanges a code, and the digits if the offer requires them, for an access
 * token. Once.
 */
export async function redeemCode(deps: WalletDeps, form: z.output<typeof TokenForm>): Promise<WalletToken> {
  const { db, clock } = deps;
  const now = clock.now();
  const request = await codeRequestOf(deps, form);
  const token = newPublicToken('oat_', db);
  const refusal = await db.transaction(async (tx) => {
    const offer = await lockOpenOffer(tx, hashOfSecret(request.grant.preAuthorizedCode), now);
    if (!offer || !(await shareOf(tx, deps.shareTokens, offer))) return UNKNOWN_CODE;
    const error = await verifyGrant(deps, request, offer, now);
    if (!error) {
      const expiresAt = new Date(now.getTime() + ACCESS_MS);
      await spendCode(tx, offer.offerHash, { hash: hashOfSecret(token), expiresAt });
    } else await countIfGuessed(tx, offer, error);
    return error; // not thrown, so that the attempt is counted
  });
  if (refusal) throw asServiceError(refusal);
  return { access_token: token, token_type: 'Bearer', expires_in: ACCESS_MS / 1000 };
}

type CodeRequest = Pick<
  Parameters<WalletDeps['protocol']['authorization']['verifyPreAuthorizedCodeAccessTokenRequest']>[0],
  'grant' | 'accessTokenRequest'
>;

async function codeRequestOf(deps: WalletDeps, form: z.output<typeof TokenForm>): Promise<CodeRequest> {
  const refused = () =>
    refuse(Oauth2ErrorCodes.UnsupportedGrantType, 'Only the pre-authorized code grant is supported.');
  // Checked first, since the library would complain about missing fields of other grants.
  const { grant_type: grantType } = form;
  if (typeof grantType === 'string' && grantType !== preAuthorizedCodeGrantIdentifier) return refused();
  const { grant, accessTokenRequest } = await withRefusals(() =>
    deps.protocol.authorization.parseAccessTokenRequest({
      accessTokenRequest: form,
      request: requestOf(deps),
    }),
  );
  return grant.grantType === preAuthorizedCodeGrantIdentifier ? { grant, accessTokenRequest } : refused();
}

const UNKNOWN_CODE = new Oauth2ServerErrorResponseError({
  error: Oauth2ErrorCodes.InvalidGrant,
  error_description: 'The code is unknown, expired or already used.',
});

async function verifyGrant(
  deps: WalletDeps,
  { grant, accessTokenRequest }: CodeRequest,
  offer: OpenOffer,
  now: Date,
): Promise<Oauth2ServerErrorResponseError | null> {
  const { protocol, vault } = deps;
  const expected = openGrant(vault, offer.sealedGrant);
  try {
    await protocol.authorization.verifyPreAuthorizedCodeAccessTokenRequest({
      grant,
      accessTokenRequest,
      request: requestOf(deps),
      expectedPreAuthorizedCode: expected.code,
      expectedTxCode: expected.txCode ?? undefined,
      authorizationServerMetadata: protocol.authorizationServer,
      now,
    });
    return null;
  } catch (error) {
    if (error instanceof Oauth2ServerErrorResponseError) return error;
    throw error;
  }
}

/** The code was found, so only the tx_code can be wrong. A missing tx_code is not a guess. */
async function countIfGuessed(
  tx: Tx,
  { offerHash }: OpenOffer,
  { errorResponse }: Oauth2ServerErrorResponseError,
): Promise<void> {
  if (errorResponse.error !== Oauth2ErrorCodes.InvalidGrant) return;
  await countWrongTxCode(tx, offerHash, MAX_WRONG_TX_CODES);
}

/**
 * Without headers, in which the library looks for DPoP proofs and client attestations: wallets are
 * anonymous, tokens are bearer tokens.
 */
function requestOf({ config }: WalletDeps) {
  return { method: 'POST', url: `${config.baseUrl}/oid4vci/token`, headers: new Headers() } as const;
}
