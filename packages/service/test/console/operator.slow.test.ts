import { expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { createIdSource } from '#kit/ids.js';
import { insertAuditRun } from '#ledger/audit/auditRuns.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole } from './consoleBrowser.js';

const PER_HOUR = 3;

describeInBrowser('the operator in the console', () => {
  const env = { VELOCITY_MAX_PER_HOUR: String(PER_HOUR) };
  const service = givenService(mainEngine, { env });
  const { openView } = givenConsole(service);

  const report = async (userId: string, count: number) => {
    const events = Array.from({ length: count }, () => ({ userId, eventType: 'CONTRACT_FULFILLED' }));
    await service.request('POST', '/events/batch', { key: service.liveKey, body: { events } });
    await service.settle();
  };

  test('makes a platform, changes its limits, and looks at it without being able to change anything', async () => {
    const page = await openView(service.adminSecret);
    await page.getByRole('button', { name: 'New platform' }).click();
    const name = 'Riverside <b>Staffing</b>';
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Plan').selectOption('growth');
    await page.getByRole('dialog').getByRole('button', { name: 'New platform' }).click();
    await page.locator('dialog pre').first().waitFor();
    const keys = await page.locator('dialog pre').allTextContents();
    expect(keys.map((key) => key.slice(0, 9))).toEqual(['crd_live_', 'crd_test_']);
    await page.getByRole('button', { name: 'I have copied them' }).click();

    await page.locator('.table-row', { hasText: name }).click();
    await page.getByLabel('Calls per month').fill('5000');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    const quota = await service.request('GET', '/usage/quota', { key: keys[0] ?? '' });
    expect(quota.body).toMatchObject({ cap: 5000, unlimited: false });

    const open = () => page.locator('.table-row', { hasText: name }).click();
    for (const isActive of [false, true]) {
      await open();
      await page.getByLabel('Active: its keys are accepted').setChecked(isActive);
      await page.getByRole('button', { name: 'Save' }).click();
      if (!isActive) {
        const sure = page.getByRole('dialog', { name: `Switch ${name} off?` });
        await sure.getByText('All its keys are refused').waitFor();
        await sure.getByRole('button', { name: 'Switch the platform off' }).click();
      }
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const { status } = await service.request('GET', '/usage/quota', { key: keys[0] ?? '' });
      expect(status).toBe(isActive ? 200 : 401);
    }
    await open();
    await page.getByRole('button', { name: 'View live data' }).click();
    await page.getByText('nothing can be changed').waitFor();
    await page.goto(`${service.url}/console/keys`);
    await page.locator('.keys > li').first().waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).count()).toBe(0);
    const trail = await service.request('GET', '/activity', { key: keys[0] ?? '' });
    const seen = trail.body.activity.map(({ action }: { action: string }) => action);
    expect(seen).toContain('CONSOLE_VIEWED_AS_PLATFORM');
  });

  test('sees the health, clears a frozen score, and runs a sweep', async () => {
    await report('held', 1);
    await report('held', PER_HOUR);
    const page = await openView(service.adminSecret, '/installation');
    await page.getByRole('button', { name: 'Clear the flag of held' }).waitFor();
    await expectGoodLooks(page, 'installation');
    await page.getByRole('button', { name: 'Clear the flag of held' }).click();
    await page
      .getByRole('dialog', { name: 'Clear the flag of held?' })
      .getByRole('button', { name: 'Clear' })
      .click();
    await page.getByText('No score is frozen.').waitFor();
    await service.settle();
    const { body } = await service.request('GET', '/users/held/score', { key: service.liveKey });
    expect(body).toMatchObject({ frozen: false, totalEvents: PER_HOUR + 1 });
    await page.getByRole('button', { name: 'Run now: retention' }).click();
    await page.getByText(/^retention: \d+ changed/).waitFor();
    expect(await page.getByText('did:web:').count()).toBeGreaterThan(0);
  });

  test('sees the results of audits, and starts a backtest and opens its report', async () => {
    await report('tested', 1);
    const ledger = { subjects: 2, events: 4711, snapshots: 5 };
    const log = { leaves: 812, checkpoints: 3, facts: 812, thinned: 0, erased: 0, waiting: 0 };
    const page = await openView(service.adminSecret, '/installation');
    await page.getByText('No audit has been run.', { exact: false }).waitFor();
    const ids = createIdSource();
    for (const differences of [0, 3]) {
      const startedAt = new Date();
      await insertAuditRun(service.db, {
        id: ids.at(startedAt),
        startedAt,
        endedAt: new Date(startedAt.getTime() + 61_000),
        differences,
        groups: [{ group: 0, ledger: { ...ledger, differences }, log: { ...log, differences: 0 } }],
      });
    }
    await page.getByLabel('Past scores rest on').selectOption('outcome');
    await page.getByRole('button', { name: 'Start a backtest' }).click();
    const link = page.getByRole('link', { name: 'Report' });
    await link.waitFor();
    const opened = page.waitForEvent('popup');
    await link.click();
    const shown = await opened;
    await shown.getByRole('heading', { level: 1 }).waitFor();
    await page.reload();
    const audits = page.getByRole('region', { name: 'Audits' });
    await audits.getByText('3 differences').waitFor();
    await audits.getByText('No difference').waitFor();
    expect(await audits.getByText('4,711').count()).toBe(2);
    expect(await audits.getByText('61 s').count()).toBe(2);
    await expectGoodLooks(page, 'installation-audits');
  });

  test('the list of platforms looks good, with a platform open, in German', async () => {
    const page = await openView(service.adminSecret, '', { locale: 'de-DE' });
    await page.locator('.table-row').first().waitFor();
    await expectGoodLooks(page, 'platforms');
    await page.locator('.table-row').first().click();
    await expectGoodLooks(page, 'platform');
  });
});
