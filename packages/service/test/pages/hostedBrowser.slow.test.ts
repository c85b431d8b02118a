import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { startTestService, type TestService } from '#harness/service.js';
import { browserPath, launchBrowser, newContext } from './browser.js';
import { askConfirmation, askReference, type OpenRequest } from './hostedFixtures.js';

/** The pages in a real browser. Their content is tested over HTTP. */
describe.skipIf(browserPath === undefined)('the hosted pages in Chromium', () => {
  let service: TestService;
  let browser: Browser;
  /** Plays the platform's website and records visits. */
  let platform: Receiver;
  const contexts: BrowserContext[] = [];
  /** Console errors, such as violations of the Content-Security-Policy. */
  const complaints: string[] = [];

  beforeAll(async () => {
    [service, browser, platform] = await Promise.all([
      startTestService('pglite'),
      launchBrowser(),
      startReceiver(),
    ]);
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(complaints.splice(0)).toEqual([]);
  });
  afterAll(() => Promise.all([browser?.close(), service?.close(), platform?.close()]));

  async function visit(asked: OpenRequest, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await newContext(browser, options);
    contexts.push(context);
    const page = await context.newPage();
    page.on('console', (message) => {
      // A second answer is 409, which the console reports as an error.
      if (message.type() === 'error' && !message.text().includes('409')) complaints.push(message.text());
    });
    await page.goto(`${service.url}${asked.page}?token=${asked.token}`);
    return page;
  }

  /** A click or a key begins to load the next page: its heading comes later. */
  const heading = (page: Page) => expect.poll(() => page.locator('h1').textContent());

  async function statusOf({ api }: OpenRequest): Promise<string> {
    const { body } = await service.request('GET', api);
    return body.status ?? body.confirmation?.status ?? body.reference?.status;
  }

  test.each(
    [
      { kind: 'confirmation', ask: askConfirmation },
      { kind: 'reference', ask: askReference },
    ].flatMap((kind) => [
      { ...kind, button: 'Yes, this is right', status: 'CONFIRMED', thanks: 'Thank you. It is confirmed.' },
      {
        ...kind,
        button: 'No, this is not right',
        status: 'DECLINED',
        thanks: 'Thank you. Your no is noted.',
      },
    ]),
  )('answer a $kind by mouse: $button', async ({ ask, button, status, thanks }) => {
    const asked = await ask(service);
    const page = await visit(asked);
    await page.getByRole('button', { name: button }).click();
    await heading(page).toBe(thanks);
    expect(page.url()).toBe(service.url + asked.page);
    expect(await statusOf(asked)).toBe(status);
  });

  test('on a phone both answers are in view without scrolling, and hide nothing at the end', async () => {
    const page = await visit(await askConfirmation(service), { viewport: { width: 375, height: 667 } });
    const bottom = 'document.querySelector("form.decide").getBoundingClientRect().bottom';
    expect(await page.evaluate(bottom)).toBeLessThanOrEqual(667);
    expect(await page.evaluate('scrollY')).toBe(0);
    for (const name of ['Yes, this is right', 'No, this is not right'])
      expect((await page.getByRole('button', { name }).boundingBox())?.y).toBeGreaterThan(500);
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
    expect(await page.evaluate(bottom)).toBeLessThan(567);
  });

  test('times are in the time zone of the reader, with UTC beside them, and in UTC without the script', async () => {
    const asked = await askConfirmation(service);
    const moment = async (options: BrowserContextOptions) =>
      (await (await visit(asked, options)).locator('.slip time').last().textContent()) ?? '';
    expect(await moment({ timezoneId: 'Asia/Kolkata' })).toBe(
      '2 November 2026 at 21:12 GMT+5:30 (2 November 2026, 15:42 UTC)',
    );
    expect(await moment({ timezoneId: 'Europe/Berlin', locale: 'de-DE' })).toBe(
      '2. November 2026 um 16:42 MEZ (2. November 2026, 15:42 UTC (Weltzeit))',
    );
    expect(await moment({ timezoneId: 'UTC' })).toBe('2 November 2026, 15:42 UTC');
    expect(await moment({ timezoneId: 'Asia/Kolkata', javaScriptEnabled: false })).toBe(
      '2 November 2026, 15:42 UTC',
    );
  });

  test.each([
    ['Yes, this is right', 'Enter', 'CONFIRMED'],
    ['No, this is not right', 'Space', 'DECLINED'],
  ])('answer by keyboard alone: %s by %s', async (button, key, status) => {
    const asked = await askConfirmation(service);
    const page = await visit(asked);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
    await page.keyboard.press('Enter');
    expect(await statusOf(asked)).toBe('PENDING');
    const seen: string[] = [];
    while (seen.at(-1) !== button && seen.length < 10) {
      await page.keyboard.press('Tab');
      seen.push(String(await page.evaluate('document.activeElement.innerText')).trim());
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline, `the focus on ${seen.at(-1)} can be seen`).toBe('solid');
    }
    const inOrder = ['Deutsch', 'Yes, this is right', 'No, this is not right'];
    expect(seen).toEqual(inOrder.slice(0, inOrder.indexOf(button) + 1));
    await Promise.all([page.waitForURL(service.url + asked.page), page.keyboard.press(key)]);
    await heading(page).toMatch(/^Thank you/);
    expect(await statusOf(asked)).toBe(status);
  });

  test.each([
    ['Yes, this is right', 'CONFIRMED'],
    ['No, this is not right', 'DECLINED'],
  ])('answer with script off: %s', async (button, status) => {
    const asked = await askReference(service);
    const page = await visit(asked, { javaScriptEnabled: false });
    await page.getByRole('button', { name: button }).click();
    await heading(page).toMatch(/^Thank you/);
    expect(await statusOf(asked)).toBe(status);
  });

  test('a double click answers once, and the page shows the recorded answer', async () => {
    const asked = await askConfirmation(service);
    const page = await visit(asked);
    await page.getByRole('button', { name: 'Yes, this is right' }).dblclick();
    await expect.poll(() => page.url()).toBe(service.url + asked.page);
    await heading(page).toMatch(/^(Thank you\. It is confirmed\.|This has already been answered\.)$/);
    await page.reload();
    await heading(page).toBe('This has already been answered.');
    expect(await statusOf(asked)).toBe('CONFIRMED');
  });

  test('change the language and get the thank-you in it', async () => {
    const asked = await askConfirmation(service);
    const page = await visit(asked);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await heading(page).toBe('Stimmt das?');
    await page.getByRole('button', { name: 'Ja, das stimmt' }).click();
    await heading(page).toBe('Danke. Es ist bestätigt.');
    const german = await visit(asked, { locale: 'de-CH' });
    await heading(german).toBe('Das wurde schon beantwortet.');
  });

  test('follow the link back to the platform without revealing the token or the answer', async () => {
    // A test has no https address, so the browser is redirected to this one.
    const asked = await askConfirmation(service, { returnUrl: 'https://platform.test/orders/7?a=b' });
    const page = await visit(asked);
    const requests: { url: string; referrer: string | undefined }[] = [];
    await page.context().route('https://platform.test/**', async (route) => {
      const headers = await route.request().allHeaders();
      requests.push({ url: route.request().url(), referrer: headers.referer });
      await route.fulfill({ status: 302, headers: { Location: `${platform.url}/welcome` } });
    });
    platform.react(() => ({ status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'Welcome back' }));
    await page.getByRole('button', { name: 'Yes, this is right' }).click();
    await page.getByRole('link', { name: 'Back to platform.test' }).click();
    await page.waitForURL(`${platform.url}/welcome`);
    expect(requests).toEqual([{ url: 'https://platform.test/orders/7?a=b', referrer: undefined }]);
    expect(await page.evaluate('document.referrer')).toBe('');
    expect(JSON.stringify(platform.received)).not.toContain(asked.token);
    expect(platform.received[0]?.headers.referer).toBeUndefined();
  });
});
