import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { askConfirmation, askReference } from '../pages/hostedFixtures.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

describeInBrowser('the inbox of the console', () => {
  const service = givenService(mainEngine);
  const { openView } = givenConsole(service);

  test('a waiting confirmation shows its clock and is withdrawn; a reference is beside it', async () => {
    const key = service.liveKey;
    const hostile = '<img src=x onerror=alert(1)>';
    const asked = await askConfirmation(service, { key, userId: 'worker-1', counterpartyName: hostile });
    await askReference(service);
    const page = await openView(key, '/inbox?status=PENDING');
    const row = page.locator('.table-row', { hasText: 'worker-1' });
    await row.waitFor();
    expect(await row.textContent()).toMatch(/Waiting, ends in \d+ days/);
    await expectGoodLooks(page, 'inbox');
    await row.click();
    await page.getByText(hostile).first().waitFor();
    await page.getByRole('button', { name: 'Withdraw the request' }).click();
    const sure = page.getByRole('dialog', { name: `Withdraw the request to ${hostile}?` });
    await sure.getByText('Its link stops working').waitFor();
    await sure.getByRole('button', { name: 'Withdraw the request' }).click();
    await page.getByText('Nothing has this status.').waitFor();
    const { body } = await service.request('GET', asked.api, { key });
    expect(body.confirmation?.status ?? body.status).toBe('CANCELLED');
    await page.getByRole('button', { name: 'References' }).click();
    await page.locator('.table-row', { hasText: 'Ingrid Falk' }).waitFor();
    expect(page.url()).toContain('of=references');
  });

  test('fifty disputes are told apart, sorted by deadline and searched, also by display name', async () => {
    const key = service.testKey;
    const events = Array.from({ length: 50 }, (_, index) => ({
      userId: `worker-${index % 5}`,
      eventType: 'TRANSACTION_DISPUTED',
      transactionValue: 100 + index,
      metadata: { job: `job-${index}` },
    }));
    const { body } = await service.request('POST', '/events/batch', { key, body: { events } });
    const lastId = body.results[49].eventId;
    await service.db.execute(
      `update dispute set respond_by = now() + interval '25 hours' where event_id = $1`,
      [lastId],
    );
    await service.request('PATCH', '/users/worker-2', { key, body: { displayName: 'Yuki Tanaka' } });
    const page = await openView(key, '/inbox?of=disputes');
    const rows = page.locator('.table-row');
    await page.getByText('50 rows').waitFor();
    expect(await rows.first().textContent()).toMatch(/worker-4.*Work contested.*149.*ends tomorrow/);
    const texts = await rows.allTextContents();
    expect(new Set(texts).size).toBe(texts.length);
    await page.getByRole('searchbox').fill('contested job-17');
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(await rows.first().textContent()).toContain('117');
    await page.getByRole('searchbox').fill('tanaka 147');
    await page.getByText('Yuki Tanaka').waitFor();
    await expectGoodLooks(page, 'inbox-disputes');
  });

  test('a dispute shows its case and what each end would do; ending it asks, and does that', async () => {
    const key = service.liveKey;
    const report = (event: object) =>
      service.request('POST', '/events', { key, body: { userId: 'worker-3', isVerified: true, ...event } });
    for (let count = 0; count < 4; count += 1) await report({ eventType: 'CONTRACT_FULFILLED' });
    const { body: recorded } = await report({
      eventType: 'CONTRACT_BREACHED',
      transactionValue: 1250.5,
      stakeLevel: 'HIGH',
      completedAt: '2026-03-01T12:00:00Z',
      metadata: { job: '<b>J-1001</b>' },
    });
    const reason = 'The door was locked.';
    const filed = await service.request('POST', '/disputes', {
      key,
      body: { eventId: recorded.eventId, reason },
    });
    await service.settle();
    const before = (await service.request('GET', '/users/worker-3/score', { key })).body.finalScore;
    const page = await openView(key, '/inbox?of=disputes');
    await page.locator('.table-row', { hasText: 'worker-3' }).click();
    const shown = page.getByRole('dialog', { name: 'Dispute' });
    for (const text of ['Agreement broken', '1 Mar 2026', '1,250.50', 'High', reason, '<b>J-1001</b>'])
      await shown.getByText(text).first().waitFor();
    await shown.getByText('by the word of your platform alone').waitFor();
    const ends = (await service.request('GET', `/disputes/${filed.body.id}/projection`, { key })).body.ends;
    const items = await shown.getByRole('listitem').allTextContents();
    expect(items[0]).toMatch(/^If you end it now: against the subject/);
    expect(items[1]).toMatch(/^If nobody ends it before the deadline: for the subject/);
    for (const [index, { projected }] of ends.entries())
      expect(items[index]).toContain(`${before.toFixed(2)} → ${projected.score.toFixed(2)}`);
    await expectGoodLooks(page, 'inbox-dispute');
    await shown.getByRole('button', { name: 'End the dispute' }).click();
    const sure = page.getByRole('dialog', { name: 'End the dispute about worker-3 now?' });
    expect(await sure.getByRole('listitem').first().textContent()).toContain(
      ends[0].projected.score.toFixed(2),
    );
    await expectGoodLooks(page, 'inbox-dispute-sure');
    // By Enter alone nothing is ended.
    await page.keyboard.press('Enter');
    await sure.waitFor({ state: 'detached' });
    await shown.getByRole('button', { name: 'End the dispute' }).click();
    await sure.getByRole('button', { name: 'End the dispute' }).click();
    await page.getByText('The dispute has ended against the subject.').waitFor();
    await service.settle();
    const after = await service.request('GET', '/users/worker-3/score', { key });
    expect(after.body.finalScore).toBe(ends[0].projected.score);
  });

  test('a campaign is started from a pasted list: each reads a message in their language, a bad row says why', async () => {
    const key = service.liveKey;
    const page = await openView(key, '/inbox', { expectedErrors: /400/ });
    await page.locator('main h1').waitFor();
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the campaign').fill('Spring');
    const list = dialog.getByRole('textbox', { name: /^Outcomes and counterparties/ });
    await list.fill('userId;counterpartyRef\nworker-7;customer-1');
    await dialog.getByText('These columns are missing: description.').waitFor();
    const rows = [
      'User ID;Counterparty Ref;Counterparty name;Description;Completed at;Language;Colour',
      'worker-7;customer-1;Łucja <i>;Kitchen, fitted;2026-03-01;;red',
      'worker-7;customer-2;;Bathroom;2026-03-02;de;blue',
      'worker-8;worker-8;;Own word;;;',
    ];
    await list.fill(rows.join('\n'));
    await dialog.getByText('Nothing is made of these columns: Colour.').waitFor();
    // As when its picker is cancelled: the dialog stays, with the list.
    await dialog.locator('input[type=file]').dispatchEvent('cancel');
    const preview = dialog.locator('pre');
    expect(await preview.textContent()).toMatch(/^Hello Łucja <i>,/);
    await dialog.getByLabel('Their language').selectOption('de');
    expect(await preview.textContent()).toMatch(/^Guten Tag Łucja <i>,/);
    await dialog.getByLabel('Their language').selectOption('en');
    await expectGoodLooks(page, 'campaign');
    await dialog.getByRole('button', { name: 'Make 3 requests' }).click();
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save messages and links' }).click();
    const messages = readFileSync(await (await saved).path(), 'utf8');
    expect(messages).toMatch(/customer-1,Łucja <i>,http.*\/confirm\/.*Hello Łucja <i>,/);
    expect(messages).toMatch(/customer-2,,http.*\/confirm\/.*Guten Tag,/);
    await dialog.getByRole('row', { name: /worker-8/ }).waitFor();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.locator('.table-row', { hasText: 'Spring' }).waitFor();
    const { body } = await service.request('GET', '/confirmations?userId=worker-7', { key });
    expect(body.confirmations.map((asked: { completedAt: string }) => asked.completedAt).sort()).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-03-02T00:00:00.000Z',
    ]);
  });

  test('a campaign shows what became of its requests', async () => {
    const key = service.liveKey;
    const row = {
      userId: 'worker-4',
      eventType: 'CONTRACT_FULFILLED',
      counterpartyRef: 'c',
      description: 'd',
    };
    const rows = ['1', '2'].map((rowKey) => ({ ...row, rowKey }));
    const body = { name: 'Past customers', rows };
    const started = await service.request('POST', '/activation/campaigns', { key, body });
    expect(started.body.results[0].status).toBe('created');
    const page = await openView(key, '/inbox?of=campaigns');
    await page.locator('.table-row', { hasText: 'Past customers' }).getByText('0 / 2').waitFor();
  });
});
