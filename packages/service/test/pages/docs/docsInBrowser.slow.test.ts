import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { givenService } from '#harness/givenService.js';
import { nextFrames } from '../browser.js';
import { describeInBrowser, givenBrowser, type PageOptions } from '../givenBrowser.js';
import { expectGoodLooks } from '../looks.js';

describeInBrowser('the documentation in Chromium', () => {
  const service = givenService('pglite');
  const { open } = givenBrowser();
  const opened = (path: string, options?: PageOptions) => open(`${service.url}/${path}`, options);

  test('pages look good on a phone and a wide screen, light and dark, and no code scrolls sideways', async () => {
    const page = await opened('docs');
    const guides = '/quickstart /webhooks /operating /formula /errors /changelog /verify-embed'.split(' ');
    for (const path of ['', ...guides, '/reference', '/reference/events', '/reference/deliveries']) {
      await page.goto(`${service.url}/docs${path}`);
      for (const form of await page.locator('.try > summary').all()) await form.click();
      await expectGoodLooks(page, `docs${path.replaceAll('/', '-')}`, [375, 1280]);
      for (const width of [375, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await nextFrames(page);
        expect(await wideElements(page), `${path} ${width}`).toEqual([]);
      }
    }
  });

  test('a chosen language holds for all examples, by keyboard, and on the next page', async () => {
    const page = await opened('docs/quickstart');
    const tabs = page.getByRole('tab', { name: 'curl' });
    await tabs.first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const chosen = () => page.locator('[role="tab"][aria-selected="true"]').allTextContents();
    expect(new Set(await chosen())).toEqual(new Set(['Python']));
    expect(await page.locator('.tabs figure:visible').count()).toBe(await page.locator('.tabs').count());
    await page.goto(`${service.url}/docs/reference/events`);
    expect(new Set(await chosen())).toEqual(new Set(['Python']));
  });

  test('a copy button copies its example', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await opened('docs/quickstart', { permissions });
    const figure = page.locator('.tabs figure:visible').first();
    // The button says so for two seconds only.
    const copied = figure.getByRole('button', { name: 'Copied' }).waitFor();
    await figure.getByRole('button', { name: 'Copy' }).click();
    await copied;
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await figure.locator('pre').textContent(),
    );
  });

  test('the search finds guides, operations, errors and settings, by keyboard alone', async () => {
    const page = await opened('docs/reference/events');
    for (const [words, address] of [
      ['idempotency', 'docs/'],
      ['recordEvent', 'docs/reference/events#recordEvent'],
      ['VALIDATION_ERROR', 'docs/errors#VALIDATION_ERROR'],
      ['TRUST_PROXY', 'docs/operating#'],
      ['webhoks', 'docs/'],
    ] as const) {
      await page.keyboard.press('/');
      await page.keyboard.type(words);
      await page.locator('.search li a').first().waitFor();
      await page.keyboard.press('ArrowDown');
      const focused = await page.evaluate('document.activeElement.href');
      expect(focused, words).toContain(`${service.url}/${address}`);
      await page.keyboard.press('Enter');
      await page.waitForURL(String(focused));
    }
  });

  test('an unknown page looks good, leads back and can be searched', async () => {
    const page = await opened('docs/no/such/page', { expectedErrors: /404/ });
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
    await expectGoodLooks(page, 'docs-missing', [375, 1280]);
    await page.keyboard.press('/');
    await page.keyboard.type('webhooks');
    await page.locator('.search li a').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'All pages' }).click();
    await page.waitForURL(`${service.url}/docs`);
  });

  test('links to parts of the former single page lead to where they are now', async () => {
    for (const [anchor, now] of [
      ['recordEvent', 'docs/reference/events#recordEvent'],
      ['NOT_FOUND', 'docs/errors#NOT_FOUND'],
    ]) {
      await (await opened(`docs#${anchor}`)).waitForURL(`${service.url}/${now}`);
    }
  });

  test('an operation can be tried with a test key, and the key is stored nowhere', async () => {
    const page = await opened('docs/reference/events');
    const form = page.getByRole('form', { name: 'Try it: Record an outcome' });
    await page.locator('#recordEvent ~ .sides .try summary').first().click();
    const key = form.getByLabel('Test key');
    await key.fill(service.testKey);
    await form.getByRole('button', { name: 'Send' }).click();
    const result = page.locator('#recordEvent-result');
    await result.getByText('201 Created').waitFor();
    const { event } = JSON.parse((await result.locator('pre').textContent()) ?? '');
    expect(event).toMatchObject({ userId: 'worker-4711', livemode: false });

    // The same key serves the other forms of the page.
    await page.locator('#readEvent ~ .sides .try summary').first().click();
    const read = page.getByRole('form', { name: 'Try it: Read one event' });
    await read.locator('[data-name="id"]').fill(event.id);
    await read.getByRole('button', { name: 'Send' }).click();
    await page.locator('#readEvent-result').getByText(`"id": "${event.id}"`).waitFor();

    const stored = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(stored).not.toContain(service.testKey.slice(9));
    await page.reload();
    const values = await page
      .locator('.try [data-in="key"]')
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
    expect(new Set(values)).toEqual(new Set(['']));
  });

  test('a live key is refused before anything is sent', async () => {
    const page = await opened('docs/reference/events');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.locator('#recordEvent ~ .sides .try summary').first().click();
    const form = page.getByRole('form', { name: 'Try it: Record an outcome' });
    for (const key of [service.liveKey, '', 'anything']) {
      await form.getByLabel('Test key').fill(key);
      await form.getByRole('button', { name: 'Send' }).click();
      await page.locator('#recordEvent-result').getByText('Nothing was sent').waitFor();
      expect(await form.getByLabel('Test key').inputValue()).toBe('');
    }
    expect(sent.filter((url) => url.includes('/api/'))).toEqual([]);
  });

  test('without script every language of an example can be read, and nothing is shown that does not work', async () => {
    const page = await opened('docs/reference/events', { javaScriptEnabled: false });
    const [figures, visible] = await Promise.all(
      ['.tabs figure', '.tabs figure:visible'].map((selector) => page.locator(selector).count()),
    );
    expect(visible).toBe(figures);
    for (const hidden of ['.search', '.try', '[role="tab"]', '.copy'])
      expect(await page.locator(`${hidden}:visible`).count(), hidden).toBe(0);
    await page.getByRole('link', { name: 'API reference' }).first().click();
    await page.getByRole('heading', { name: 'API reference', level: 1 }).waitFor();
  });
});

/** Elements whose content is wider than they are. */
function wideElements(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('main *')]
    .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
    .filter((element) => !element.closest('input, thead') && getComputedStyle(element).display !== 'inline')
    .map((element) => element.outerHTML.slice(0, 120))`);
}
