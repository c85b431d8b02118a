import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { nextFrames } from './browser.js';

/** A folder for screenshots. Undefined: none are taken. */
const shots = process.env.HOSTED_SHOTS;

/** That the page fits its width and has no finding of axe, on a phone and a wide screen, light and dark. */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [375, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await nextFrames(page);
      if (shots) await shoot(page, shots, `${name}-${colorScheme}-${width}`);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width);
    }
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
    const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    expect(findings, `${name} ${colorScheme}`).toEqual([]);
  }
}

async function shoot(page: Page, folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
