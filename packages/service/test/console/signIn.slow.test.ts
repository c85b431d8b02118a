import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { startTestService } from '#harness/service.js';
import { systemClock } from '#kit/clock.js';
import { createSignInLink } from '../../src/features/tenancy/console/routes.js';
import { readConsoleFiles } from '../../src/pages/console/consoleFiles.js';
import { describeInBrowser } from '../pages/givenBrowser.js';
import { expectGoodLooks, givenConsole, signInByPasting } from './consoleBrowser.js';

const MAX_FIRST_VIEW_BYTES = 60_000;
const VIEWS = readFileSync(new URL('../../../console/src/views/index.ts', import.meta.url), 'utf8');

describe('the files of the console', () => {
  test('take at most 60 kB of script for the first view, whichever it is, gzipped', async () => {
    const files = await readConsoleFiles();
    const html = String(files.get('index.html'));
    const scripts = [...files.keys()].filter((path) => path.endsWith('.js'));
    const first = scripts.filter((path) => html.includes(path));
    expect(first).not.toEqual([]);
    /** With all that they import, except what a click loads. */
    const loadedWith = (paths: readonly string[], known = new Set<string>()): Set<string> => {
      for (const path of paths.filter((each) => !known.has(each))) {
        const imports = String(files.get(path)).matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g);
        loadedWith(
          [...imports].map(([, name]) => `assets/${name}`),
          known.add(path),
        );
      }
      return known;
    };
    const sizes = Object.fromEntries(
      [...VIEWS.matchAll(/import\('\.\/\w+\/(\w+)\.tsx'\)/g)].map(([, name]) => {
        const view = scripts.filter((path) => path.startsWith(`assets/${name}-`));
        expect(view, name).toHaveLength(1);
        const loaded = [...loadedWith([...first, ...view])];
        return [name, loaded.reduce((sum, path) => sum + gzipSync(files.get(path) ?? '').length, 0)];
      }),
    );
    expect(Object.keys(sizes).length).toBeGreaterThan(10);
    for (const [view, bytes] of Object.entries(sizes)) expect(bytes, view).toBeLessThan(MAX_FIRST_VIEW_BYTES);
  });

  test('are served with a policy that allows no script but their own, and cached by their names', async () => {
    const service = await startTestService(mainEngine);
    const page = await fetch(`${service.url}/console/any/view`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    const html = await page.text();
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
    const script = /src="(\/console\/assets\/[^"]+)"/.exec(html)?.[1];
    const loaded = await fetch(service.url + script);
    expect(loaded.headers.get('cache-control')).toContain('immutable');
    expect((await fetch(`${service.url}/console/assets/none.js`)).status).toBe(404);
    const root = (accept: string) => fetch(service.url, { headers: { Accept: accept }, redirect: 'manual' });
    const led = await root('text/html,*/*');
    expect([led.status, led.headers.get('location')]).toEqual([302, '/console']);
    expect((await root('application/json')).status).toBe(404);
    await service.close();
  });

  test('are not there with CONSOLE=off, nor is anything of the console', async () => {
    const service = await startTestService(mainEngine, { env: { CONSOLE: 'off' } });
    for (const path of ['', '/book', '/session', '/api/users', '/api/session']) {
      expect((await fetch(`${service.url}/console${path}`)).status, path).toBe(404);
    }
    const led = await fetch(service.url, { headers: { Accept: 'text/html' }, redirect: 'manual' });
    expect([led.status, led.headers.get('location')]).toEqual([302, '/docs']);
    await service.close();
  });
});

