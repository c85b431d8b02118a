import { join } from 'node:path';
import { scoreBands } from '@reliability/scoring';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '#harness/service.js';
import { mint } from '../features/sharing/sharingFixtures.js';
import type { Alias } from '../features/subjects/linkFixtures.js';
import { browserPath, launchBrowser, newContext } from './browser.js';
import { movableClock } from './hostedFixtures.js';
import { addEvents, inBand, someone, unscored } from './recordFixtures.js';

/**
 * A folder for screenshots: `HOSTED_SHOTS=/some/folder npx vitest run
 * packages/service/test/pages/recordLooks.slow.test.ts`.
 */
const shots = process.env.HOSTED_SHOTS;
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1280];

/**
 * Layout and accessibility of the page, the badges and the report of a record: narrow and wide,
 * light and dark.
 */
describe.skipIf(browserPath === undefined)('the pages of a record', () => {
  const clock = movableClock();
  let service: TestService;
  let browser: Browser;
  let of: Alias;
  let token: string;

  beforeAll(async () => {
    const env = { BASE_URL: 'https://scores.example' };
    [service, browser] = await Promise.all([startTestService('pglite', { clock, env }), launchBrowser()]);
    of = await lived();
    token = await mint(service, of, { includeProfile: true });
  });
  afterAll(() => Promise.all([browser?.close(), service?.close()]));

  /** Events over most of a year, good and bad. */
  async function lived(): Promise<Alias> {
    const person = await someone(service);
    const fulfilled = (late = 0) => ({
      eventType: 'CONTRACT_FULFILLED',
      isVerified: true,
      completedAt: clock.now().toISOString(),
      dueDate: new Date(clock.now().getTime() - late).toISOString(),
    });
    const said = () => ({ eventType: 'REVIEW_VERIFIED' });
    const broken = () => ({ eventType: 'CONTRACT_BREACHED', isVerified: true });
    const months = [
      [fulfilled, fulfilled],
      [fulfilled],
      [fulfilled, fulfilled, said],
      [() => fulfilled(1)],
      [broken],
      [fulfilled, fulfilled, fulfilled],
    ];
    for (const events of [
      ...months,
      [fulfilled],
      [fulfilled, fulfilled, fulfilled, fulfilled],
      [fulfilled, fulfilled, fulfilled],
    ]) {
      await addEvents(
        service,
        person,
        events.map((event) => event()),
      );
      clock.moveHours(30 * 24);
    }
    return person;
  }

  const looked = async (name: string, go: (page: Page) => Promise<unknown>, options = {}) => {
    const context = await newContext(browser, options);
    const page = await context.newPage();
    const breaches: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) breaches.push(message.text());
    });
    await go(page);
    const isEnglish = (await page.evaluate('document.documentElement.lang')) === 'en';
    if (isEnglish) await page.evaluate(axe.source);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      if (shots) await shoot(page, join(shots, `${name}-${colorScheme}`));
      // The languages differ only in their texts.
      if (isEnglish) expect(await violationsOf(page), colorScheme).toEqual([]);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    expect(breaches).toEqual([]);
    return { context, page };
  };

  test.each(['en-GB', 'de-DE'])('the page of a record is readable and accessible (%s)', async (locale) => {
    const go = (page: Page) => page.goto(`${service.url}/verify/${token}`);
    const { context } = await looked(`verify-${locale.slice(0, 2)}`, go, { locale });
    await context.close();
  });

  test('the page can change the language', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.goto(`${service.url}/verify/${token}`);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Wie gut wurden Abmachungen eingehalten?', level: 1 }).waitFor();
    await context.close();
  });

  test('the pages of a record without a score and of an unknown token are readable and accessible', async () => {
    const none = await unscored(service);
    for (const [name, token] of [
      ['verify-unscored', none.token],
      ['verify-nothing', 'st_nothing'],
    ]) {
      const { context } = await looked(String(name), (page) => page.goto(`${service.url}/verify/${token}`));
      await context.close();
    }
  });

  test('the report is readable on a screen', async () => {
    const extraHTTPHeaders = { Authorization: `Bearer ${of.platform.live.key}` };
    const address = `${service.url}/api/v1/users/${of.userId}/reliability-report?format=html`;
    const { context, page } = await looked('report', (open) => open.goto(address), { extraHTTPHeaders });
    await page.getByRole('radio', { name: 'Deutsch' }).check({ force: true });
    expect(await page.getByText('Bericht zur Zuverlässigkeit').isVisible()).toBe(true);
    expect(await page.getByText('Reliability report', { exact: true }).isVisible()).toBe(false);
    if (shots) await shoot(page, join(shots, 'report-de'));
    for (const summary of await page.locator('summary:visible').all()) await summary.click();
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    // One chart is visible at every width.
    expect(await page.locator('.chart svg:visible').count()).toBe(1);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await page.locator('.chart svg:visible').count()).toBe(1);
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    expect(await page.locator('header form').count()).toBe(0);
    const pdf = await page.pdf({
      preferCSSPageSize: true,
      ...(shots && { path: join(shots, 'report.pdf') }),
    });
    expect(pdf.length).toBeGreaterThan(10_000);
    await context.close();
  });

  test('the text of each badge fits', async () => {
    const tokens = await Promise.all(
      scoreBands.map(async (band) => (await inBand(service, band, clock.now())).token),
    );
    tokens.push((await unscored(service)).token);
    const context = await newContext(browser);
    const page = await context.newPage();
    for (const each of tokens) {
      await page.goto(`${service.url}/badge/${each}.svg`);
      const { drawn, room } = (await page.evaluate(ROOM)) as { drawn: number; room: number };
      expect(drawn).toBeLessThanOrEqual(room - 8);
      expect(room - drawn).toBeLessThanOrEqual(12);
    }
    if (shots) await shootBadges(await context.newPage(), tokens, shots);
    await context.close();
  });

  async function shootBadges(page: Page, tokens: readonly string[], folder: string): Promise<void> {
    const images = (query: string) =>
      tokens.map((each) => `<p><img src="${service.url}/badge/${each}.svg${query}"></p>`).join('');
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.setContent(
        `<style>body{display:flex;gap:2rem;zoom:2}div{padding:1rem}</style><div style="background:${colorScheme === 'dark' ? '#111' : '#fff'}">${images('')}</div>` +
          `<div style="background:#fff">${images('?theme=light')}</div><div style="background:#111">${images('?theme=dark')}</div>`,
      );
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder, `badges-${colorScheme}.png`), fullPage: true });
    }
  }
});

/** The right edge of the text and of the badge. */
const ROOM = `(() => {
  const box = document.querySelector('.band').getBBox();
  return { drawn: box.x + box.width, room: document.documentElement.viewBox.baseVal.width };
})()`;

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
