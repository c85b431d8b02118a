import { expect, test } from 'vitest';
import { createBacktest, cutoffsOf } from '#domain/backtest/backtest.js';
import { otherFormulaOf } from '#domain/backtest/otherFormula.js';
import { backtestPage } from '../../src/pages/backtest/backtestPage.js';
import { makeMarket } from '../domain/backtest/market.js';
import { describeInBrowser, givenBrowser } from './givenBrowser.js';
import { expectGoodLooks } from './looks.js';

const TODAY = 20_000;

/** The texts of pictures that leave their picture. */
const CUT_TEXTS = `[...document.querySelectorAll('svg text')].filter((text) => {
  const [own, outer] = [text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect()];
  return own.width > 0 && (own.left < outer.left - 1 || own.right > outer.right + 1);
}).map((text) => text.textContent)`;

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

describeInBrowser('the page of a backtest', () => {
  const { newPage } = givenBrowser();

  test.each([
    [120, 360],
    [120, 1280],
    [0, 360],
  ])('of %d subjects, %d px wide: fits, reads well to everyone, loads nothing', async (subjects, width) => {
    const page = await newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.setContent(pageOf(subjects));
    expect(requests).toEqual([]);
    await expectGoodLooks(page, `backtest-${subjects}`, [width]);
    expect(await page.evaluate(CUT_TEXTS)).toEqual([]);
  });
});
