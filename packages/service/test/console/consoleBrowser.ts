import type { Page } from 'playwright-core';
import { LISTS, neighboursSettled } from '#harness/neighbours.js';
import type { TestService } from '#harness/service.js';
import { givenBrowser, type PageOptions } from '../pages/givenBrowser.js';
import { expectGoodLooks as expectGoodLooksAt } from '../pages/looks.js';

/** Before the sign-in the page asks who is signed in, and nobody is. */
const NOBODY = /401.*\/console\/api\/session$/;

/** The console of the service, in a browser of its own for each call. */
export function givenConsole(service: TestService) {
  const { newPage } = givenBrowser();

  async function openConsole(path = '', { expectedErrors = NOBODY, ...options }: PageOptions = {}) {
    const expected = new RegExp(`${NOBODY.source}|${expectedErrors.source}`);
    const page = await newPage({ ...options, expectedErrors: expected });
    // As `service.request` does: the view reads its list once.
    await page.context().route(
      ({ pathname }) => LISTS.test(pathname),
      async (route) => {
        await neighboursSettled(service.db, new URL(route.request().url()).pathname);
        // It fails when the page was closed meanwhile.
        await route.continue().catch(() => {});
      },
    );
    await page.goto(`${service.url}/console${path}`);
    return page;
  }

  return {
    openConsole,
    /** Opens a view as somebody who is signed in with the secret. */
    async openView(secret: string, path?: string, options?: PageOptions): Promise<Page> {
      const page = await openConsole(path, options);
      await signInByPasting(page, secret);
      return page;
    },
  };
}

/** Pastes a secret into the sign-in, and waits for the view. */
export async function signInByPasting(page: Page, secret: string): Promise<void> {
  await page.getByLabel(/^(Key or admin secret|Schlüssel oder Betreiber-Geheimnis)$/).fill(secret);
  await page.getByRole('button', { name: /^(Sign in|Anmelden)$/ }).click();
  await page.locator('.shell main h1').waitFor();
}

/** That the view looks good on a phone, a tablet and a wide screen. Call it when everything has loaded. */
export async function expectGoodLooks(page: Page, name: string): Promise<void> {
  for (const width of [375, 768, 1440]) await expectGoodLooksAt(page, name, [width]);
}
