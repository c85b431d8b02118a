import { score, type Tally } from '@reliability/scoring';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { givenService } from '#harness/givenService.js';
import { startTestService } from '#harness/service.js';
import { describeInBrowser, givenBrowser, type PageOptions } from './givenBrowser.js';
import { expectGoodLooks } from './looks.js';

describeInBrowser('the page /how in Chromium', () => {
  const service = givenService(() => startTestService('pglite'));
  const { open } = givenBrowser();
  const opened = (options?: PageOptions) => open(`${service.url}/how`, options);

  const figure = async (page: Page, name: string) =>
    (await page.locator(`[data-figure="${name}"]`).textContent()) ?? '';
  const move = (page: Page, name: string, value: number) => page.locator(`#${name}`).fill(String(value));

  test('a moved slider gives the score that the formula gives, and the sum still adds up', async () => {
    const page = await opened();
    const moved = { onTime: 20, late: 3, broken: 2, disputed: 1, unconfirmed: 7, ageDays: 360 };
    for (const [name, value] of Object.entries(moved)) await move(page, name, value);
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
  });

  test('without any outcome there is no score, and the reset brings the first example back', async () => {
    const page = await opened();
    const before = await figure(page, 'score');
    for (const name of ['onTime', 'late', 'unconfirmed']) await move(page, name, 0);
    expect(await page.getByText('Without an outcome there is no score.').isVisible()).toBe(true);
    expect(await page.locator('[data-figure="score"]').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.locator('[data-figure="score"]').waitFor();
    expect(await figure(page, 'score')).toBe(before);
  });

  test('shows the example where scripts do not run', async () => {
    const page = await opened({ javaScriptEnabled: false });
    expect(await page.locator('#example').isVisible()).toBe(false);
    expect(await page.getByText('this page needs a script').isVisible()).toBe(true);
    expect(await page.locator('[data-figure="score"]').isVisible()).toBe(true);
  });

  test.each(['en-GB', 'de-DE'])('is readable and accessible (%s)', async (locale) => {
    const page = await opened({ locale });
    await expectGoodLooks(page, `how-${locale.slice(0, 2)}`);
  });
});
