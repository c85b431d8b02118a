import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

describeInBrowser('what stays while one moves about, and comes back by itself', () => {
  const service = givenService(mainEngine);
  const { openView } = givenConsole(service);
  beforeAll(async () => {
    const events = Array.from({ length: 60 }, (_, index) => ({
      userId: `worker-${index % 30}`,
      eventType: 'CONTRACT_FULFILLED',
      isVerified: true,
    }));
    await service.request('POST', '/events/batch', { body: { events } });
    await service.settle();
  });

  test('the navigation stays in sight on long pages, and where it was scrolled to', async () => {
    const page = await openView(service.liveKey, '/keys');
    await page.setViewportSize({ width: 1280, height: 420 });
    await page.locator('.keys > li').first().waitFor();
    const nav = page.locator('.nav');
    const top = async () => (await nav.boundingBox())?.y;
    const before = await top();
    await page.evaluate('document.getElementById("main").style.paddingBottom = "3000px"; scrollTo(0, 2000)');
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(500);
    expect(await top()).toBe(before);
    expect(before).toBe((await page.locator('.mode-band').boundingBox())?.height);
    await nav.evaluate((element) => {
      element.scrollTop = 150;
    });
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('heading', { name: 'Activity' }).waitFor();
    expect(await nav.evaluate((element) => element.scrollTop)).toBe(150);
    expect(await top()).toBe(before);
  });

  /** Refuses what the path names, some times. */
  async function refuse(page: Page, path: RegExp, times: number, answer: (route: Route) => Promise<void>) {
    let refused = 0;
    await page.context().route(path, (route) => (refused++ < times ? answer(route) : route.continue()));
    return () => refused;
  }

  test('a view whose script cannot be loaded is tried again, and opens', async () => {
    const page = await openView(service.liveKey, '/usage', { expectedErrors: /ERR_FAILED|preload/ });
    await refuse(page, /\/assets\/Activity-/, 2, (route) => route.abort());
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText(/^Tries again by itself in \d+ s\.$/).waitFor();
    await expectGoodLooks(page, 'view-failed');
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    await page.getByRole('table').waitFor();
  });

  test('a view of a service that was updated meanwhile loads the new page', async () => {
    const page = await openView(service.liveKey, '/usage', { expectedErrors: /ERR_FAILED|404|preload/ });
    await refuse(page, /\/assets\/Activity-/, 1, (route) => route.fulfill({ status: 404, body: 'gone' }));
    // The page names another script now.
    await refuse(page, /\/console\/activity$/, 1, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script src="/console/assets/other.js"></script>' }),
    );
    const reloaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'Activity' }).click();
    await reloaded;
    await page.getByRole('table').waitFor();
  });

  test('an answer that fails is asked for again, lists too, but not for ever', async () => {
    const page = await openView(service.liveKey, '/usage', { expectedErrors: /503|ERR_FAILED/ });
    const busy = { status: 503, json: { error: 'The database is busy.', code: 'SERVICE_UNAVAILABLE' } };
    await refuse(page, /\/console\/api\/users\?/, 2, (route) => route.fulfill(busy));
    await page.getByRole('link', { name: 'Book' }).click();
    await page.getByText('The database is busy.').waitFor();
    await page.getByText(/^Tries again by itself/).waitFor();
    await page.locator('.table-row').first().waitFor();
    expect(await page.locator('.failure').count()).toBe(0);

    await page.clock.install();
    const asked = await refuse(page, /\/console\/api\/platform\/keys/, 99, (route) => route.abort());
    await page.getByRole('link', { name: 'Keys' }).click();
    await expect
      .poll(async () => {
        await page.clock.runFor(10_000);
        return asked();
      })
      .toBe(6);
    await page.getByText(/^5 more attempts failed/).waitFor();
    await page.clock.runFor(300_000);
    expect(asked()).toBe(6);
  });

  test('a refusal is not repeated, and an error is said in German', async () => {
    const page = await openView(service.liveKey, '/usage', { locale: 'de-DE', expectedErrors: /403|503/ });
    const refusal = { status: 403, json: { error: 'Not with this key.', code: 'SCOPE_INSUFFICIENT' } };
    const asked = await refuse(page, /\/console\/api\/platform\/keys/, 99, (route) => route.fulfill(refusal));
    await page.getByRole('link', { name: 'Schlüssel' }).click();
    await page.getByText('Ihr Schlüssel hat dieses Recht nicht.').waitFor();
    await page.getByText('Not with this key.').waitFor();
    expect(await page.getByText('Neuer Versuch').count()).toBe(0);
    expect(asked()).toBe(1);
    await expectGoodLooks(page, 'refused-german');
  });
});
