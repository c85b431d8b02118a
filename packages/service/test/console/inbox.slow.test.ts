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
    await page.getByText('Nothing has this status.').waitFor();
    const { body } = await service.request('GET', asked.api, { key });
    expect(body.confirmation?.status ?? body.status).toBe('CANCELLED');
    await page.getByRole('button', { name: 'References' }).click();
    await page.locator('.table-row', { hasText: 'Ingrid Falk' }).waitFor();
    expect(page.url()).toContain('of=references');
  });

  test('an open dispute shows when it ends by itself, and ends as the rules say', async () => {
    const key = service.liveKey;
    const body = { userId: 'worker-3', eventType: 'CONTRACT_BREACHED' };
    const { body: recorded } = await service.request('POST', '/events', { key, body });
    const eventId = recorded.event?.id ?? recorded.id;
    const filed = await service.request('POST', '/disputes', { key, body: { eventId } });
    expect(filed.status).toBe(201);
    const page = await openView(key, '/inbox?of=disputes&status=OPEN');
    await page.locator('.table-row', { hasText: 'worker-3' }).click();
    await expectGoodLooks(page, 'inbox-dispute');
    await page.getByRole('button', { name: 'End the dispute' }).click();
    await page.getByText('The dispute has ended.').waitFor();
    const { body: after } = await service.request('GET', '/disputes?userId=worker-3', { key });
    expect(after.disputes[0]).toMatchObject({ status: 'RESOLVED_FOR_USER', outcome: 'FOR_USER' });
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
