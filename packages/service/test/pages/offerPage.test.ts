import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { SHARING_BASE, SHARING_ENV } from '../features/sharing/sharingFixtures.js';
import { codeOf, offerTo, redeem } from '../features/sharing/walletFixtures.js';
import { type Alias, alias, ask } from '../features/subjects/linkFixtures.js';
import { HOUR_MS, movableClock } from '../features/tenancy/keyFixtures.js';

describe.each(breadth)('the page of a credential offer on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { env: SHARING_ENV, clock });
  let of: Alias;
  let count = 0;

  const offered = async (more = {}) => {
    of = await alias(service, `offered-${++count}`, [{ eventType: 'CONTRACT_FULFILLED', isVerified: true }]);
    return offerTo(service, of, more);
  };
  const shown = (id: string, headers = {}, query = '') =>
    service.request('GET', `!/offers/${id}${query}`, { key: null, headers });

  test('is named by the offer and shows the link of the offer as a QR code and as a button', async () => {
    const offer = await offered();
    expect(offer.pageUrl).toBe(`${SHARING_BASE}/offers/${offer.offerId}`);
    const { status, headers, text } = await shown(offer.offerId);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toContain(`href="${offer.credentialOfferUri.replaceAll('&', '&amp;')}"`);
    expect(text).toMatch(/role="img" aria-label="QR code[^"]*"><svg /);
    expect(text).toContain(`Platform of ${of.userId}`);
    expect(text).toMatch(/data-seconds="(600|59\d)"/);
    expect(text).toMatch(/The offer ends on <time datetime="\d{4}-\d\d-\d\dT/);
  });

  test('is in German if the browser or the reader asks for it', async () => {
    const { offerId } = await offered();
    const german = await shown(offerId, { 'Accept-Language': 'de' });
    expect(german.headers.get('content-language')).toBe('de');
    expect(german.text).toContain('In einer Wallet auf diesem Gerät öffnen');
    expect((await shown(offerId, {}, '?lang=de')).text).toContain('<html lang="de">');
    expect((await shown(offerId, { 'Accept-Language': 'de' }, '?lang=en')).text).toContain(
      '<html lang="en">',
    );
  });

  test('takes nothing and contains neither the code nor the digits', async () => {
    const offer = await offered({ txCode: true });
    const { text } = await shown(offer.offerId);
    const code = await codeOf(service, offer);
    expect(text).toContain('six digits');
    expect(text).not.toContain(code);
    expect(text).not.toContain(offer.txCode);
    expect((await redeem(service, code, { tx_code: String(offer.txCode) })).status).toBe(200);
  });

  test('says that a wallet has taken the offer', async () => {
    const offer = await offered();
    await redeem(service, await codeOf(service, offer));
    const { status, text } = await shown(offer.offerId);
    expect(status).toBe(200);
    expect(text).toContain('A wallet has taken the offer.');
    expect(text).not.toContain('openid-credential-offer');
  });

  test('is 404 for an offer that is unknown, expired, withdrawn or guessed at too often', async () => {
    const withdrawn = await offered();
    await ask(service, of, 'DELETE', '/share-token');
    const guessed = await offered({ txCode: true });
    const code = await codeOf(service, guessed);
    const wrong = String((Number(guessed.txCode) + 1) % 1_000_000).padStart(6, '0');
    for (let guess = 0; guess < 5; guess += 1) await redeem(service, code, { tx_code: wrong });
    const expired = await offered();
    clock.aheadMs += 1 * HOUR_MS;
    const unknown = '5b0e62cf-3f0a-4d7e-9a4e-1c2f6f1b8d90';
    for (const id of [withdrawn.offerId, guessed.offerId, expired.offerId, unknown, 'no-id']) {
      const { status, headers, text } = await shown(id);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('This offer does not work.');
    }
  });
});
