import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBacktest, cutoffsOf } from '#domain/backtest/backtest.js';
import { otherFormulaOf } from '#domain/backtest/otherFormula.js';
import { backtestPage } from '../../src/pages/backtest/backtestPage.js';
import { makeMarket } from '../domain/backtest/market.js';
import { browserPath, launchBrowser, newContext } from './browser.js';

/** A folder for screenshots: `HOSTED_SHOTS=/some/folder npx vitest run packages/service/test/pages/backtestLooks.slow.test.ts`. */
const shots = process.env.HOSTED_SHOTS;
const TODAY = 20_000;

/** The width of the page, and the texts of pictures that leave their picture. */
const MEASURE = `({
  scrollWidth: document.documentElement.scrollWidth,
  cut: [...document.querySelectorAll('svg text')].filter((text) => {
    const [own, outer] = [text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect()];
    return own.width > 0 && (own.left < outer.left - 1 || own.right > outer.right + 1);
  }).map((text) => text.textContent),
})`;

/** The page of a market, with a comparison. */
function pageOf(subjects: number): string {
  const options = { by: 'recorded', everyDays: 30, horizonDays: 90, from: TODAY - 500, to: null } as const;
  const other = otherFormulaOf({ halfLifeDays: 720, unverifiedGateMax: 0.5 });
  const run = createBacktest({ options, cutoffs: cutoffsOf(options, null, TODAY), today: TODAY, other });
  for (const { subjectId, subjectType, events } of makeMarket(subjects, TODAY)) {
    const fold = run.fold();
    for (const event of events) fold.add(event);
    run.take(subjectId, subjectType, fold);
  }
  return String(backtestPage({ baseUrl: 'https://scores.example' })(run.report()).body);
}

describe.skipIf(browserPath === undefined)('the page of a backtest', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  test.each([
    [120, 360, 'light'],
    [120, 360, 'dark'],
    [120, 1280, 'light'],
    [120, 1280, 'dark'],
    [0, 360, 'light'],
  ] as const)(
    'of %d subjects, %d px wide, in %s: fits, reads well to everyone, loads nothing',
    async (subjects, width, colorScheme) => {
      const context = await newContext(browser, { colorScheme, viewport: { width, height: 900 } });
      const page = await context.newPage();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.setContent(pageOf(subjects));
      expect(requests).toEqual([]);
      const { scrollWidth, cut } = (await page.evaluate(MEASURE)) as { scrollWidth: number; cut: string[] };
      expect(scrollWidth).toBe(width);
      expect(cut).toEqual([]);
      await page.evaluate(axe.source);
      const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      if (shots)
        await page.screenshot({
          path: join(shots, `backtest-${subjects}-${width}-${colorScheme}.png`),
          fullPage: true,
        });
      await context.close();
    },
  );
});
