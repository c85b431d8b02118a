import { scoreBands } from '@reliability/scoring';
import { beforeAll, expect, test } from 'vitest';
import { givenService } from '#harness/givenService.js';
import { startTestService } from '#harness/service.js';
import { mint } from '../features/sharing/sharingFixtures.js';
import type { Alias } from '../features/subjects/linkFixtures.js';
import { describeInBrowser, givenBrowser } from './givenBrowser.js';
import { movableClock } from './hostedFixtures.js';
import { expectGoodLooks, expectToFit, shoot, shots } from './looks.js';
import { addEvents, inBand, someone, unscored } from './recordFixtures.js';

/** Layout and accessibility of the page, the badges and the report of a record. */
describeInBrowser('the pages of a record', () => {
  const clock = movableClock();
  const env = { BASE_URL: 'https://scores.example' };
  const service = givenService(() => startTestService('pglite', { clock, env }));
  const { open } = givenBrowser();
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
      clock.moveHours(30 * 24);
    }
    return person;
  }

  test('the page of a record is readable and accessible, and can change the language', async () => {
    const page = await open(`${service.url}/verify/${token}`);
    await expectGoodLooks(page, 'verify-en');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Wie gut wurden Abmachungen eingehalten?', level: 1 }).waitFor();
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

/** The right edge of the text and of the badge. */
const ROOM = `(() => {
  const box = document.querySelector('.band').getBBox();
  return { drawn: box.x + box.width, room: document.documentElement.viewBox.baseVal.width };
})()`;
