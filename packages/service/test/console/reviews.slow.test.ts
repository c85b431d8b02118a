import { expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

const HOSTILE = '<img src=x onerror="document.title=1"> عامل';

describeInBrowser('reviews and record links in the console', () => {
  const service = givenService(mainEngine);
  const { openView } = givenConsole(service);

  async function report(key: string, event: object): Promise<string> {
    const { body } = await service.request('POST', '/events', { key, body: event });
    await service.settle();
    return body.eventId;
  }

  /** `BASE_URL` of a test names no port. */
  const here = (url: string) => `${service.url}${new URL(url).pathname}`;

  /** As the subject does on the page of its record. */
  async function object(key: string, userId: string, body: object): Promise<{ id: string; page: string }> {
    const { body: link } = await service.request('POST', `/users/${userId}/record-links`, { key, body: {} });
    const answer = await fetch(`${here(link.url)}/reviews`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(201);
    const { review } = (await answer.json()) as { review: { id: string } };
    return { id: review.id, page: here(link.url) };
  }

  test('fifty reviews are sorted by deadline, told apart and searched', async () => {
    const key = service.testKey;
    await report(key, { userId: 'worker-1', eventType: 'CONTRACT_BREACHED' });
    const { id } = await object(key, 'worker-1', { text: 'Objection 0' });
    await service.db.execute(
      `insert into review (review_id, subject_id, number, platform_id, livemode, record_link_id, text, opened_at, respond_by)
       select gen_random_uuid(), subject_id, number + n, platform_id, livemode, record_link_id,
         'Objection ' || n, opened_at, respond_by - n * interval '5 hours'
       from review cross join generate_series(1, 49) n where review_id = $1`,
      [id],
    );
    const page = await openView(key, '/inbox?of=reviews', { locale: 'de-DE' });
    const rows = page.locator('.table-row');
    await page.getByText('50 Zeilen').waitFor();
    expect(await rows.first().textContent()).toMatch(/worker-1.*die ganze Akte.*Objection 49.*in 4 Tagen/);
    const texts = await rows.allTextContents();
    expect(new Set(texts).size).toBe(texts.length);
    await page.getByRole('searchbox').fill('objection 17');
    await page.getByText('1 Zeile', { exact: true }).waitFor();
    await expectGoodLooks(page, 'inbox-reviews');
  });

  test('a review opens with its case and what could be done; its answer moves no score', async () => {
    const key = service.liveKey;
    for (let count = 0; count < 3; count += 1)
      await report(key, { userId: 'worker-2', eventType: 'CONTRACT_FULFILLED', isVerified: true });
    const eventId = await report(key, {
      userId: 'worker-2',
      eventType: 'CONTRACT_BREACHED',
      stakeLevel: 'HIGH',
      transactionValue: 1250.5,
      completedAt: '2026-03-01T12:00:00Z',
    });
    const { id, page: record } = await object(key, 'worker-2', { eventId, text: `${HOSTILE}\nI was there.` });
    const scoreOf = async () =>
      (await service.request('GET', '/users/worker-2/score', { key })).body.finalScore;
    const page = await openView(key, '/inbox?of=reviews');
    await page.locator('.table-row', { hasText: 'worker-2' }).click();
    const shown = page.getByRole('dialog', { name: 'Review' });
    for (const text of ['I was there.', 'Agreement broken', '1,250.50', '1 Mar 2026', 'nobody yet'])
      await shown.getByText(text).first().waitFor();
    await shown.getByText(/^…/).waitFor(); // the key that reported it
    await shown.getByText('A review never moves the score.').waitFor();

    await shown.getByRole('button', { name: 'Ask for a confirmation' }).click();
    const ask = page.getByRole('dialog', { name: 'Ask for a confirmation' });
    expect(await ask.getByLabel('Completed on').inputValue()).toBe('2026-03-01');
    await page.keyboard.press('Escape');
    await shown.getByRole('button', { name: 'Report an outcome' }).click();
    await page
      .getByRole('dialog', { name: 'Report an outcome' })
      .getByText(/It would move/)
      .waitFor();
    await page.keyboard.press('Escape');
    const before = await scoreOf();

    await shown.getByRole('button', { name: 'Send the answer' }).click();
    await shown.getByText('can answer once').waitFor(); // Nothing was sent: the fields are required.
    await shown.getByLabel('The record is corrected in part').check();
    await shown.getByLabel('Your reasons, in plain words').fill(`You are right.\n${HOSTILE}`);
    await shown.getByLabel(/^Who answers/).fill('Grace Hopper');
    await expectGoodLooks(page, 'inbox-review');
    await shown.getByRole('button', { name: 'Send the answer' }).click();
    await page.getByText('The person sees it on their page.').waitFor();
    await service.settle();
    expect(await scoreOf()).toBe(before);
    const { body } = await service.request('GET', `/reviews/${id}`, { key });
    expect(body).toMatchObject({ status: 'ANSWERED', outcome: 'PARTLY', reviewer: 'Grace Hopper' });
    expect(await (await fetch(record)).text()).toContain('Grace Hopper');

    await page.getByRole('button', { name: 'Answered' }).click();
    await page.locator('.table-row', { hasText: 'The record is corrected in part' }).click();
    await shown.getByText('Grace Hopper').waitFor();
    expect(await shown.getByRole('button', { name: 'Send the answer' }).count()).toBe(0);
    await expectGoodLooks(page, 'inbox-review-answered');
  });

  test('a dispute is opened from the case of a review, which names it from then on', async () => {
    const key = service.testKey;
    const eventId = await report(key, { userId: 'worker-3', eventType: 'CONTRACT_BREACHED' });
    const { id } = await object(key, 'worker-3', { eventId, text: 'The door was locked.' });
    const page = await openView(key, `/inbox?of=reviews&review=${id}`);
    const shown = page.getByRole('dialog', { name: 'Review' });
    await shown.getByRole('button', { name: 'Open a dispute' }).click();
    const form = page.getByRole('dialog', { name: 'Open a dispute' });
    await form.getByLabel('Reason').fill('The customer was away.');
    await form.getByRole('button', { name: 'Open a dispute' }).click();
    await shown.getByRole('link', { name: 'The dispute about it' }).click();
    await page.getByRole('dialog', { name: 'Dispute' }).getByText('The customer was away.').waitFor();
  });

  test('an overdue review is the first that needs attention, and opens from there', async () => {
    const key = service.testKey;
    await report(key, { userId: 'worker-4', eventType: 'TRANSACTION_DISPUTED' });
    await service.db.execute(`update dispute set respond_by = now() - interval '2 hours'`);
    const { id } = await object(key, 'worker-4', { text: 'Late.' });
    await service.db.execute(
      `update review set respond_by = now() - interval '3 hours' where review_id = $1`,
      [id],
    );
    const page = await openView(key);
    const attention = page.locator('section').filter({ hasText: 'Needs attention' }).getByRole('listitem');
    await attention.first().waitFor();
    expect(await attention.first().textContent()).toMatch(/^worker-4.*Review overdue: was due 3 hours ago$/);
    expect(await attention.nth(1).textContent()).toContain('Dispute overdue');
    await attention.first().getByRole('link').click();
    await page.getByRole('dialog', { name: 'Review' }).getByText('Late.').waitFor();
  });

  test('a record link is made, shown once and withdrawn; the reviews of the subject are beside it', async () => {
    const key = service.liveKey;
    await report(key, { userId: 'worker-5', eventType: 'CONTRACT_FULFILLED' });
    await object(key, 'worker-5', { text: 'Who confirmed this?' });
    const page = await openView(key, '/subject/worker-5');
    await page.getByText('Who confirmed this?').waitFor();
    await page.getByRole('button', { name: 'Make a record link' }).click();
    const dialog = page.getByRole('dialog', { name: 'Record link' });
    await dialog.getByText('They can object, and download everything').waitFor();
    await dialog.getByLabel('Hours until it expires').fill('5');
    await dialog.getByLabel('Language of the page').selectOption('de');
    await expectGoodLooks(page, 'record-link');
    await dialog.getByRole('button', { name: 'Make a record link' }).click();
    const url = (await dialog.locator('.code').textContent()) ?? '';
    const shown = await fetch(here(url), { headers: { Accept: 'text/html' } });
    expect(await shown.text()).toContain('lang="de"');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByText('The service lists none').waitFor();
    await page.getByText('in 5 hours').waitFor();
    expect(await page.locator('main').textContent()).not.toContain(url);
    await expectGoodLooks(page, 'subject-record-links');
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const sure = page.getByRole('dialog', { name: 'Withdraw this record link?' });
    await sure.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The record link is withdrawn.').waitFor();
    expect((await fetch(here(url))).status).toBe(404);
  });

  test('contact and privacy notice are set, and the public notice shows them', async () => {
    const page = await openView(service.liveKey, '/settings', { locale: 'de-DE' });
    await page.getByText('niemand ist genannt').waitFor();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Ansprechstelle/).fill('Works council, council@example.com');
    await dialog.getByLabel(/^Datenschutzhinweise/).fill('https://example.com/privacy');
    await expectGoodLooks(page, 'settings-change');
    await page.keyboard.press('Enter');
    await page.getByText('Works council, council@example.com').waitFor();
    await expectGoodLooks(page, 'settings');
    const notice = await page.getByRole('link', { name: /\/how\// }).getAttribute('href');
    expect(await (await fetch(notice ?? '')).text()).toContain('council@example.com');
  });
});
