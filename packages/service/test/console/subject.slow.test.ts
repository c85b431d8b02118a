import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { settledLog } from '../ledger/log/logDeps.js';
import { describeInBrowser, type PageOptions } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

const DAY_MS = 86_400_000;
const HOSTILE = '<img src=x onerror="document.title=1">';
const LONG = `${'اسم-طويل-'.repeat(20)}${'x'.repeat(70)}`;

describeInBrowser('the views book and subject in Chromium', () => {
  let daysAgo = 0;
  const clock = { now: () => new Date(Date.now() - daysAgo * DAY_MS) };
  const service = givenService(mainEngine, { clock });
  const { openView } = givenConsole(service);
  beforeAll(async () => {
    // The breach is in the week before this one, on whatever day the test runs.
    for (daysAgo of [30, 7, 0]) {
      const eventType = daysAgo === 7 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED';
      const body = { userId: 'reported-late', eventType, isVerified: true };
      expect((await service.request('POST', '/events', { body })).status).toBe(201);
    }
    for (const key of [service.liveKey, service.testKey]) {
      const now = Date.now();
      const ofOne = Array.from({ length: 30 }, (_, index) => {
        const completedAt = new Date(now - (30 - index) * 12 * DAY_MS).toISOString();
        const isBad = index % 10 === 4;
        return {
          userId: 'worker-1',
          eventType: isBad ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED',
          isVerified: true,
          verifiedBy: `Customer ${index % 5}`,
          completedAt,
          dueDate: new Date(Date.parse(completedAt) + (index % 4 === 0 ? -DAY_MS : DAY_MS)).toISOString(),
          metadata: { job: `job-${index}` },
        };
      });
      const others = Array.from({ length: 60 }, (_, index) => ({
        userId: `driver-${String(index).padStart(3, '0')}`,
        eventType: index % 7 === 0 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED',
        isVerified: true,
        verifiedBy: 'Customer',
      }));
      const odd = [HOSTILE, LONG].map((userId) => ({ userId, eventType: 'TRANSACTION_COMPLETED' }));
      for (const events of [ofOne, [...others, ...odd]]) {
        const answer = await service.request('POST', '/events/batch', { key, body: { events } });
        expect(answer.body.failedCount ?? 0).toBe(0);
      }
      const names = [
        ['worker-1', 'Zoë Feather-Okafor'],
        ['driver-003', 'محمد الطويل'],
        [LONG, 'Bartholomew '.repeat(10)],
      ];
      for (const [userId = '', displayName] of names) {
        const path = `/users/${encodeURIComponent(userId)}`;
        expect((await service.request('PATCH', path, { key, body: { displayName } })).status).toBe(200);
      }
    }
    await service.settle();
    await settledLog(service.db);
  });
  const open = (path: string, secret = service.liveKey, options: PageOptions = {}) =>
    openView(secret, path, options);

  test('a subject gets a name, is found by any part of it, and loses it, by keys alone', async () => {
    const page = await open('/subject/driver-005');
    const change = async (name: RegExp, text: string) => {
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('Display name').fill(text);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await change(/^Add a name/, 'Yuki Tanaka');
    await page.locator('h1').getByText('Yuki Tanaka').waitFor();
    expect(await page.locator('h1').textContent()).toBe('Yuki Tanaka driver-005');
    await page.goto(`${service.url}/console/book`);
    await page.getByRole('searchbox').fill('KI TAN');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByRole('table').getByText('Yuki Tanaka').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('tanak');
    await page.getByRole('option', { name: /Open subject Yuki Tanaka driver-005/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/subject\/driver-005/);
    await change(/^Change the name/, '');
    await page.getByRole('button', { name: 'Add a name' }).waitFor();
    expect(await page.locator('h1').textContent()).toBe('driver-005');
  });

  test('the book finds by any part of an id, filters by band, and opens a subject', async () => {
    const page = await open('/book');
    await page.getByRole('searchbox').fill('RIVER-01');
    await page.waitForURL(/q=RIVER-01/);
    await page.getByText('10 rows').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.waitForURL((url) => !url.search.includes('q='));
    await page.getByRole('button', { name: /^Unproven/ }).click();
    await page.waitForURL(/band=Unproven/);
    await page.reload();
    await page.getByRole('button', { name: /^Unproven/, pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('table', { name: 'Book' }).focus();
    for (const key of ['j', 'j', 'k', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(/\/subject\//);
  });

  test('a table of many rows keeps few of them in the page', async () => {
    const events = Array.from({ length: 400 }, (_, index) => ({
      userId: `many-${String(index).padStart(4, '0')}`,
      eventType: 'TRANSACTION_COMPLETED',
    }));
    for (let from = 0; from < events.length; from += 100) {
      const body = { events: events.slice(from, from + 100) };
      const { status } = await service.request('POST', '/events/batch', { key: service.testKey, body });
      expect(status).toBeLessThan(300);
    }
    await service.settle();
    const page = await open('/book?q=many-&sort=externalId', service.testKey);
    const table = page.getByRole('table', { name: 'Book' });
    await table.getByText('many-0000').waitFor();
    await expect
      .poll(async () => {
        await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return table.getByText('many-0399').count();
      })
      .toBe(1);
    expect(await table.getByRole('row').count()).toBeLessThan(60);
    await page.getByText('400 rows').waitFor();
  });

  test.each(['worker-1', 'reported-late?by=recorded&step=week'])(
    'the subject %s shows a course, and what moved the score in each step, by arrow keys',
    async (subject) => {
      const page = await open(`/subject/${subject}`);
      await page.locator('.course canvas').waitFor();
      await page.locator('.factor-changes').waitFor();
      const last = await page.locator('.moved p').first().textContent();
      await page.locator('.course').focus();
      await page.keyboard.press('ArrowLeft');
      await expect.poll(() => page.locator('.moved p').first().textContent()).not.toBe(last);
      await page.locator('.moved [aria-busy="false"] .factor-changes').waitFor();
      const deltas = await numbersIn(page, '.factor-changes dd');
      const [total = Number.NaN] = await numbersIn(page, '.moved p strong');
      expect(Math.abs(total)).toBeGreaterThanOrEqual(subject === 'worker-1' ? 0 : 1);
      expect(deltas.reduce((sum, delta) => sum + delta, 0)).toBeCloseTo(total, 1);
    },
  );

  test('the factors of the waterfall add up to the score', async () => {
    const page = await open('/subject/worker-1');
    await page.locator('.waterfall tr').nth(6).waitFor();
    const values = await numbersIn(page, '.waterfall td.end');
    const total = values.pop() ?? Number.NaN;
    expect(values.reduce((sum, value) => sum + value, 0)).toBeCloseTo(total, 2);
    const { body } = await service.request('GET', '/users/worker-1/score');
    expect(total).toBe(body.finalScore);
  });

  test('dragging a number of future outcomes shows the projection of the service', async () => {
    const page = await open('/subject/worker-1');
    const slider = page.getByRole('slider');
    await slider.fill('12');
    await page.getByText('Future outcomes: 12').waitFor();
    const event = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
    const body = { events: Array.from({ length: 12 }, () => event) };
    const { projected } = (await service.request('POST', '/users/worker-1/score/project', { body })).body;
    await page.locator('.projected').getByText(projected.score.toFixed(2)).waitFor();
  });

  test('the timeline is searched', async () => {
    const page = await open('/subject/worker-1');
    const timeline = page.getByRole('table', { name: 'Timeline' });
    await timeline.getByText('Agreement broken').first().waitFor();
    await page.getByRole('searchbox').fill('job-17');
    await expect.poll(() => timeline.getByRole('row').count()).toBe(2);
  });

  test('an outcome is reported, and the score follows', async () => {
    const page = await open('/subject/reported-here', service.testKey, { expectedErrors: /404/ });
    await page.getByText('Nothing is known about this id').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Report an outcome').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('r');
    const dialog = page.getByRole('dialog', { name: 'Report an outcome' });
    await dialog.getByLabel('Confirmed by', { exact: false }).fill('Customer 9');
    await dialog.getByRole('button', { name: 'Report' }).click();
    await page.locator('.score-now').waitFor();
    const { body } = await service.request('GET', '/users/reported-here/score', { key: service.testKey });
    expect(body).toMatchObject({ totalEvents: 1, verifiedEvents: 1 });
  });

  test('a confirmation is asked for, and its link is shown once', async () => {
    const page = await open('/subject/worker-1');
    await page.getByRole('button', { name: 'Ask for a confirmation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What the other side is asked about').fill('The kitchen of 4 May');
    await dialog.getByLabel('Your own name for the other side').fill('customer-4711');
    await dialog.getByRole('button', { name: 'Make the request' }).click();
    expect(await dialog.locator('.code').first().textContent()).toMatch(/\/confirm\/.+token=/);
    await dialog.getByLabel('Their language').selectOption('de');
    const message = (await dialog.locator('pre').textContent()) ?? '';
    expect(message).toMatch(/bittet Sie um eine Bestätigung: „The kitchen of 4 May“/);
    expect(message).toMatch(/\/confirm\/.+token=.+&lang=de/);
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click();
    await page.getByText('customer-4711').waitFor();
  });

  test('the proof of the score is checked in the browser', async () => {
    const page = await open('/subject/worker-1');
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.locator('.verdict').waitFor();
    expect(await page.locator('.verdict').textContent()).toMatch(/^Proven|^Nothing is wrong/);
  });

  test('a share link is made and withdrawn, and a wallet gets an offer', async () => {
    const page = await open('/subject/worker-1');
    await page.getByRole('button', { name: 'Make a share link' }).click();
    await page.getByRole('link', { name: /\/verify\/st_/ }).waitFor();
    await page.getByRole('button', { name: 'Offer a credential to a wallet' }).click();
    await page.locator('img.qr').waitFor();
    await page.getByRole('button', { name: 'Withdraw the share link' }).click();
    await page.getByText('The link is withdrawn.').waitFor();
  });

  test('hostile and long ids are shown as text and run nothing', async () => {
    const page = await open('/book?q=<');
    await page.getByText(HOSTILE).waitFor();
    await page.getByText(HOSTILE).click();
    await page.locator('h1').getByText(HOSTILE).waitFor();
    await page.locator('.score-now').waitFor();
    expect(await page.title()).not.toBe('1');
    expect(await page.locator('main img').count()).toBe(0);
  });

  test.each([
    ['book', '/book', 'test'],
    ['subject', '/subject/worker-1', 'live'],
    ['subject-rtl', `/subject/${encodeURIComponent(LONG)}`, 'live'],
  ])('%s looks good and is accessible', async (name, path, mode) => {
    const locale = mode === 'test' ? 'de-DE' : 'en-GB';
    const page = await open(path, mode === 'test' ? service.testKey : service.liveKey, {
      locale,
    });
    await page.getByRole('row').nth(2).waitFor();
    if (name !== 'book') await page.locator('.course canvas').waitFor();
    await expectGoodLooks(page, name);
  });
});

async function numbersIn(page: Page, selector: string): Promise<number[]> {
  const texts = await page.locator(selector).allTextContents();
  return texts.map((text) => Number(text.replace('−', '-').replace(/[+±()]/g, '')));
}
