import { expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

const DAY_MS = 86_400_000;

describeInBrowser('the clock of the overview in Chromium', () => {
  const service = givenService(mainEngine);
  const { openView } = givenConsole(service);
  const on = (daysAgo: number, userId: string, eventType = 'CONTRACT_FULFILLED') => ({
    userId,
    eventType,
    isVerified: true,
    completedAt: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
  });
  const report = async (key: string, events: object[]) => {
    await service.request('POST', '/events/batch', { key, body: { events } });
    await service.settle();
  };

  test('a book that was imported is read by outcome, and says so; the other clock is one press away', async () => {
    const old = Array.from({ length: 90 }, (_, index) => on(60 + index, `worker-${index % 9}`));
    await report(service.liveKey, [...old, on(2, 'worker-1', 'CONTRACT_BREACHED'), on(3, 'worker-2')]);
    const page = await openView(service.liveKey);
    await page.getByRole('button', { name: 'By outcome date', pressed: true }).waitFor();
    await page.getByText(/Each outcome counts on the day it happened/).waitFor();
    await page.getByText(/older outcomes were recorded too/).waitFor();
    await page.getByRole('heading', { name: 'Average of all scores each day, 30 days' }).waitFor();
    const legend = page.locator('.legend');
    expect(await legend.textContent()).toMatch(/Outcomes: 2.*verified: 2/);
    const changes = () =>
      page.locator('section', { hasText: 'The book by band' }).locator('dd small').allTextContents();
    const sum = (texts: readonly string[]) =>
      texts.reduce((all, text) => all + Number(text.replace('±', '').replace('−', '-')), 0);
    // Nobody is new by outcome, and all are by recording.
    expect(sum(await changes())).toBe(0);
    await page
      .locator('section', { hasText: 'Fell most this week' })
      .getByRole('link', { name: 'worker-1' })
      .waitFor();
    await expectGoodLooks(page, 'overview-by-outcome');

    await page.getByRole('button', { name: 'By recording' }).click();
    await page.getByText(/Each outcome counts on the day it was recorded/).waitFor();
    expect(page.url()).toBe(`${service.url}/console?by=recorded`);
    await expect.poll(async () => sum(await changes())).toBe(9);
    await page.reload();
    await page.getByRole('button', { name: 'By recording', pressed: true }).waitFor();
    expect(await legend.textContent()).toMatch(/Outcomes: 92/);
  });

  test('a book that was reported as it happened is read by recording, in German too', async () => {
    await report(service.testKey, [on(0, 'worker-1'), on(0, 'worker-2')]);
    const page = await openView(service.testKey, '', { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Nach Eingang', pressed: true }).waitFor();
    await page.getByText(/an dem es eingetragen wurde/).waitFor();
    await expectGoodLooks(page, 'overview-by-recording');
  });
});
