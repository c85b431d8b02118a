import { score, type Tally } from '@reliability/scoring';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#harness/service.js';
import { browserPath, launchBrowser, newContext } from './browser.js';
import { expectGoodLooks } from './looks.js';

describe.skipIf(browserPath === undefined)('the page /how in Chromium', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startTestService('pglite'), launchBrowser()]);
  });
  afterAll(() => Promise.all([browser?.close(), service?.close()]));

  async function opened(options: BrowserContextOptions = {}) {
    const context = await newContext(browser, options);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await page.goto(`${service.url}/how`);
    return { page, errors, close: () => context.close() };
  }

  const figure = async (page: Page, name: string) =>
    (await page.locator(`[data-figure="${name}"]`).textContent()) ?? '';
  const move = (page: Page, name: string, value: number) => page.locator(`#${name}`).fill(String(value));

  test('a moved slider gives the score that the formula gives, and the sum still adds up', async () => {
    const { page, errors, close } = await opened();
    await move(page, 'onTime', 20);
    await move(page, 'late', 3);
    await move(page, 'broken', 2);
    await move(page, 'disputed', 1);
    await move(page, 'unconfirmed', 7);
    await move(page, 'ageDays', 360);
    await page.locator('#stakeLevel').selectOption('HIGH');
    await page.locator('#platformTier').selectOption('STARTER');
    const of = (eventType: Tally['eventType'], count: number, rest: Partial<Tally> = {}): Tally => ({
      day: -360,
      platformTier: 'STARTER',
      stakeLevel: 'HIGH',
      isVerified: true,
      timeliness: 'untimed',
      eventType,
      count,
      ...rest,
    });
    const expected = score(
      [
        of('CONTRACT_FULFILLED', 20, { timeliness: 'on_time' }),
        of('CONTRACT_FULFILLED', 3, { timeliness: 'late' }),
        of('CONTRACT_BREACHED', 2),
        of('TRANSACTION_DISPUTED', 1),
        of('CONTRACT_FULFILLED', 7, { isVerified: false }),
      ],
      0,
    );
    expect(await figure(page, 'score')).toBe(expected?.finalScore.toFixed(2));
    expect(await figure(page, 'band')).toBe(expected?.scoreBand);
    for (const name of ['completion', 'timeliness', 'disputes', 'verification', 'gate'] as const)
      expect(Number((await figure(page, name)).replace('−', '-'))).toBe(expected?.factors[name]);
    expect(errors).toEqual([]);
    await close();
  });

  test('without any outcome there is no score, and the reset brings the first example back', async () => {
    const { page, close } = await opened();
    const before = await figure(page, 'score');
    for (const name of ['onTime', 'late', 'unconfirmed']) await move(page, name, 0);
    expect(await page.getByText('Without an outcome there is no score.').isVisible()).toBe(true);
    expect(await page.locator('[data-figure="score"]').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.locator('[data-figure="score"]').waitFor();
    expect(await figure(page, 'score')).toBe(before);
    await close();
  });

  test('shows the example where scripts do not run', async () => {
    const { page, close } = await opened({ javaScriptEnabled: false });
    expect(await page.locator('#example').isVisible()).toBe(false);
    expect(await page.getByText('this page needs a script').isVisible()).toBe(true);
    expect(await page.locator('[data-figure="score"]').isVisible()).toBe(true);
    await close();
  });

  test.each(['en-GB', 'de-DE'])('is readable and accessible (%s)', async (locale) => {
    const { page, close } = await opened({ locale });
    await expectGoodLooks(page, `how-${locale.slice(0, 2)}`);
    await close();
  });
});
