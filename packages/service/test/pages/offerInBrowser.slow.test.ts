import { beforeAll, expect, test } from 'vitest';
import { givenService } from '#harness/givenService.js';
import { startTestService } from '#harness/service.js';
import { codeOf, offerTo, redeem } from '../features/sharing/walletFixtures.js';
import { type Alias, alias } from '../features/subjects/linkFixtures.js';
import { describeInBrowser, givenBrowser } from './givenBrowser.js';
import { expectGoodLooks } from './looks.js';

describeInBrowser('the page of a credential offer in Chromium', () => {
  const env = { BASE_URL: 'https://scores.example' };
  const service = givenService(() => startTestService('pglite', { env }));
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
});
