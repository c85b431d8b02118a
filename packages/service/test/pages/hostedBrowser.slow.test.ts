import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorCode } from '#domain/errorCatalog.js';
import { serviceError } from '#domain/errors.js';
import { givenService } from '#harness/givenService.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { hostedError } from '../../src/pages/hosted/answerHosted.js';
import { HOUR_MS, movableClock } from '../features/tenancy/keyFixtures.js';
import { describeInBrowser, givenBrowser } from './givenBrowser.js';
import { askConfirmation, askReference, type OpenRequest, post, statusOf } from './hostedFixtures.js';
import { expectGoodLooks, expectToFit } from './looks.js';

const YES = 'Yes, this is right';
const NO = 'No, this is not right';

/** The pages in a real browser. Their content is tested over HTTP. */
describeInBrowser('the hosted pages in Chromium', () => {
  const clock = movableClock();
  const env = { BASE_URL: 'https://scores.example' };
  const service = givenService('pglite', { clock, env });
  const browser = givenBrowser();
  /** Plays the platform's website and records visits. */
  let platform: Receiver;
  beforeAll(async () => {
    platform = await startReceiver();
  });
  afterAll(() => platform?.close());

  const linkOf = ({ page, token }: OpenRequest) => `${service.url}${page}?token=${token}`;
  // A second answer is 409, which the console reports as an error.
  const visit = (asked: OpenRequest, options: BrowserContextOptions = {}) =>
    browser.open(linkOf(asked), { ...options, expectedErrors: /409/ });
  /** A click or a key begins to load the next page: its heading comes later. */
  const heading = (page: Page) => expect.poll(() => page.locator('h1').textContent());

  test.each([
    { kind: 'confirmation', ask: askConfirmation, button: YES, status: 'CONFIRMED', script: true },
    { kind: 'confirmation', ask: askConfirmation, button: NO, status: 'DECLINED', script: true },
    { kind: 'reference', ask: askReference, button: YES, status: 'CONFIRMED', script: false },
    { kind: 'reference', ask: askReference, button: NO, status: 'DECLINED', script: false },
  ])('answer a $kind by mouse: $button, with script: $script', async ({ ask, button, status, script }) => {
    const asked = await ask(service);
    const page = await visit(asked, { javaScriptEnabled: script });
    await page.getByRole('button', { name: button }).click();
    await heading(page).toMatch(/^Thank you/);
    expect(page.url()).toBe(service.url + asked.page);
    expect(await statusOf(service, asked)).toBe(status);
  });

  test('on a phone both answers are in view without scrolling, and hide nothing at the end', async () => {
    const page = await visit(await askConfirmation(service), { viewport: { width: 375, height: 667 } });
    const bottom = 'document.querySelector("form.decide").getBoundingClientRect().bottom';
    expect(await page.evaluate(bottom)).toBeLessThanOrEqual(667);
    expect(await page.evaluate('scrollY')).toBe(0);
    for (const name of [YES, NO])
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
    for (const plain of [{ timezoneId: 'UTC' }, { timezoneId: 'Asia/Kolkata', javaScriptEnabled: false }])
      expect(await moment(plain)).toBe('2 November 2026, 15:42 UTC');
  });

  test.each([
    [YES, 'Enter', 'CONFIRMED'],
    [NO, 'Space', 'DECLINED'],
  ])('answer by keyboard alone: %s by %s', async (button, key, status) => {
    const asked = await askConfirmation(service);
    const page = await visit(asked);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY');
    await page.keyboard.press('Enter');
    expect(await statusOf(service, asked)).toBe('PENDING');
    const seen: string[] = [];
    while (seen.at(-1) !== button && seen.length < 10) {
      await page.keyboard.press('Tab');
      seen.push(String(await page.evaluate('document.activeElement.innerText')).trim());
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline, `the focus on ${seen.at(-1)} can be seen`).toBe('solid');
    }
    const inOrder = ['Deutsch', YES, NO];
    expect(seen).toEqual(inOrder.slice(0, inOrder.indexOf(button) + 1));
    await Promise.all([page.waitForURL(service.url + asked.page), page.keyboard.press(key)]);
    await heading(page).toMatch(/^Thank you/);
    expect(await statusOf(service, asked)).toBe(status);
  });

  test('a double click answers once, and the page shows the recorded answer', async () => {
    const asked = await askConfirmation(service);
    const page = await visit(asked);
    await page.getByRole('button', { name: YES }).dblclick();
    await expect.poll(() => page.url()).toBe(service.url + asked.page);
    await heading(page).toMatch(/^(Thank you\. It is confirmed\.|This has already been answered\.)$/);
    await page.reload();
    await heading(page).toBe('This has already been answered.');
    expect(await statusOf(service, asked)).toBe('CONFIRMED');
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
    await page.getByRole('button', { name: YES }).click();
    await page.getByRole('link', { name: 'Back to platform.test' }).click();
    await page.waitForURL(`${platform.url}/welcome`);
    expect(requests).toEqual([{ url: 'https://platform.test/orders/7?a=b', referrer: undefined }]);
    expect(await page.evaluate('document.referrer')).toBe('');
    expect(JSON.stringify(platform.received)).not.toContain(asked.token);
    expect(platform.received[0]?.headers.referer).toBeUndefined();
  });

  const goTo = (page: Page, asked: OpenRequest) => page.goto(linkOf(asked));
  const press = async (page: Page, button: number, change = '') => {
    const asked = await askConfirmation(service);
    await goTo(page, asked);
    await page.evaluate(change);
    await page.locator('.decide button').nth(button).click();
    await page.waitForURL(service.url + asked.page);
  };
  const failing = (code: ErrorCode) => async (page: Page) => {
    const language = String(await page.evaluate('navigator.language'));
    const request = { requestId: '0b9a4c1e-5f0d-4e58-9a51-6f2f8d3c7b10', query: {}, body: null };
    const failed = hostedError(env.BASE_URL)(serviceError(code), { ...request, header: () => language });
    const { status, headers, body } = failed;
    await page.route('**/error', (route) => route.fulfill({ status, headers, body: String(body) }));
    await page.goto(`${service.url}/error`);
  };
  const adverse = {
    eventType: 'CONTRACT_BREACHED',
    userId: `driver:${'a1b2c3d4-'.repeat(8)}`,
    counterpartyName: null,
    transactionValue: null,
    completedAt: null,
    description: `Two lines,\nand a word of ${'more'.repeat(30)} letters.`,
  };

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ['ask', async (page) => goTo(page, await askConfirmation(service))],
    [
      'ask-adverse',
      async (page) => goTo(page, await askConfirmation(service, { ...adverse, key: service.testKey })),
    ],
    ['ask-reference', async (page) => goTo(page, await askReference(service))],
    ['no-answer-chosen', (page) => press(page, 0, `document.querySelector('.decide button').value = ''`)],
    ['confirmed', (page) => press(page, 0)],
    ['declined', (page) => press(page, 1)],
    [
      'already-answered',
      async (page) => {
        const asked = await askReference(service);
        await post(service, asked.page, { token: asked.token, decision: 'confirm' });
        await goTo(page, asked);
      },
    ],
    [
      'cancelled',
      async (page) => {
        const asked = await askConfirmation(service);
        await service.request('POST', `${asked.api}/cancel`);
        await goTo(page, asked);
      },
    ],
    [
      'expired',
      async (page) => {
        const asked = await askConfirmation(service, { expiresInHours: 1 });
        clock.aheadMs += 2 * HOUR_MS;
        await goTo(page, asked);
      },
    ],
    ['wrong-link', (page) => page.goto(`${service.url}/confirm/nothing?token=cft_x`)],
    ['too-many', failing('RATE_LIMIT_EXCEEDED')],
    ['unavailable', failing('SERVICE_UNAVAILABLE')],
    ['failed', failing('INTERNAL_ERROR')],
  ])('is readable and accessible: %s', async (name, go) => {
    for (const locale of ['en-GB', 'de-DE']) {
      const page = await browser.newPage({ locale, expectedErrors: /status of [45]\d\d/ });
      await go(page);
      // The languages differ only in their texts.
      if (locale === 'en-GB') await expectGoodLooks(page, name);
      await expectToFit(page, 320);
      const heights = await page.locator('button').evaluateAll((found) => found.map((b) => b.clientHeight));
      expect(Math.min(44, ...heights)).toBeGreaterThanOrEqual(44);
      const [first, second] = (await page.evaluate(WEIGHTS)) as object[];
      expect(first).toEqual(second);
    }
  });
});

/** Style properties that could favour one of the two buttons. */
const WEIGHTS = `[...document.querySelectorAll('.decide button')].map((button) => {
  const { backgroundColor, color, borderColor, borderWidth, fontWeight, fontSize } = getComputedStyle(button);
  return { backgroundColor, color, borderColor, borderWidth, fontWeight, fontSize, width: button.clientWidth };
})`;
