import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenService } from '#harness/givenService.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { describeInBrowser, givenBrowser } from './givenBrowser.js';
import { askConfirmation, askReference, type OpenRequest, statusOf } from './hostedFixtures.js';

describeInBrowser('the scripts for other websites, in Chromium', () => {
  const service = givenService('pglite');
  const browser = givenBrowser();
  let shop: Receiver;
  let anonymous: Receiver;
  beforeAll(async () => {
    [shop, anonymous] = await Promise.all([startReceiver(), startReceiver()]);
  });
  afterAll(() => Promise.all([shop?.close(), anonymous?.close()]));

  const linkOf = ({ page, token }: OpenRequest) => `${service.url}${page}?token=${token}`;

  /** A page of a website whose Content-Security-Policy allows only what the documentation asks for. */
  async function websiteWith(body: string, website = shop, expectedErrors = /404/): Promise<Page> {
    const policy = `default-src 'none'; script-src 'unsafe-inline' ${service.url}; frame-src ${service.url}; img-src ${service.url}`;
    website.react(({ path }) => ({
      status: path === '/' ? 200 : 404,
      headers: { 'Content-Type': 'text/html', 'Content-Security-Policy': policy },
      body: `<!doctype html><html lang="en"><title>Shop</title><body>${body}</body></html>`,
    }));
    return browser.open(`${website.url}/`, { expectedErrors });
  }

  const launcher =
    () => `<button id="before">Before</button><button id="open">Answer</button><button id="after">After</button>
<script src="${service.url}/verify-embed.js"></script>
<script>
  window.received = [];
  window.results = [];
  addEventListener('message', (event) => received.push([event.origin, event.data]));
  window.openFor = (url) => { window.opened = ReliabilityVerify.open({ url, onResult: (result) => results.push(result) }); };
</script>`;

  async function openModal(asked: OpenRequest): Promise<Page> {
    const page = await websiteWith(launcher());
    await page.focus('#open');
    await page.evaluate(`openFor(${JSON.stringify(linkOf(asked))})`);
    await inFrame(page).locator('h1').waitFor();
    // Its script is at the end of the page.
    await page.frames()[1]?.waitForLoadState();
    return page;
  }

  const inFrame = (page: Page) => page.frameLocator('iframe');
  const resultsOf = (page: Page) => page.evaluate('results');
  // The website's policy forbids waiting inside the page, so this polls from outside.
  const reported = (page: Page) => expect.poll(() => page.evaluate('results.length')).toBe(1);
  const closed = (page: Page) => page.locator('iframe').waitFor({ state: 'detached' });

  test.each([
    { kind: 'confirmation', ask: askConfirmation, button: 'Yes, this is right', result: 'confirmed' },
    { kind: 'confirmation', ask: askConfirmation, button: 'No, this is not right', result: 'declined' },
    { kind: 'reference', ask: askReference, button: 'Yes, this is right', result: 'confirmed' },
  ])('a website on another origin opens a $kind and receives: $result', async ({ ask, button, result }) => {
    const asked = await ask(service);
    const page = await openModal(asked);
    await inFrame(page).getByRole('button', { name: button }).click();
    await reported(page);
    expect(await inFrame(page).locator('h1').textContent()).toMatch(/^Thank you/);
    await page.getByRole('button', { name: 'Close' }).click();
    await closed(page);
    expect(await resultsOf(page)).toEqual([result]);
    expect(await page.evaluate('received')).toEqual([[service.url, { name: 'reliability-verify', result }]]);
    expect(await page.evaluate('document.activeElement.id')).toBe('open');
    expect(await statusOf(service, asked)).toBe(result.toUpperCase());
  });

  test.each([
    ['the close button', (page: Page) => page.getByRole('button', { name: 'Close' }).click()],
    ['Escape on the website', (page: Page) => page.getByRole('button', { name: 'Close' }).press('Escape')],
    [
      'Escape in the frame',
      (page: Page) => inFrame(page).getByRole('button', { name: 'Yes' }).press('Escape'),
    ],
    ['the website itself', (page: Page) => page.evaluate('opened.close()')],
  ])('a window closed by %s is dismissed, and the focus returns', async (_, close) => {
    const asked = await askConfirmation(service);
    const page = await openModal(asked);
    await close(page);
    await reported(page);
    await closed(page);
    expect(await resultsOf(page)).toEqual(['dismissed']);
    expect(await page.evaluate('document.activeElement.id')).toBe('open');
    expect(await statusOf(service, asked)).toBe('PENDING');
  });

  test('the window keeps the keyboard focus and works by keyboard', async () => {
    const page = await openModal(await askConfirmation(service));
    for (let i = 0; i < 12; i += 1) {
      await page.keyboard.press(i < 8 ? 'Tab' : 'Shift+Tab');
      expect(['before', 'open', 'after']).not.toContain(await page.evaluate('document.activeElement.id'));
    }
    await inFrame(page).getByRole('button', { name: 'No, this is not right' }).press('Enter');
    await reported(page);
    expect(await resultsOf(page)).toEqual(['declined']);
  });

  test('the frame is sandboxed, and its page can change the language', async () => {
    const page = await openModal(await askConfirmation(service));
    const frame = page.locator('iframe');
    expect(await frame.getAttribute('sandbox')).toBe('allow-forms allow-scripts allow-same-origin');
    expect(await frame.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(await page.locator('dialog').getAttribute('aria-modal')).toBe('true');
    await inFrame(page).getByRole('button', { name: 'Deutsch' }).click();
    await inFrame(page).getByRole('button', { name: 'Ja, das stimmt' }).click();
    await reported(page);
    expect(await inFrame(page).locator('h1').textContent()).toBe('Danke. Es ist bestätigt.');
  });

  test('an answered request reports its result at once', async () => {
    const asked = await askConfirmation(service);
    const { token } = asked;
    const respond = { key: null, body: { token, decision: 'decline' } };
    await service.request('POST', `${asked.api}/respond`, respond);
    const page = await openModal(asked);
    await reported(page);
    expect(await resultsOf(page)).toEqual(['declined']);
  });

  test('a forged message is ignored', async () => {
    const page = await openModal(await askConfirmation(service));
    await page.evaluate(`postMessage({ name: 'reliability-verify', result: 'confirmed' }, '*')`);
    await page.evaluate(`new Promise((done) => {
      const frame = document.createElement('iframe');
      frame.srcdoc = '<script>parent.postMessage({ name: "reliability-verify", result: "confirmed" }, "*")<\\/script>';
      frame.onload = done;
      document.body.append(frame);
    })`);
    await expect.poll(() => page.evaluate('received.length')).toBe(2);
    expect(await resultsOf(page)).toEqual([]);
    expect(await page.locator('dialog').count()).toBe(1);
  });

  test('only links of this service are opened', async () => {
    const page = await websiteWith(launcher());
    for (const url of [
      `${shop.url}/confirm/1?token=x`,
      `${service.url}/docs`,
      `${service.url}/confirm/a/b`,
      `${service.url}.evil.example/confirm/1`,
      'javascript:alert(1)',
    ]) {
      const refusal = await page.evaluate(
        `try { openFor(${JSON.stringify(url)}); 'opened' } catch (error) { error.name }`,
      );
      expect(refusal, url).toBe('TypeError');
    }
    expect(await page.locator('iframe').count()).toBe(0);
  });

  test('a hostile website can neither frame the page of another website nor receive its result', async () => {
    const asked = await askConfirmation(service);
    const framed = `${linkOf(asked)}&embed=1&origin=${encodeURIComponent(shop.url)}`;
    const page = await websiteWith(
      `<script>window.received = []; addEventListener('message', (event) => received.push(event.data));</script>
<iframe src="${framed}"></iframe><iframe src="${linkOf(asked)}"></iframe>`,
      anonymous,
      /404|frame-ancestors/,
    );
    const shown = () => page.frames().map((frame) => frame.url());
    await expect
      .poll(shown)
      .toEqual([`${anonymous.url}/`, ...Array(2).fill('chrome-error://chromewebdata/')]);

    // A separate window shows the page but reports nothing to the website that opened it.
    const [popup] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(`void window.open(${JSON.stringify(framed)})`),
    ]);
    await popup.getByRole('button', { name: 'Yes, this is right' }).click();
    await expect.poll(() => popup.locator('h1').textContent()).toMatch(/^Thank you/);
    expect(await page.evaluate('received')).toEqual([]);
    expect(JSON.stringify(anonymous.received)).not.toContain(asked.token);
  });

  test('a website that frames the page itself receives the result only under its own origin', async () => {
    const asked = await askConfirmation(service);
    const framed = `${linkOf(asked)}&embed=1&origin=${encodeURIComponent(anonymous.url)}`;
    const page = await websiteWith(
      `<script>window.received = []; addEventListener('message', (event) => received.push(event.data.result));</script>
<iframe src="${framed}"></iframe>`,
      anonymous,
    );
    await inFrame(page).getByRole('button', { name: 'Yes, this is right' }).click();
    await expect.poll(() => page.evaluate('received.length')).toBe(1);
    expect(await page.evaluate('received')).toEqual(['confirmed']);
  });

  test('the badge is an image in a link to its verification', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="32"></svg>';
    const page = await websiteWith('<p id="place"></p>');
    const asked: string[] = [];
    await page.context().route('**/badge/**', async (route) => {
      asked.push(`${route.request().url()} ${(await route.request().allHeaders()).referer ?? ''}`);
      const isKnown = route.request().url().includes('st_known');
      await route.fulfill(
        isKnown ? { status: 200, contentType: 'image/svg+xml', body: svg } : { status: 404, body: '' },
      );
    });
    for (const token of ['st_known', 'st_gone', '../a"b'])
      await page.evaluate(`{
        const script = document.createElement('script');
        script.src = '${service.url}/trust-badge.js';
        script.dataset.token = ${JSON.stringify(token)};
        script.dataset.label = 'Our record';
        document.getElementById('place').append(script);
      }`);
    await expect.poll(() => asked.length).toBe(3);
    await expect.poll(() => page.locator('#place a').count()).toBe(1);
    const link = page.getByRole('link', { name: 'Our record' });
    expect(await link.getAttribute('href')).toBe(`${service.url}/verify/st_known`);
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(asked.sort()).toEqual([
      `${service.url}/badge/..%2Fa%22b.svg `,
      `${service.url}/badge/st_gone.svg `,
      `${service.url}/badge/st_known.svg `,
    ]);
  });

  test('the example pages work unchanged', async () => {
    const asked = await askConfirmation(service);
    // The browser also requests an icon.
    const page = await browser.open(`${service.url}/docs`, { expectedErrors: /404/ });
    await page.getByRole('link', { name: 'Embed the hosted pages' }).first().click();
    await page.getByLabel('A confirmation or reference link').fill(linkOf(asked));
    await page.getByRole('button', { name: 'Open' }).click();
    await inFrame(page).getByRole('button', { name: 'Yes, this is right' }).click();
    await page.getByText('Result: confirmed').waitFor({ state: 'attached' });
    await page.goto(`${service.url}/docs/trust-badge`);
    expect(await page.locator('pre').textContent()).toContain('data-token="st_..."');
  });
});
