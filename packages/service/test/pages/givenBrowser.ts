import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { browserPath, launchBrowser, newContext } from './browser.js';

export const describeInBrowser = describe.skipIf(browserPath === undefined);

export interface PageOptions extends BrowserContextOptions {
  /** Errors that the test itself causes, such as an answer 404. */
  expectedErrors?: RegExp;
}

/**
 * Chromium for the tests of a `describe`. Each page has a profile of its own, which ends with the test. A test
 * fails if a page reports an error, such as a breach of its Content-Security-Policy.
 */
export function givenBrowser() {
  let browser: Promise<Browser>;
  const contexts: BrowserContext[] = [];
  const errors: string[] = [];
  beforeAll(() => {
    browser = launchBrowser(); // not awaited: the service starts meanwhile
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(errors.splice(0)).toEqual([]);
  });
  afterAll(async () => (await browser).close());

  async function newPage({ expectedErrors, ...options }: PageOptions = {}): Promise<Page> {
    const context = await newContext(await browser, options);
    contexts.push(context);
    const page = await context.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      const error = `${message.text()} ${message.location().url}`;
      if (message.type() === 'error' && !expectedErrors?.test(error)) errors.push(error);
    });
    return page;
  }

  return {
    newPage,
    async open(url: string, options?: PageOptions): Promise<Page> {
      const page = await newPage(options);
      await page.goto(url);
      return page;
    },
  };
}
