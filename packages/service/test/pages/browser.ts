import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { PATIENCE_MS } from '#harness/eventually.js';
import { findProgram } from '#harness/findProgram.js';

export type { Browser, CDPSession } from 'playwright-core';

/** Path of the system's Chromium. undefined: not installed, and the tests are skipped. */
export const browserPath = findProgram([
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]);

if (browserPath === undefined)
  console.warn('Chromium is not installed: the tests of pages in a browser are skipped.');

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

/** A fresh browser profile of an English reader. */
export async function newContext(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** Waits until the scripts of the page know a new width or colour scheme, which they learn with a frame. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}
