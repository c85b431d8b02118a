import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

describeInBrowser('keys, usage and activity in the console', () => {
  const service = givenService(mainEngine);
  const { openView } = givenConsole(service);
  beforeAll(async () => {
    for (let call = 0; call < 5; call += 1) await service.request('GET', '/platform');
    await service.request('GET', '/users/nobody/score');
  });

  const card = (page: Page, label: string) => page.locator('.keys > li', { hasText: label });
  const keyStatus = async (key: string) => (await service.request('GET', '/usage/quota', { key })).status;

  test('a key is made with chosen scopes and shown once; rotated, the old one counts down; revoked, both are refused', async () => {
    const page = await openView(service.liveKey, '/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const label = 'nightly <img src=x onerror=alert(1)> export';
    await page.getByRole('textbox', { name: /^Label/ }).fill(label);
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('Choose at least one.');
    await page.getByLabel('Usage and activity: Read').check();
    await page.getByLabel('Expires after').selectOption('30');
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    const secret = (await page.locator('.secret').textContent()) ?? '';
    expect(secret).toMatch(/^crd_live_/);
    expect(await keyStatus(secret)).toBe(200);
    expect((await service.request('GET', '/platform/keys', { key: secret })).status).toBe(403);
    // Nothing but its button closes what is shown once.
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
    await page.mouse.click(2, 2);
    await page.locator('dialog[open] .secret').waitFor();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await card(page, label).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: `Rotate ${label}` }).click();
    await page.getByLabel('How long the old key still works').selectOption('1');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const next = (await page.locator('.secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText(/Replaced: works for 00:59:\d\d/).waitFor();
    expect([await keyStatus(secret), await keyStatus(next)]).toEqual([200, 200]);

    for (const left of [1, 0]) {
      await page
        .getByRole('button', { name: `Revoke ${label}` })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await expect.poll(() => page.getByRole('button', { name: `Revoke ${label}` }).count()).toBe(left);
    }
    await expect.poll(async () => [await keyStatus(secret), await keyStatus(next)]).toEqual([401, 401]);
  });

  test('the list of keys looks good, also of a test key, in German', async () => {
    const page = await openView(service.liveKey, '/keys', { locale: 'de-DE' });
    await page.getByRole('heading', { name: 'Schlüssel' }).waitFor();
    await page.locator('.keys > li').first().waitFor();
    await expectGoodLooks(page, 'keys');
    await page.getByRole('button', { name: 'Neuer Schlüssel' }).click();
    await expectGoodLooks(page, 'keys-new');
  });

  test('usage shows the calls by day and operation, and what is left of the month', async () => {
    const page = await openView(service.liveKey, '/usage?days=7');
    await page.getByRole('heading', { name: 'Monthly quota' }).waitFor();
    const asked = await service.request('GET', '/usage?days=7', { key: service.liveKey });
    await page.getByText('As a table').click();
    // One number of calls, and the legend of the chart adds up to it.
    const numbers = (texts: readonly string[]) => texts.map((text) => Number(text.replace(/\D/g, '')));
    const [total] = numbers(await page.locator('.tiles dd').allTextContents());
    const parts = numbers(await page.locator('.legend strong').allTextContents());
    expect(parts).toHaveLength(3);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
    expect(await page.getByText(/\d.* calls?\b/i).count()).toBe(0);
    if (asked.body.total > 0) await page.getByText(asked.body.endpoints[0].route, { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('usage-7-days.csv');
    await expectGoodLooks(page, 'usage');
  });

  test('activity is filtered by the address, and an entry shows its details as text', async () => {
    const label = 'hostile <img src=x onerror=alert(1)>';
    await service.request('POST', '/platform/keys', { key: service.liveKey, body: { label } });
    const page = await openView(service.liveKey, '/activity?action=API_KEY_GENERATED');
    const row = page.locator('.table-row').first();
    await row.waitFor();
    expect(await page.locator('.table-row').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('Key created')]),
    );
    await row.click();
    expect(await page.locator('dialog pre').textContent()).toContain('onerror=alert(1)');
    await page.keyboard.press('Escape');
    await page.getByLabel('Action').selectOption('');
    await expect.poll(() => page.url()).not.toContain('action=');
    await expectGoodLooks(page, 'activity');
  });

  test('a key without the scope is told which one it needs', async () => {
    const { body } = await service.request('POST', '/platform/keys', {
      key: service.liveKey,
      body: { scopes: ['events:write'] },
    });
    const page = await openView(body.key, '/keys');
    await page.getByText('admin:read').waitFor();
  });
});
