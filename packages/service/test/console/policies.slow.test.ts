import { beforeAll, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

const HOSTILE = '<img src=x onerror="window.hacked=1">';

describeInBrowser('the view of policies in Chromium', () => {
  const service = givenService(mainEngine);
  const { openView } = givenConsole(service);
  beforeAll(async () => {
    const events = Array.from({ length: 90 }, (_, index) => ({
      userId: index % 10 === 9 ? HOSTILE : `worker-${index % 10}`,
      eventType: index % 10 < (index % 4) + 2 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED',
      isVerified: true,
    }));
    await service.request('POST', '/events/batch', { key: service.testKey, body: { events } });
    await service.settle();
  });

  test('drags a threshold over the book, shows who is past it, and saves it as a policy', async () => {
    // 404: the monitor of a subject that is not known.
    const page = await openView(service.testKey, '/policies', { expectedErrors: /404/ });
    const histogram = page.getByRole('img', { name: 'Scores of 10 subjects' });
    await histogram.waitFor();
    const box = await histogram.boundingBox();
    if (!box) throw new Error('the histogram has no place');
    await page.mouse.move(box.x + box.width * 0.3, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.995, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/threshold=100/);
    const past = page.locator('.policy-tiles dd').first();
    await past.getByText('10', { exact: false }).waitFor();
    await page.getByText('100.0% of the book').waitFor();
    await page.getByRole('cell', { name: HOSTILE }).waitFor();

    await page.getByLabel('Threshold in points').press('ArrowLeft');
    await page.waitForURL(/threshold=99/);
    await page.getByRole('button', { name: 'rises above' }).click();
    await page.waitForURL(/direction=above/);
    await page.getByText('Nobody is past this threshold').waitFor();
    await page.getByRole('button', { name: 'falls below' }).click();
    await page.waitForURL(/direction=below/);

    await page.getByRole('button', { name: 'Save as a policy' }).click();
    await page.getByLabel('Name').fill(HOSTILE);
    await page.getByRole('dialog').getByRole('button', { name: 'Save as a policy' }).click();
    await page.locator('.with-actions').getByText('score falls below 99').waitFor();
    const { policies } = (await service.request('GET', '/policies', { key: service.testKey })).body;
    expect(policies).toMatchObject([
      { name: HOSTILE, condition: { metric: 'score', direction: 'below', threshold: 99 }, userId: null },
    ]);

    await page.getByRole('button', { name: 'Watch a subject' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Subject').fill('nobody');
    await dialog.getByLabel('Report when the score falls below').fill('30');
    await dialog.getByRole('button', { name: 'Watch a subject' }).click();
    await dialog.getByText('USER_NOT_FOUND').waitFor();
    await dialog.getByLabel('Subject').fill('worker-1');
    await dialog.getByRole('button', { name: 'Watch a subject' }).click();
    await page.getByText('falls below 30').waitFor();
    await expectGoodLooks(page, 'policies');

    await page.getByRole('button', { name: 'Pause' }).first().click();
    await page.locator('.with-actions .warn').getByText('paused').waitFor();
    for (let left = 2; left > 0; left -= 1) {
      await page.getByRole('button', { name: 'Delete' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // The list is read again: until then its first row is the one that was deleted.
      await expect.poll(() => page.getByRole('button', { name: 'Delete' }).count()).toBe(left - 1);
    }
    await page.getByText('No policy yet.').waitFor();
    await page.getByText('No monitor yet.').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
  });

  test('says the next step while the book is empty, in German', async () => {
    const page = await openView(service.liveKey, '/policies', { locale: 'de-DE' });
    await page.getByText('Noch kein Wert.').waitFor();
    await expectGoodLooks(page, 'policies-empty');
  });
});
