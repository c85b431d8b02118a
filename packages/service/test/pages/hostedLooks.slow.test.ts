import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceError } from '#domain/errors.js';
import { startTestService, type TestService } from '#harness/service.js';
import { hostedError } from '../../src/pages/hosted/answerHosted.js';
import { browserPath, launchBrowser, newContext } from './browser.js';
import { askConfirmation, askReference, movableClock, type OpenRequest, post } from './hostedFixtures.js';

/**
 * A folder for screenshots: `HOSTED_SHOTS=/some/folder npx vitest run
 * packages/service/test/pages/hostedLooks.slow.test.ts`.
 */
const shots = process.env.HOSTED_SHOTS;
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1280];
const LANGUAGES = ['en-GB', 'de-DE'];

/** Layout and accessibility of each page: narrow and wide, light and dark. */
describe.skipIf(browserPath === undefined)('every hosted page', () => {
  const clock = movableClock();
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    const env = { BASE_URL: 'https://scores.example' };
    [service, browser] = await Promise.all([startTestService('pglite', { clock, env }), launchBrowser()]);
  });
  afterAll(() => Promise.all([browser?.close(), service?.close()]));

  const visit = async (page: Page, asked: OpenRequest) => {
    await page.goto(`${service.url}${asked.page}?token=${asked.token}`);
  };
  const answered = async (page: Page, asked: OpenRequest, decision: string) => {
    await visit(page, asked);
    await page.locator(`button[value=${decision}]`).click();
    await page.waitForURL(service.url + asked.page);
  };
  const failing =
    (code: 'RATE_LIMIT_EXCEEDED' | 'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR') => async (page: Page) => {
      const request = { requestId: '0b9a4c1e-5f0d-4e58-9a51-6f2f8d3c7b10', query: {}, body: null };
      const language = String(await page.evaluate('navigator.language'));
      const header = () => language;
      const answer = hostedError('https://scores.example')(serviceError(code), { ...request, header });
      await page.route('**/error', (route) =>
        route.fulfill({ status: answer.status, headers: answer.headers, body: String(answer.body) }),
      );
      await page.goto(`${service.url}/error`);
    };

  test.each<[string, (page: Page) => Promise<void>]>([
    ['ask', async (page) => visit(page, await askConfirmation(service))],
    [
      'ask-adverse',
      async (page) =>
        visit(
          page,
          await askConfirmation(service, {
            key: service.testKey,
            eventType: 'CONTRACT_BREACHED',
            userId: `driver:${'a1b2c3d4-'.repeat(8)}`,
            counterpartyName: null,
            transactionValue: null,
            completedAt: null,
            description: `Two lines,\nand a word of ${'more'.repeat(30)} letters.`,
          }),
        ),
    ],
    ['ask-reference', async (page) => visit(page, await askReference(service))],
    [
      'no-answer-chosen',
      async (page) => {
        const asked = await askConfirmation(service);
        await visit(page, asked);
        await page.evaluate(`document.querySelector('button[value=confirm]').value = ''`);
        await page.locator('.decide button').first().click();
        await page.waitForURL(service.url + asked.page);
      },
    ],
    ['confirmed', async (page) => answered(page, await askConfirmation(service), 'confirm')],
    ['declined', async (page) => answered(page, await askConfirmation(service), 'decline')],
    [
      'already-answered',
      async (page) => {
        const asked = await askReference(service);
        await post(service, asked.page, { token: asked.token, decision: 'confirm' });
        await visit(page, asked);
      },
    ],
    [
      'cancelled',
      async (page) => {
        const asked = await askConfirmation(service);
        await service.request('POST', `${asked.api}/cancel`);
        await visit(page, asked);
      },
    ],
    [
      'expired',
      async (page) => {
        const asked = await askConfirmation(service, { expiresInHours: 1 });
        clock.moveHours(2);
        await visit(page, asked);
      },
    ],
    ['wrong-link', async (page) => void (await page.goto(`${service.url}/confirm/nothing?token=cft_x`))],
    ['too-many', failing('RATE_LIMIT_EXCEEDED')],
    ['unavailable', failing('SERVICE_UNAVAILABLE')],
    ['failed', failing('INTERNAL_ERROR')],
  ])('is readable and accessible: %s', async (name, goTo) => {
    for (const locale of LANGUAGES) {
      const context = await newContext(browser, { locale });
      const page = await context.newPage();
      const breaches: string[] = [];
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) breaches.push(message.text());
      });
      await goTo(page);
      if (locale === 'en-GB') await page.evaluate(axe.source);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        if (shots) await shoot(page, join(shots, `${name}-${locale.slice(0, 2)}-${colorScheme}`));
        // The languages differ only in their texts.
        if (locale === 'en-GB') expect(await violationsOf(page), colorScheme).toEqual([]);
      }
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      const heights = await page.locator('button').evaluateAll((found) => found.map((b) => b.clientHeight));
      expect(Math.min(44, ...heights)).toBeGreaterThanOrEqual(44);
      const [first, second] = (await page.evaluate(WEIGHTS)) as object[];
      expect(first).toEqual(second);
      expect(breaches).toEqual([]);
      await context.close();
    }
  });
});

/** Style properties that could favour one of the two buttons. */
const WEIGHTS = `[...document.querySelectorAll('.decide button')].map((button) => {
  const { backgroundColor, color, borderColor, borderWidth, fontWeight, fontSize } = getComputedStyle(button);
  return { backgroundColor, color, borderColor, borderWidth, fontWeight, fontSize, width: button.clientWidth };
})`;

async function violationsOf(page: Page): Promise<string[]> {
  const { violations, passes } = (await page.evaluate('axe.run()')) as AxeResults;
  expect(passes.length).toBeGreaterThan(10);
  return violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  );
}

async function shoot(page: Page, file: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await page.screenshot({ path: `${file}-${width}.png`, fullPage: true });
  }
}
