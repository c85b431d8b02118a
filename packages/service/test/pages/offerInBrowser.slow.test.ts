import { beforeAll, expect, test } from 'vitest';
import { givenService } from '#harness/givenService.js';
import { startReceiver } from '#harness/receiver.js';
import { SHARING_BASE, SHARING_ENV } from '../features/sharing/sharingFixtures.js';
import { codeOf, GRANT_TYPE, offerTo, RECORD, redeem } from '../features/sharing/walletFixtures.js';
import { type Alias, alias } from '../features/subjects/linkFixtures.js';
import { describeInBrowser, givenBrowser } from './givenBrowser.js';
import { expectGoodLooks } from './looks.js';

/**
 * A wallet in a web page: from the offer link to the credential by fetch, then a second attempt.
 */
const WALLET = `async (offerUri, base, grantType, type) => {
  const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+]/g, '-').replace(/[/]/g, '_').replace(/=+$/, '');
  const text = (part) => encode(new TextEncoder().encode(JSON.stringify(part)));
  // The service is configured with another base URL than its test address.
  const at = (url) => url.replace(${JSON.stringify(SHARING_BASE)}, base);
  const json = async (url, init) => {
    const answer = await fetch(at(url), init);
    return { status: answer.status, body: await answer.json(), left: answer.headers.get('ratelimit-remaining'), challenge: answer.headers.get('www-authenticate') };
  };
  const link = new URL(offerUri).searchParams.get('credential_offer_uri');
  const offer = (await json(link, { headers: { 'X-Request-Id': 'wallet-page' } })).body;
  const issuer = (await json(offer.credential_issuer + '/.well-known/openid-credential-issuer')).body;
  const server = (await json(offer.credential_issuer + '/.well-known/oauth-authorization-server')).body;
  const form = new URLSearchParams({ grant_type: grantType, 'pre-authorized_code': offer.grants[grantType]['pre-authorized_code'] });
  const token = (await json(server.token_endpoint, { method: 'POST', body: form })).body.access_token;
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', pair.publicKey);
  const fetchCredential = async () => {
    const nonce = (await json(issuer.nonce_endpoint, { method: 'POST' })).body.c_nonce;
    const head = text({ alg: 'ES256', typ: 'openid4vci-proof+jwt', jwk: { kty, crv, x, y } });
    const payload = text({ aud: offer.credential_issuer, iat: Math.floor(Date.now() / 1000), nonce });
    const message = new TextEncoder().encode(head + '.' + payload);
    const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, message);
    const proof = head + '.' + payload + '.' + encode(signature);
    return json(issuer.credential_endpoint, {
      method: 'POST',
      headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ credential_configuration_id: type, proofs: { jwt: [proof] } }),
    });
  };
  return { first: await fetchCredential(), second: await fetchCredential() };
}`;

describeInBrowser('a credential offer in Chromium', () => {
  const service = givenService('pglite', { env: SHARING_ENV });
  const { open } = givenBrowser();
  let of: Alias;
  beforeAll(async () => {
    of = await alias(service, 'offered', [{ eventType: 'CONTRACT_FULFILLED', isVerified: true }]);
  });

  async function opened(locale = 'en-GB', more = {}) {
    const offer = await offerTo(service, of, more);
    // 404: the page asks for the offer until a wallet has taken it.
    const page = await open(`${service.url}/offers/${offer.offerId}`, { locale, expectedErrors: /404/ });
    return { offer, page };
  }

  test('counts down, and says so when a wallet elsewhere has taken the offer', async () => {
    const { offer, page } = await opened();
    const clock = page.getByRole('timer');
    const before = (await clock.textContent()) ?? '';
    const [minutes = Number.NaN, seconds = Number.NaN] = before.split(':').map(Number);
    const left = (Date.parse(offer.expiresAt) - Date.now()) / 1000;
    // The page cannot show less than what is left, nor more than the offer's ten minutes.
    expect(minutes * 60 + seconds).toBeGreaterThanOrEqual(Math.floor(left));
    expect(minutes * 60 + seconds).toBeLessThanOrEqual(600);
    expect(before).toMatch(/^\d+:\d\d$/);
    await expect.poll(() => clock.textContent()).not.toBe(before);
    await redeem(service, await codeOf(service, offer));
    await page.getByText('A wallet has taken the offer.').waitFor();
  });

  test('shows a phone the button first, and a wide screen the code', async () => {
    const { page } = await opened();
    const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
    await page.setViewportSize({ width: 375, height: 700 });
    expect(await topOf('.button')).toBeLessThan(await topOf('.qr'));
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await topOf('.qr')).toBeLessThan(await topOf('.button'));
  });

  test.each(['en-GB', 'de-DE'])('is readable and accessible (%s)', async (locale) => {
    const { page } = await opened(locale, { txCode: true });
    await expectGoodLooks(page, `offer-${locale.slice(0, 2)}`);
  });

  test('is taken by a wallet that is a page of another website, which can read why a second attempt is refused', async () => {
    const { credentialOfferUri } = await offerTo(service, of);
    const website = await startReceiver();
    const body = '<!doctype html><html lang="en"><title>Wallet</title><body></body></html>';
    website.react(() => ({ status: 200, headers: { 'Content-Type': 'text/html' }, body }));
    const page = await open(`${website.url}/`, { expectedErrors: /401/ });
    const given = [credentialOfferUri, service.url, GRANT_TYPE, RECORD].map((text) => JSON.stringify(text));
    const { first, second } = await page.evaluate<{
      first: { status: number; body: { credentials: { credential: string }[] }; left: string };
      second: { status: number; body: { error: string }; challenge: string };
    }>(`(${WALLET})(${given.join()})`);
    await website.close();
    expect(first.status).toBe(200);
    expect(first.body.credentials[0]?.credential.split('.')).toHaveLength(3);
    expect(Number(first.left)).toBeGreaterThan(0);
    expect([second.status, second.body.error]).toEqual([401, 'invalid_token']);
    expect(second.challenge).toContain('invalid_token');
  });
});
