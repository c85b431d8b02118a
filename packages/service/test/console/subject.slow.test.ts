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

/** Keeps who confirmed, which POST /events does not take. */
const MAPPING = {
  ...Object.fromEntries(
    ['userId', 'eventType', 'verifiedBy', 'completedAt', 'dueDate', 'transactionValue'].map((name) => [
      name,
      { path: name },
    ]),
  ),
  isVerified: { constant: true },
  metadata: { job: { path: 'job' } },
};

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
          verifiedBy: `Customer ${index % 5}`,
          completedAt,
          dueDate: new Date(Date.parse(completedAt) + (index % 4 === 0 ? -DAY_MS : DAY_MS)).toISOString(),
          transactionValue: index + 0.5,
          job: `job-${index}`,
        };
      });
      const others = Array.from({ length: 60 }, (_, index) => ({
        userId: `driver-${String(index).padStart(3, '0')}`,
        eventType: index % 7 === 0 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED',
        isVerified: true,
        verifiedBy: 'Customer',
      }));
      const odd = [HOSTILE, LONG].map((userId) => ({ userId, eventType: 'TRANSACTION_COMPLETED' }));
      const answers = [
        await service.request('POST', '/events/batch', { key, body: { events: [...others, ...odd] } }),
        await service.request('POST', '/ingest', { key, body: { records: ofOne, mapping: MAPPING } }),
      ];
      expect(answers.map(({ body }) => body.failedCount)).toEqual([0, 0]);
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
      await page.getByRole('dialog').getByRole('textbox').fill(text);
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
    'the subject %s shows a course that opens where it moved, and what moved it in each step, by arrow keys',
    async (subject) => {
      const page = await open(`/subject/${subject}`);
      await page.locator('.course canvas').waitFor();
      await page.locator('.factor-changes').waitFor();
      const [largest = 0] = await numbersIn(page, '.moved p strong');
      expect(Math.abs(largest)).toBeGreaterThanOrEqual(1);
      for (const key of ['End', 'ArrowLeft']) {
        const before = await page.locator('.moved p').first().textContent();
        await chartOf(page).focus();
        await page.keyboard.press(key);
        await expect.poll(() => page.locator('.moved p').first().textContent()).not.toBe(before);
        await page.locator('[aria-busy="false"] > .moved').waitFor();
        const deltas = await numbersIn(page, '.factor-changes dd');
        const [total = Number.NaN] = await numbersIn(page, '.moved p strong');
        expect(sumOf(deltas)).toBeCloseTo(total, 1);
      }
    },
  );

  test('the page says first why the score moved, and lists the outcomes of the move', async () => {
    const page = await open('/subject/worker-1', service.liveKey, { locale: 'de-DE' });
    const headers = { 'Accept-Language': 'de' };
    const { body } = await service.request('GET', '/users/worker-1/score/change', { headers });
    await page.locator('.panel').first().getByText(body.sentence).waitFor();
    expect(await page.locator('main p').first().textContent()).toBe(body.sentence);
    await page.locator('.moved-parts').waitFor();
    expect(sumOf(await numbersIn(page, '.moved-parts > li > div strong:last-child'))).toBeCloseTo(
      body.delta,
      2,
    );
    const [part] = body.parts.filter(({ outcomes }: { outcomes: unknown[] }) => outcomes.length > 0);
    const listed = await numbersIn(page, '.moved-parts > li:has(button) >> nth=0 >> ul span:last-child');
    expect(sumOf(listed)).toBeCloseTo(part.points, 2);
    await page.locator('.moved-parts button').first().click();
    const { body: outcome } = await service.request('GET', `/events/${part.outcomes[0].eventId}`);
    await page.getByRole('dialog').getByText(outcome.id).waitFor();
    await page
      .getByRole('dialog')
      .getByText(outcome.attester ?? 'nach Ihrer eigenen Angabe')
      .waitFor();
  });

  test('a range is dragged or chosen by keys, and is in the address', async () => {
    const page = await open('/subject/worker-1');
    await page.locator('.moved').waitFor();
    const box = await boxOf(page);
    await page.mouse.move(box.x + box.width * 0.7, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 120, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d/);
    const dragged = daysIn(page.url());
    expect(dragged.length).toBeGreaterThan(25);
    await expectMoveBetween(page, dragged);

    await chartOf(page).press('Shift+ArrowLeft');
    await page.waitForURL((url) => url.searchParams.get('to') !== dragged.to);
    const shorter = daysIn(page.url());
    expect(shorter).toEqual({ ...dragged, to: dayBefore(dragged.to), length: dragged.length - 1 });
    await expectMoveBetween(page, shorter);
    await page.reload();
    await expectMoveBetween(page, shorter);

    await chartOf(page).press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    const to = dayBefore(shorter.to);
    await page.waitForURL((url) => daysIn(url.href).length === 3);
    expect(daysIn(page.url()).to).toBe(to);
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForURL((url) => daysIn(url.href).length === 2);
    expect(daysIn(page.url()).to).toBe(to);
    await page.getByRole('button', { name: 'Back to the largest move' }).click();
    await page.waitForURL((url) => url.search === '');
  });

  test('the chart tells date, score and outcome to mouse, finger and keys', async () => {
    const from = new Date(Date.now() - 90 * DAY_MS).toISOString().slice(0, 10);
    const { body } = await service.request('GET', `/users/worker-1/score/course?from=${from}`);
    const byDay = body.points;
    const index = byDay.findLastIndex(({ outcomes }: { outcomes: number }) => outcomes > 0);
    const { day, finalScore } = byDay[index];
    const page = await open('/subject/worker-1', service.liveKey, { hasTouch: true });
    await page.locator('.moved').waitFor();
    const tip = page.getByRole('tooltip');
    const expectTip = async () => {
      await tip.getByText(/^Agreement (kept|broken) · Customer \d$/).waitFor();
      const text = (await tip.textContent()) ?? '';
      expect(text).toContain(String(Number(day.slice(8))));
      expect(text).toContain(finalScore.toFixed(2));
    };
    const box = await boxOf(page);
    // The margins of the chart: 48 pixels before the first day, 16 behind the last.
    const x = box.x + 48 + (index / (byDay.length - 1)) * (box.width - 64);
    await page.mouse.move(x, box.y + 80);
    await expectTip();
    await page.mouse.move(x, box.y - 40);
    await tip.waitFor({ state: 'detached' });
    await page.touchscreen.tap(x, box.y + 80);
    await expectTip();
    await page
      .locator('.moved p')
      .first()
      .getByText(`on ${formatted(day)} (`, { exact: false })
      .waitFor();
    await page.keyboard.press('Escape');
    await tip.waitFor({ state: 'detached' });
    await chartOf(page).press('End');
    for (let step = byDay.length - 1; step > index; step -= 1) await page.keyboard.press('ArrowLeft');
    await expectTip();
  });

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
    await slider.fill('11');
    // The arrows are the slider's own, and the keys of the console work beside it.
    await slider.press('ArrowRight');
    await page.getByText('Future outcomes: 12').waitFor();
    await slider.press('r');
    await page.getByRole('dialog', { name: 'Report an outcome' }).waitFor();
    await page.keyboard.press('Escape');
    const event = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
    const body = { events: Array.from({ length: 12 }, () => event) };
    const { projected } = (await service.request('POST', '/users/worker-1/score/project', { body })).body;
    await page.locator('.projected').getByText(projected.score.toFixed(2)).waitFor();
    const { suggestions } = (await service.request('GET', '/users/worker-1/score/suggestions')).body;
    expect(suggestions.length).toBeGreaterThan(0);
    const shown = page.locator('.panel', { hasText: 'What would raise it' });
    for (const { finalScore } of suggestions) await shown.getByText(finalScore.toFixed(2)).first().waitFor();
  });

  test('the timeline is searched', async () => {
    const page = await open('/subject/worker-1');
    const timeline = page.getByRole('table', { name: 'Timeline' });
    await timeline.getByText('Agreement broken').first().waitFor();
    await page.getByRole('searchbox').fill('job-17');
    await expect.poll(() => timeline.getByRole('row').count()).toBe(2);
  });

  test('every row of the timeline opens, and the receipt of an outcome is checked', async () => {
    const page = await open('/subject/worker-1');
    const timeline = page.getByRole('table', { name: 'Timeline' });
    const dialog = page.getByRole('dialog');
    await timeline
      .getByText('First score')
      .or(timeline.getByText(/^Score /))
      .first()
      .click();
    await dialog.getByText('Formula').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').fill('job-17');
    await expect.poll(() => timeline.getByRole('row').count()).toBe(2);
    await timeline.focus();
    await page.keyboard.press('Enter');
    const { keys } = (await service.request('GET', '/platform/keys')).body;
    const own = keys.find(
      ({ isTest, isActive }: { isTest: boolean; isActive: boolean }) => !isTest && isActive,
    );
    for (const [name, text] of [
      ['Stake', 'Medium'],
      ['Worth', '17.50'],
      ['Completed on', /\d{4} on time$/],
      ['Due on', /\d{4}$/],
      ['Reported with', `…${own.id.slice(-6)}`],
      ['Confirmed by', 'Customer 2'],
    ] as const) {
      await dialog.locator('.pairs > div').filter({ hasText: name }).locator('dd').getByText(text).waitFor();
    }
    await dialog.getByRole('button', { name: 'Check now' }).click();
    await dialog
      .getByText('Proven: this outcome is in the log.')
      .or(dialog.getByText('Nothing is wrong'))
      .waitFor();
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
    await dialog.getByLabel('Worth').fill('12.5');
    await dialog.getByText('A success that nobody confirmed lowers the share of confirmed work').waitFor();
    await dialog.getByLabel('Confirmed by', { exact: false }).fill('Customer 9');
    await dialog.getByText('lowers the share').waitFor({ state: 'detached' });
    await expectGoodLooks(page, 'report');
    const foreseen = (await dialog.locator('.score-step strong').textContent()) ?? '';
    await dialog.getByRole('button', { name: 'Report' }).click();
    await page.locator('.score-now').waitFor();
    const { body } = await service.request('GET', '/users/reported-here/score', { key: service.testKey });
    expect(body).toMatchObject({ totalEvents: 1, verifiedEvents: 1 });
    expect(foreseen).toBe(body.finalScore.toFixed(2));
    const { items } = (
      await service.request('GET', '/users/reported-here/timeline', { key: service.testKey })
    ).body;
    expect(items[1].event).toMatchObject({ attester: 'Customer 9', transactionValue: 12.5 });
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
    const sure = page.getByRole('dialog', { name: 'Withdraw the share link of worker-1?' });
    await sure.getByText('are revoked for ever').waitFor();
    await sure.getByRole('button', { name: 'Withdraw the share link' }).click();
    await page.getByText('The link is withdrawn.').waitFor();
  });

  test('a subject is erased once its id is typed, and by no key without the scope', async () => {
    const key = service.testKey;
    const body = { userId: 'forgotten', eventType: 'CONTRACT_FULFILLED' };
    await service.request('POST', '/events', { key, body });
    await service.settle();
    const page = await open('/subject/forgotten', key, { expectedErrors: /410/ });
    await page.getByRole('button', { name: 'Erase this subject' }).click();
    const sure = page.getByRole('dialog', { name: 'Erase forgotten?' });
    await sure.getByText('every text about the subject').waitFor();
    const press = () => sure.getByRole('button', { name: 'Erase this subject' }).click();
    await sure.getByLabel('To confirm, type forgotten').fill('another');
    await press();
    await sure.getByText('This is not the same text.').waitFor();
    await expectGoodLooks(page, 'erase');
    await sure.getByLabel('To confirm, type forgotten').fill('forgotten');
    await press();
    await page.getByText('This subject was erased').waitFor();
    const { status } = await service.request('GET', '/users/forgotten/score', { key });
    expect(status).toBe(410);
    const limited = await service.request('POST', '/platform/keys', { body: { scopes: ['read', 'write'] } });
    const other = await open('/subject/worker-1', limited.body.key);
    await other.locator('.score-now').waitFor();
    expect(await other.getByRole('button', { name: 'Erase this subject' }).count()).toBe(0);
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

function chartOf(page: Page) {
  return page.locator('.course .chart-place');
}

async function boxOf(page: Page) {
  const box = await page.locator('.course canvas').boundingBox();
  if (!box) throw new Error('the chart has no place');
  return box;
}

function daysIn(address: string) {
  const { searchParams } = new URL(address);
  const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? ''];
  return { from, to, length: (Date.parse(to) - Date.parse(from)) / DAY_MS };
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
}

function formatted(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

async function expectMoveBetween(page: Page, { from, to }: { from: string; to: string }): Promise<void> {
  const text = page.locator('[aria-busy="false"] > .moved > p').first();
  const expected = new RegExp(`^From .* on ${formatted(from)} to .* on ${formatted(to)} `);
  await expect.poll(() => text.textContent()).toMatch(expected);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

async function numbersIn(page: Page, selector: string): Promise<number[]> {
  const texts = await page.locator(selector).allTextContents();
  return texts.map((text) =>
    Number(
      text
        .replace('−', '-')
        .replace(',', '.')
        .replace(/[+±()]/g, ''),
    ),
  );
}
