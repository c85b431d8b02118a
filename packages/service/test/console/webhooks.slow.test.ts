import { afterAll, beforeAll, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { addWebhook, delivered, LOOPBACK_ALLOWED, logged } from '../features/notify/webhooksFixtures.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

const HOSTILE = '<img src=x onerror="window.hacked=1">';

describeInBrowser('the view of webhooks in Chromium', () => {
  const service = givenService(mainEngine, { env: LOOPBACK_ALLOWED });
  const { openView } = givenConsole(service);
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver?.close());

  const report = (userId: string) =>
    service.request('POST', '/events', {
      key: service.testKey,
      body: { userId, eventType: 'CONTRACT_FULFILLED' },
    });

  test('an endpoint is added by typing alone', async () => {
    const page = await openView(service.liveKey, '/webhooks');
    await page.getByText('No endpoint yet.').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('checkbox', { name: 'score.updated' }).waitFor();
    await page.keyboard.type(`${receiver.url}/typed`);
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Signing secret').inputValue()).toMatch(/^whsec_/);
  });

  test('adds an endpoint, sends a test, checks its signature, replays, recovers and rotates', async () => {
    receiver.react(() => ({ status: 500, body: HOSTILE }));
    const page = await openView(service.testKey, '/webhooks');
    await page.getByText('No endpoint yet.').waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('URL').fill(`${receiver.url}/hook`);
    await page.getByLabel('Description').fill(HOSTILE);
    await page.getByRole('checkbox', { name: 'score.updated' }).waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = await page.getByLabel('Signing secret').inputValue();
    expect(secret).toMatch(/^whsec_/);
    // What is shown once goes with its button only.
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
    expect(await page.getByLabel('Signing secret').inputValue()).toBe(secret);
    await page.getByRole('button', { name: 'Close', exact: true }).click();

    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delivery' });
    await dialog.getByText(HOSTILE).waitFor();
    await dialog.getByText('X-Service-Signature').waitFor();
    const check = async (pasted: string, verdict: string) => {
      await dialog.getByLabel('Check the signature').fill(pasted);
      await dialog.getByRole('button', { name: 'Check', exact: true }).click();
      await dialog.getByText(verdict).waitFor();
    };
    await check('secret', 'The signatures do not fit this secret.');
    await check('whsec_b3RoZXI=', 'wrong secret, or a changed body');
    await check(secret, 'All three signatures fit');
    await expectGoodLooks(page, 'webhooks-delivery');

    receiver.react(() => ({ status: 204 }));
    const first = page.url();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.waitForURL((url) => url.href !== first);
    await dialog.locator('.good', { hasText: 'succeeded' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(receiver.received).toHaveLength(2);
    await page.getByRole('img', { name: 'Last 24 hours: 1 attempts succeeded, 1 failed' }).waitFor();

    await page.getByRole('button', { name: 'failed', pressed: false }).click();
    await page.waitForURL(/status=failed/);
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('table').press('Enter');
    await page.waitForURL(/delivery=/);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Replace the secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click();
    expect(await page.getByLabel('Signing secret').inputValue()).not.toBe(secret);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close', exact: true }).click();

    await page.getByRole('button', { name: 'Send missed deliveries' }).click();
    await page.getByLabel('Since').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Send missed deliveries' }).click();
    await page.getByText('Queued: 0 deliveries.').waitFor();
    await expectGoodLooks(page, 'webhooks-endpoint');

    await page.getByRole('button', { name: 'Delete' }).click();
    const sure = page.getByRole('dialog', { name: `Delete ${receiver.url}/hook?` });
    await sure.getByText('Its delivery log can no longer be read').waitFor();
    await expectGoodLooks(page, 'webhooks-delete');
    await sure.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoint yet.').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('calls an endpoint failing, with its share of errors, and finds its attempts by subject', async () => {
    receiver.react(() => ({ status: 503 }));
    const key = service.testKey;
    const added = await addWebhook(service, { url: `${receiver.url}/broken` }, { key });
    for (const userId of ['grace', 'linus']) await report(userId);
    await service.settle();
    await logged(service, added.body.id, 2, key);
    const page = await openView(key, `/webhooks`);
    await page.getByText(/100% of \d+ attempts in 24 h failed/).waitFor();
    expect(await page.getByText('failing', { exact: true }).count()).toBe(1);
    await page.getByRole('link', { name: '/broken' }).click();
    await page.getByRole('searchbox').fill('GRACE');
    await page.waitForURL(/q=GRACE/);
    const row = page.locator('.table-row');
    await expect.poll(() => row.filter({ hasText: 'linus' }).count()).toBe(0);
    expect(await row.first().textContent()).toMatch(/:\d\d:\d\d.*grace.*score\.updated.*failed, 503/);
    await expectGoodLooks(page, 'webhooks-failing');
    await row.first().click();
    await page
      .getByRole('dialog', { name: 'Delivery' })
      .getByText(/Attempt 1/)
      .waitFor();
    await service.request('DELETE', `/webhooks/${added.body.id}`, { key });
  });

  test('shows the attempts of each endpoint and the stream as it is written, in German, too', async () => {
    receiver.react(() => ({ status: 204 }));
    const added = await addWebhook(service, { url: `${receiver.url}/strip` }, { key: service.testKey });
    await report('ada');
    await service.settle();
    await delivered(service, added.body.id);
    const page = await openView(service.testKey, '/webhooks', { locale: 'de-DE' });
    await page.getByRole('img', { name: 'Letzte 24 Stunden: 1 Versuche erfolgreich' }).waitFor();
    await page.getByRole('button', { name: 'Zusehen' }).click();
    await page.getByText('Verbunden.').waitFor();
    await report('<script>window.hacked=1</script>');
    await service.settle();
    const shown = page.locator('.tail li').filter({ hasText: '<script>' });
    await shown.first().waitFor();
    await expectGoodLooks(page, 'webhooks-list');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });
});
