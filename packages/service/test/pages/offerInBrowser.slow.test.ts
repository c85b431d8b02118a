import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#harness/service.js';
import { codeOf, offerTo, redeem } from '../features/sharing/walletFixtures.js';
import { type Alias, alias } from '../features/subjects/linkFixtures.js';
import { browserPath, launchBrowser, newContext } from './browser.js';
import { expectGoodLooks } from './looks.js';

describe.skipIf(browserPath === undefined)('the page of a credential offer in Chromium', () => {
  let service: TestService;
  let browser: Browser;
  let of: Alias;
  beforeAll(async () => {
    const env = { BASE_URL: 'https://scores.example' };
    [service, browser] = await Promise.all([startTestService('pglite', { env }), launchBrowser()]);
    of = await alias(service, 'offered', [{ eventType: 'CONTRACT_FULFILLED', isVerified: true }]);
  });
  afterAll(() => Promise.all([browser?.close(), service?.close()]));

  async function opened(locale = 'en-GB', more = {}) {
    const offer = await offerTo(service, of, more);
    const context = await newContext(browser, { locale });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${service.url}/offers/${offer.offerId}`);
    return { offer, page, errors, close: () => context.close() };
  }

  test('counts down, and says so when a wallet elsewhere has taken the offer', async () => {
    const { offer, page, errors, close } = await opened();
    const clock = page.getByRole('timer');
    const before = (await clock.textContent()) ?? '';
    const [minutes = Number.NaN, seconds = Number.NaN] = before.split(':').map(Number);
    const left = (Date.parse(offer.expiresAt) - Date.now()) / 1000;
    // The page cannot show less than what is left, nor more than the offer's ten minutes.
    expect(minutes * 60 + seconds).toBeGreaterThanOrEqual(Math.floor(left));
    expect(minutes * 60 + seconds).toBeLessThanOrEqual(600);
    expect(before).toMatch(/^\d+:\d\d$/);
    await expect.poll(() => clock.textContent()).not.toBe(before);
    expect(errors).toEqual([]);
    await redeem(service, await codeOf(service, offer));
    await page.getByText('A wallet has taken the offer.').waitFor();
    await close();
  });

  test('shows a phone the button first, and a wide screen the code', async () => {
    const { page, close } = await opened();
    const topOf = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? Number.NaN;
    await page.setViewportSize({ width: 375, height: 700 });
    expect(await topOf('.button')).toBeLessThan(await topOf('.qr'));
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await topOf('.qr')).toBeLessThan(await topOf('.button'));
    await close();
  });

  test.each(['en-GB', 'de-DE'])('is readable and accessible (%s)', async (locale) => {
    const { page, close } = await opened(locale, { txCode: true });
    await expectGoodLooks(page, `offer-${locale.slice(0, 2)}`);
    await close();
  });
});
