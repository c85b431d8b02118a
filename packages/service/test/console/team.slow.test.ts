import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { freePort } from '#harness/freePort.js';
import { givenService } from '#harness/givenService.js';
import { issuerEnv, startIssuer, type TestIssuer } from '#harness/issuer.js';
import { outcome, report } from '../features/intake/eventFixtures.js';
import { newPlatform } from '../features/tenancy/keyFixtures.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole, signInByPasting } from './consoleBrowser.js';

let port: number;
let issuer: TestIssuer;

describeInBrowser('people in the console', () => {
  beforeAll(async () => {
    port = await freePort();
    issuer = await startIssuer([port]);
  });
  const service = givenService(mainEngine, () => ({ port, env: issuerEnv(issuer.url, port) }));
  afterAll(() => issuer.close());
  const { openConsole, openView } = givenConsole(service);
  beforeAll(async () => {
    await report(service, outcome({ userId: 'worker-1' }));
    await report(service, outcome({ userId: 'worker-in-test' }), { key: service.testKey });
    for (const name of ['ada', 'grace', 'ops'])
      issuer.people.set(name, { email: `${name}@example.com`, email_verified: true });
  });

  // The provider's own pages ask for a font.
  const AT_ISSUER = { expectedErrors: /fonts\.googleapis|ERR_NAME_NOT_RESOLVED|favicon|40[0-9]/ };

  /** At the issuer, whose form takes any password. */
  async function signInAs(page: Page, name: string): Promise<void> {
    await page
      .getByRole('link', { name: /^(Sign in with your organisation|Mit Ihrer Organisation)/ })
      .click();
    await page.getByPlaceholder('Enter any login').fill(name);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  test('an administrator adds somebody, who signs in with their role and is gone when removed', async () => {
    const admin = await openView(service.liveKey, '/team', { expectedErrors: /409/ });
    await admin.getByText('Nobody yet.').waitFor();
    await admin.keyboard.press('n');
    await admin.getByRole('textbox', { name: /^Email address/ }).fill('Ada@example.com');
    await admin.getByLabel('Role').selectOption('support');
    await admin.keyboard.press('Enter');
    await admin.getByRole('cell', { name: 'ada@example.com', exact: true }).waitFor();
    await admin.keyboard.press('n');
    await admin.getByRole('textbox', { name: /^Email address/ }).fill('ada@example.com');
    await admin.getByRole('dialog').getByRole('button', { name: 'Add a person' }).click();
    await admin.getByText('There is a user with this email address already.').waitFor();
    await admin.keyboard.press('Escape');
    await expectGoodLooks(admin, 'team');

    const page = await openConsole('/subject/worker-1', AT_ISSUER);
    await signInAs(page, 'ada');
    await page.getByRole('heading', { name: 'worker-1' }).waitFor();
    expect(page.url()).toBe(`${service.url}/console/subject/worker-1`);
    await page.getByText('Signed in as ada@example.com (Support)').waitFor();
    // Support reports and asks, and makes no keys.
    await page.getByRole('button', { name: /^Report/ }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    expect(await page.getByRole('button', { name: /New key/ }).count()).toBe(0);
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await page.getByRole('button', { name: 'Show test data' }).click();
    await page.getByText('worker-in-test').waitFor();
    expect(await page.title()).toMatch(/^TEST · /);
    await page.getByRole('button', { name: 'Show live data' }).click();
    await page.getByText('worker-1').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await page.getByRole('cell', { name: 'ada@example.com' }).first().waitFor();
    await expectGoodLooks(page, 'team-activity');
    // Support answers reviews, by default under the address of the person.
    const { body: link } = await service.request('POST', '/users/worker-1/record-links', { body: {} });
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ text: 'I was there.' });
    expect((await fetch(`${link.url}/reviews`, { method: 'POST', headers, body })).status).toBe(201);
    await page.goto(`${service.url}/console/inbox?of=reviews`);
    await page.locator('.table-row', { hasText: 'I was there.' }).click();
    expect(await page.getByLabel(/^Who answers/).inputValue()).toBe('ada@example.com');
    await page.keyboard.press('Escape');

    await admin.getByRole('button', { name: 'Remove ada@example.com' }).click();
    await admin.getByText('ada@example.com can no longer sign in').waitFor();
    await expectGoodLooks(admin, 'team-remove');
    await admin.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await admin.getByText('Nobody yet.').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.getByText('Your session has ended.').waitFor();
    await page.getByRole('link', { name: 'Sign in with your organisation' }).click();
    await page.getByText('Nobody has let you in here yet.').waitFor();
    await expectGoodLooks(page, 'team-unknown');
  });

  test('somebody of two platforms chooses one, in German, and a viewer is offered no change', async () => {
    const { live } = await newPlatform(service, { name: 'Harbour Homes' });
    const add = (key: string, role: string) =>
      service.request('POST', '/platform/users', { key, body: { email: 'grace@example.com', role } });
    await add(service.liveKey, 'viewer');
    await add(live.key, 'admin');
    const page = await openConsole('/book', { ...AT_ISSUER, locale: 'de-DE' });
    await expectGoodLooks(page, 'team-sign-in');
    await signInAs(page, 'grace');
    await page.getByRole('heading', { name: 'Wo möchten Sie arbeiten?' }).waitFor();
    await expectGoodLooks(page, 'team-choice');
    await page.getByRole('button', { name: 'Default Lesen' }).click();
    await page.getByText('worker-1').waitFor();
    await page.goto(`${service.url}/console/subject/worker-1`);
    await page.getByRole('heading', { name: 'worker-1' }).waitFor();
    for (const name of [/Ergebnis melden/, /Bestätigung bitten/])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByRole('button', { name: 'Plattform wechseln' }).click();
    await page.getByRole('button', { name: /Harbour Homes/ }).click();
    await page.locator('.mode-band').getByText('Harbour Homes').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console');
    await page.goto(`${service.url}/console/team`);
    await page.getByRole('button', { name: /Person hinzufügen/ }).waitFor();
    await page.getByText('(Sie)').waitFor();
    await expectGoodLooks(page, 'team-german');
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await page.getByRole('link', { name: 'Mit Ihrer Organisation anmelden' }).waitFor();
  });

  test('the operator adds colleagues, who see the operator’s views within their role', async () => {
    const operator = await openView(service.adminSecret, '/team');
    await operator.keyboard.press('n');
    await operator.getByRole('textbox', { name: /^Email address/ }).fill('ops@example.com');
    await operator.getByRole('dialog').getByRole('button', { name: 'Add a person' }).click();
    await operator.getByRole('cell', { name: 'ops@example.com', exact: true }).waitFor();
    const page = await openConsole('', AT_ISSUER);
    await signInAs(page, 'ops');
    await page.getByRole('heading', { name: 'Platforms' }).waitFor();
    expect(await page.getByRole('button', { name: /New platform/ }).count()).toBe(0);
  });

  test('the sign-in says when the organisation does not answer, and a key still works', async () => {
    await issuer.close();
    const page = await openConsole('/usage', { expectedErrors: /401/ });
    // Asked again after an hour; this service has asked already.
    await page.goto(`${service.url}/console/usage#sign-in-failed=unavailable`);
    await page.reload();
    await page.getByText('does not answer').waitFor();
    await expectGoodLooks(page, 'team-unavailable');
    await signInByPasting(page, service.liveKey);
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    issuer = await startIssuer([port], { port: Number(new URL(issuer.url).port) });
  });
});
