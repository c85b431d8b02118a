import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { nextFrames } from './browser.js';

/** A folder for screenshots: `PAGE_SHOTS=/some/folder npx vitest run packages/service/test/pages`. Undefined: none. */
export const shots = process.env.PAGE_SHOTS;

/** That the page, once loaded, fits each of the widths and has no finding of axe, light and dark. */
export async function expectGoodLooks(page: Page, name: string, widths = [320, 1280]): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await expectToFit(page, width);
      if (shots) await shoot(page, `${name}-${colorScheme}-${width}`);
    }
    const { violations, passes } = (await page.evaluate('axe.run()')) as AxeResults;
    const findings = violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, any }) => `${html} ${any[0]?.message ?? ''}`).join('\n')}`,
    );
    expect(findings, `${name} ${colorScheme} ${widths}`).toEqual([]);
    expect(passes.length).toBeGreaterThan(10);
  }
}

/** That nothing is wider than the screen. */
export async function expectToFit(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await nextFrames(page);
  // Not by `waitForFunction`: the page's policy refuses to evaluate its text a second time.
  await expect.poll(() => page.locator('.skeleton, .stale').count()).toBe(0);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
}

export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(String(shots), { recursive: true });
  await page.screenshot({ path: join(String(shots), `${name}.png`), fullPage: true });
}
