import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasCitus, hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { seedBook } from '../../../../bench/src/kit/seed/seedBook.js';
import { browserPath } from '../pages/browser.js';
import { givenConsole } from './consoleBrowser.js';

/** `TEST_BOOK_SIZE=1000000` measures. The limits hold on a quiet machine. */
const size = process.env.TEST_BOOK_SIZE;
const SUBJECTS = Number(size ?? 3_000);
const MAX_REQUEST_MS = 300;
const MAX_TASK_MS = 50;
const VIEWS = readFileSync(new URL('../../../console/src/views/index.ts', import.meta.url), 'utf8');

/** The paths of the views for a key or for the operator, as the console lists them. */
function viewPaths(audience: 'key' | 'operator'): string[] {
  const own = VIEWS.split('path: ').filter((entry) => entry.includes(`for: '${audience}'`));
  return own.map((entry) => /^'([^']+)'/.exec(entry)?.[1] ?? '');
}

// The seed writes to one server.
describe.skipIf(browserPath === undefined || !hasPostgres || hasCitus)('the console on a large book', () => {
  let database: TestDatabase;
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  beforeAll(async () => {
    database = await openTestDatabase('postgresql');
  });
  const service = givenService('postgresql', () => ({ db: database.db, clock }));
  const { openView } = givenConsole(service);
  beforeAll(async () => {
    const sizes = { subjects: SUBJECTS, events: 3 * SUBJECTS, neighbours: 0 };
    await seedBook(database.url ?? '', sizes, () => {});
    // The sweep sums what was published some minutes ago.
    aheadMs = 10 * 60_000;
    const swept = await service.request('POST', '/admin/sweeps/benchmarks', { admin: true });
    expect(swept.body.affected).toBeGreaterThan(0);
  }, 400_000 + SUBJECTS);
  afterAll(() => database?.close());

  test(
    'every view asks for nothing that takes long, and blocks the browser with no long task',
    async () => {
      const { body } = await service.request('GET', '/users?limit=1&sort=score&order=desc');
      const subject = `/subject/${body.users[0].externalId}`;
      const ofKey = viewPaths('key').map((path) => (path.includes('{id}') ? subject : path));
      const more = ['/book?band=Good', '/book?q=worker-00', `${subject}?by=recorded`];
      const inbox = ['references', 'campaigns', 'disputes'].map((kind) => `/inbox?of=${kind}`);
      for (const [secret, paths] of [
        [service.liveKey, [...ofKey, ...more, ...inbox]],
        [service.adminSecret, viewPaths('operator')],
      ] as const) {
        const page = await openView(secret, '/keys');
        for (const path of paths) {
          const { requests, slowestMs, longestTaskMs } = await opened(page, path);
          console.log(
            `${path}: ${requests} requests, slowest ${slowestMs} ms, longest task ${longestTaskMs} ms`,
          );
          expect(requests).toBeGreaterThan(0);
          if (size === undefined) continue;
          expect(slowestMs, path).toBeLessThanOrEqual(MAX_REQUEST_MS);
          expect(longestTaskMs, path).toBeLessThanOrEqual(MAX_TASK_MS);
        }
      }
    },
    20 * 60_000,
  );

  /** Opens a view and waits until nothing is awaited any more. A stream stays open, so the network never falls silent. */
  async function opened(page: Page, path: string) {
    await page.goto(`${service.url}/console${path}`);
    await page.locator('.shell main h1').waitFor();
    const waiting = page.locator('main .skeleton, main [aria-busy="true"]');
    let quiet = 0;
    const quietRounds = async () => {
      quiet = (await waiting.count()) === 0 ? quiet + 1 : 0;
      return quiet;
    };
    await expect.poll(quietRounds, { interval: 100, timeout: 120_000 }).toBeGreaterThan(5);
    return page.evaluate<{ requests: number; slowestMs: number; longestTaskMs: number }>(FIGURES);
  }
});

/** Requests to the API, from their start to their last byte, and tasks of more than 50 ms. */
const FIGURES = `new Promise((done) => {
  new PerformanceObserver((list) => longest(list.getEntries())).observe({ type: 'longtask', buffered: true });
  setTimeout(() => longest([]), 500);
  const longest = (tasks) => {
    const requests = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/console/api/'));
    const largest = (all, of) => Math.round(Math.max(0, ...all.map(of)));
    done({
      requests: requests.length,
      slowestMs: largest(requests, ({ responseEnd, requestStart }) => responseEnd - requestStart),
      longestTaskMs: largest(tasks, ({ duration }) => duration),
    });
  };
})`;