describeInBrowser('the console in Chromium', () => {
  const service = givenService(mainEngine);
  const { openConsole, openView } = givenConsole(service);
  beforeAll(async () => {
    for (const key of [service.liveKey, service.testKey]) {
      const events = Array.from({ length: 40 }, (_, index) => ({
        userId: `worker-${index % 8}`,
        eventType: index % 9 === 0 ? 'CONTRACT_BREACHED' : 'CONTRACT_FULFILLED',
        isVerified: true,
        verifiedBy: 'Customer',
      }));
      await service.request('POST', '/events/batch', { key, body: { events } });
    }
    await service.settle();
  });

  test('signs in by pasting a key, shows the overview, and signs out', async () => {
    const page = await openConsole();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('secret');
    await signInByPasting(page, ` ${service.testKey} `);
    expect(await page.title()).toMatch(/^TEST · /);
    await page.locator('.mode-word').getByText('TEST').waitFor();
    await page.getByRole('heading', { name: 'The book by band' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.goBack().catch(() => {});
    expect(await page.getByText('The book by band').count()).toBe(0);
  });

  test('a tab follows when another one signs out, and signs in with another key', async () => {
    const page = await openView(service.testKey, '/book');
    await page.getByText('worker-1').first().waitFor();
    const other = await page.context().newPage();
    await other.goto(`${service.url}/console`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByText('worker-1').count()).toBe(0);
    await signInByPasting(other, service.liveKey);
    await page.locator('[data-mode="live"]').waitFor();
    expect(await page.title()).toMatch(/^LIVE · /);
  });

  test('says when a key is refused, and comes back to the view that was open', async () => {
    const page = await openConsole('/book?band=Good', { expectedErrors: /401/ });
    await page.getByLabel('Key or admin secret').fill('crd_live_unknownunknownunknown');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key or secret is not accepted.').waitFor();
    await signInByPasting(page, service.liveKey);
    await page.locator('[data-mode="live"]').waitFor();
    expect(page.url()).toBe(`${service.url}/console/book?band=Good`);
    await page.getByRole('button', { name: 'Good', pressed: true }).waitFor();
  });

  test('asks nobody to sign in again while the service cannot say who is signed in', async () => {
    const page = await openView(service.liveKey, '/usage', { expectedErrors: /503/ });
    await page.context().route('**/console/api/session', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'X-Request-Id': 'request-of-the-test' },
        json: { error: 'The database is unavailable.', code: 'SERVICE_UNAVAILABLE' },
      }),
    );
    await page.reload();
    await page.getByText('The database is unavailable.').waitFor();
    await page.getByText('request-of-the-test').waitFor();
    expect(await page.getByLabel('Key or admin secret').count()).toBe(0);
    await page.context().unroute('**/console/api/session');
    await page.locator('[data-mode="live"]').waitFor();
    expect(page.url()).toBe(`${service.url}/console/usage`);
  });

  test('opens a sign-in link once, and takes its token out of the address', async () => {
    const token = await createSignInLink({ db: service.db, clock: systemClock }, service.testKey);
    const first = await openConsole(`#sign-in=${token}`);
    await first.locator('[data-mode="test"]').waitFor();
    expect(first.url()).toBe(`${service.url}/console`);
    const second = await openConsole(`#sign-in=${token}`, { expectedErrors: /40\d/ });
    await second.getByText('The sign-in link did not work.').waitFor();
  });

  test('goes anywhere by keys: palette, help, search, rows', async () => {
    const page = await openView(service.liveKey, '/book');
    await page.getByRole('row').nth(3).waitFor();
    for (let round = 0; round < 10; round++) {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
      await page.keyboard.press('Escape');
      // At once: the key after Escape is never lost to the dialog that closes.
      await page.keyboard.press('/');
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('/');
    await page.keyboard.type('worker-5');
    await page.waitForURL(/q=worker-5/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('worker-');
    await page.keyboard.press('Enter');
    // At once, and still what the search finds: the first subject that exists.
    await page.waitForURL(/\/subject\/worker-/);
    await page.locator('.score-now').waitFor();
    await page.getByRole('button', { name: /Go to/ }).focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('option', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.className')).toBe('go-to');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('overv');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/console`);
  });

  test('shows the same request as curl', async () => {
    const page = await openView(service.liveKey);
    await page.getByRole('button', { name: 'Same as curl' }).click();
    const text = await page.locator('pre').textContent();
    expect(text).toContain(`curl -sS '${service.url}/api/v1/analytics/scores?days=30&by=recorded'`);
    expect(text).toContain('$RELIABILITY_KEY');
    expect(text).not.toContain(service.liveKey);
  });

  test('looks good and is accessible, signed in and out, in both languages', async () => {
    const out = await openConsole();
    await out.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectGoodLooks(out, 'sign-in');
    for (const [name, secret, locale] of [
      ['overview-test', service.testKey, 'en-GB'],
      ['overview-live', service.liveKey, 'de-DE'],
    ] as const) {
      const page = await openView(secret, '', { locale });
      await page.locator('.chart-place canvas').first().waitFor();
      await expectGoodLooks(page, name);
    }
  });
});
