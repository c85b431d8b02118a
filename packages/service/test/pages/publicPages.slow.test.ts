import { score, scoreBands, type Tally } from '@reliability/scoring';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createBacktest, cutoffsOf } from '#domain/backtest/backtest.js';
import { otherFormulaOf } from '#domain/backtest/otherFormula.js';
import { givenService } from '#harness/givenService.js';
import { backtestPage } from '../../src/pages/backtest/backtestPage.js';
import { makeMarket } from '../domain/backtest/market.js';
import { mint } from '../features/sharing/sharingFixtures.js';
import type { Alias } from '../features/subjects/linkFixtures.js';
import { HOUR_MS, movableClock } from '../features/tenancy/keyFixtures.js';
import { describeInBrowser, givenBrowser, type PageOptions } from './givenBrowser.js';
import { expectGoodLooks, expectToFit, shoot, shots } from './looks.js';
import { addEvents, inBand, someone, unscored } from './recordFixtures.js';

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

describeInBrowser('in Chromium', () => {
  const clock = movableClock();
  const env = { BASE_URL: 'https://scores.example' };
  const service = givenService('pglite', { clock, env });
  const { newPage, open } = givenBrowser();

  describe('the page /how', () => {
    const opened = (options?: PageOptions) => open(`${service.url}/how`, options);

    const figure = async (page: Page, name: string) =>
      (await page.locator(`[data-figure="${name}"]`).textContent()) ?? '';
    const move = (page: Page, name: string, value: number) => page.locator(`#${name}`).fill(String(value));

    test('a moved slider gives the score that the formula gives, and the sum still adds up', async () => {
      const page = await opened();
      const moved = { onTime: 20, late: 3, broken: 2, disputed: 1, unconfirmed: 7, ageDays: 360 };
      for (const [name, value] of Object.entries(moved)) await move(page, name, value);
      await page.locator('#stakeLevel').selectOption('HIGH');
      await page.locator('#platformTier').selectOption('STARTER');
      const of = (eventType: Tally['eventType'], count: number, rest: Partial<Tally> = {}): Tally => ({
        day: -360,
        platformTier: 'STARTER',
        stakeLevel: 'HIGH',
        isVerified: true,
        timeliness: 'untimed',
        eventType,
        count,
        ...rest,
      });
      const expected = score(
        [
          of('CONTRACT_FULFILLED', 20, { timeliness: 'on_time' }),
          of('CONTRACT_FULFILLED', 3, { timeliness: 'late' }),
          of('CONTRACT_BREACHED', 2),
          of('TRANSACTION_DISPUTED', 1),
          of('CONTRACT_FULFILLED', 7, { isVerified: false }),
        ],
        0,
      );
      expect(await figure(page, 'score')).toBe(expected?.finalScore.toFixed(2));
      expect(await figure(page, 'band')).toBe(expected?.scoreBand);
      for (const name of ['completion', 'timeliness', 'disputes', 'verification', 'gate'] as const)
        expect(Number((await figure(page, name)).replace('−', '-'))).toBe(expected?.factors[name]);
    });

    test('without any outcome there is no score, and the reset brings the first example back', async () => {
      const page = await opened();
      const before = await figure(page, 'score');
      for (const name of ['onTime', 'late', 'unconfirmed']) await move(page, name, 0);
      expect(await page.getByText('Without an outcome there is no score.').isVisible()).toBe(true);
      expect(await page.locator('[data-figure="score"]').isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Start again' }).click();
      await page.locator('[data-figure="score"]').waitFor();
      expect(await figure(page, 'score')).toBe(before);
    });

    test('shows the example where scripts do not run', async () => {
      const page = await opened({ javaScriptEnabled: false });
      expect(await page.locator('#example').isVisible()).toBe(false);
      expect(await page.getByText('this page needs a script').isVisible()).toBe(true);
      expect(await page.locator('[data-figure="score"]').isVisible()).toBe(true);
    });

    test.each(['en-GB', 'de-DE'])('is readable and accessible (%s)', async (locale) => {
      const page = await opened({ locale });
      await expectGoodLooks(page, `how-${locale.slice(0, 2)}`);
    });
  });

  describe('a record', () => {
    let of: Alias;
    let token: string;
    beforeAll(async () => {
      of = await lived();
      token = await mint(service, of, { includeProfile: true });
    });

    /** Events over most of a year, good and bad. */
    async function lived(): Promise<Alias> {
      const person = await someone(service);
      for (const kinds of ['ff', 'f', 'ffs', 'l', 'b', 'fff', 'f', 'ffff', 'fff']) {
        const completedAt = clock.now().toISOString();
        const fulfilled = { eventType: 'CONTRACT_FULFILLED', isVerified: true, completedAt };
        const events: Record<string, object> = {
          f: { ...fulfilled, dueDate: completedAt },
          l: { ...fulfilled, dueDate: new Date(clock.now().getTime() - 1).toISOString() },
          s: { eventType: 'REVIEW_VERIFIED' },
          b: { eventType: 'CONTRACT_BREACHED', isVerified: true },
        };
        await addEvents(
          service,
          person,
          [...kinds].flatMap((kind) => events[kind] ?? []),
        );
        clock.aheadMs += 30 * 24 * HOUR_MS;
      }
      return person;
    }

    test('the page of a record is readable and accessible, and can change the language', async () => {
      const page = await open(`${service.url}/verify/${token}`);
      await expectGoodLooks(page, 'verify-en');
      await page.getByRole('button', { name: 'Deutsch' }).click();
      await page
        .getByRole('heading', { name: 'Wie gut wurden Abmachungen eingehalten?', level: 1 })
        .waitFor();
      // The languages differ only in their texts.
      await expectToFit(page, 320);
    });

    test('the pages of a record without a score and of an unknown token are readable and accessible', async () => {
      const none = await unscored(service);
      for (const shown of [none.token, 'st_nothing']) {
        const page = await open(`${service.url}/verify/${shown}`, { expectedErrors: /404/ });
        await expectGoodLooks(page, `verify-${shown === none.token ? 'unscored' : 'nothing'}`);
      }
    });

    test('the report is readable on a screen', async () => {
      const extraHTTPHeaders = { Authorization: `Bearer ${of.platform.live.key}` };
      const address = `${service.url}/api/v1/users/${of.userId}/reliability-report?format=html`;
      const page = await open(address, { extraHTTPHeaders });
      await expectGoodLooks(page, 'report');
      await page.getByRole('radio', { name: 'Deutsch' }).check({ force: true });
      expect(await page.getByText('Bericht zur Zuverlässigkeit').isVisible()).toBe(true);
      expect(await page.getByText('Reliability report', { exact: true }).isVisible()).toBe(false);
      for (const summary of await page.locator('summary:visible').all()) await summary.click();
      if (shots) await shoot(page, 'report-de');
      // One chart is visible at every width.
      for (const width of [320, 1280]) {
        await expectToFit(page, width);
        expect(await page.locator('.chart svg:visible').count()).toBe(1);
      }
      await page.emulateMedia({ media: 'print', colorScheme: 'light' });
      expect(await page.locator('header form').count()).toBe(0);
      const pdf = await page.pdf({ preferCSSPageSize: true });
      expect(pdf.length).toBeGreaterThan(10_000);
    });

    test('the text of each badge fits', async () => {
      const records = await Promise.all(scoreBands.map((band) => inBand(service, band, clock.now())));
      for (const { token } of [...records, await unscored(service)]) {
        const page = await open(`${service.url}/badge/${token}.svg`);
        const { drawn, room } = (await page.evaluate(ROOM)) as { drawn: number; room: number };
        expect(drawn).toBeLessThanOrEqual(room - 8);
        expect(room - drawn).toBeLessThanOrEqual(12);
        if (shots) await shoot(page, `badge-${token}`);
      }
    });
  });

  test.each([
    [120, 360],
    [120, 1280],
    [0, 360],
  ])(
    'the page of a backtest of %d subjects, %d px wide, fits, reads well to everyone, loads nothing',
    async (subjects, width) => {
      const page = await newPage();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.setContent(pageOf(subjects));
      expect(requests).toEqual([]);
      await expectGoodLooks(page, `backtest-${subjects}`, [width]);
      expect(await page.evaluate(CUT_TEXTS)).toEqual([]);
    },
  );
});

/** The right edge of the text and of the badge. */
const ROOM = `(() => {
  const box = document.querySelector('.band').getBBox();
  return { drawn: box.x + box.width, room: document.documentElement.viewBox.baseVal.width };
})()`;
