import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { LISTS, neighboursSettled } from '#harness/neighbours.js';
import type { TestService } from '#harness/service.js';
import { newContext, nextFrames } from '../pages/browser.js';

/** A folder for screenshots: `CONSOLE_SHOTS=/some/folder npx vitest run packages/service/test/console`. */
const shots = process.env.CONSOLE_SHOTS;

/** The console in a browser of its own. */
export interface OpenConsole {
  page: Page;
  /** Errors of the browser's console: a breach of the page's policy among them. */
  errors: string[];
  close(): Promise<void>;
}

export async function openConsole(
  browser: Browser,
  { url, db }: TestService,
  path = '',
  options: BrowserContextOptions = {},
): Promise<OpenConsole> {
  const context = await newContext(browser, options);
  // As `service.request` does: the view reads its list once.
  await context.route(
    ({ pathname }) => LISTS.test(pathname),
    async (route) => {
      await neighboursSettled(db, new URL(route.request().url()).pathname);
      // It fails when the page was closed meanwhile.
      await route.continue().catch(() => {});
    },
  );
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    // Before the sign-in the page asks who is signed in, and nobody is.
    const isNobody =
      message.text().includes('401') && message.location().url.endsWith('/console/api/session');
    if (message.type() === 'error' && !isNobody) errors.push(message.text());
  });
  await page.goto(`${url}/console${path}`);
  return { page, errors, close: () => context.close() };
}

/** Pastes a secret into the sign-in, and waits for the view. */
export async function signInByPasting(page: Page, secret: string): Promise<void> {
  await page.getByLabel(/^(Key or admin secret|Schlüssel oder Admin-Secret)$/).fill(secret);
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click();
  await page.locator('.shell main h1').waitFor();
}

/** Opens a view as somebody who is signed in with the secret. */
export async function openView(
  browser: Browser,
  service: TestService,
  secret: string,
  path = '',
  options: BrowserContextOptions = {},
): Promise<OpenConsole> {
  const opened = await openConsole(browser, service, path, options);
  await signInByPasting(opened.page, secret);
  return opened;
}

const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  { width: 375, height: 812 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];

/**
 * Holds the view that is open against axe at 375, 768 and 1440 pixels, dark and light: no finding, and
 * nothing wider than the screen. Call it when everything has loaded.
 */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await nextFrames(page);
      // Not by `waitForFunction`: the page's policy refuses to evaluate its text a second time.
      await expect.poll(() => page.locator('.skeleton, .stale').count()).toBe(0);
      if (shots) {
        await page.screenshot({
          path: join(shots, `${name}-${size.width}-${colorScheme}.png`),
          fullPage: true,
        });
      }
      const findings = await axeFindings(page);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect([name, size.width, colorScheme, findings, Number(width) <= size.width]).toEqual([
        name,
        size.width,
        colorScheme,
        [],
        true,
      ]);
    }
  }
}

async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join('\n')}`,
  );
}
