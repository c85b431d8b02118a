import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasCitus, hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { seedBook } from '../../../../bench/src/kit/seed/seedBook.js';
import { browserPath, launchBrowser } from '../pages/browser.js';
import { measureViews, type ViewFigures, viewPaths } from './viewFigures.js';

/** `TEST_BOOK_SIZE=1000000` measures. The limit of a request holds on a quiet machine. */
const size = process.env.TEST_BOOK_SIZE;
const SUBJECTS = Number(size ?? 3_000);
const MAX_REQUEST_MS = 300;
/** Of processor time. */
const MAX_TASK_MS = 50;

// The seed writes to one server.
describe.skipIf(browserPath === undefined || !hasPostgres || hasCitus)('the console on a large book', () => {
  let database: TestDatabase;
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    database = await openTestDatabase('postgresql');
    let aheadMs = 0;
    const clock = { now: () => new Date(Date.now() + aheadMs) };
    [service, browser] = await Promise.all([
      startTestService('postgresql', { db: database.db, clock }),
      launchBrowser(),
    ]);
    const sizes = { subjects: SUBJECTS, events: 3 * SUBJECTS, neighbours: 0 };
    await seedBook(database.url ?? '', sizes, () => {});
    // The sweep sums what was published some minutes ago.
    aheadMs = 10 * 60_000;
    const swept = await service.request('POST', '/admin/sweeps/benchmarks', { admin: true });
    expect(swept.body.affected).toBeGreaterThan(0);
  }, 400_000 + SUBJECTS);
  afterAll(async () => {
    await Promise.all([browser?.close(), service?.close()]);
    await database?.close();
  });

  test(
    'every view asks for nothing that takes long, and blocks the browser with no long task',
    async () => {
      const { body } = await service.request('GET', '/users?limit=1&sort=score&order=desc');
      const subject = `/subject/${body.users[0].externalId}`;
      const ofKey = viewPaths('key').map((path) => (path.includes('{id}') ? subject : path));
      const more = ['/book?band=Good', '/book?q=worker-00', `${subject}?by=recorded`];
      const inbox = ['references', 'campaigns', 'disputes'].map((kind) => `/inbox?of=${kind}`);
      const figures = [
        ...(await measureViews(browser, service.url, service.liveKey, [...ofKey, ...more, ...inbox])),
        ...(await measureViews(browser, service.url, service.adminSecret, viewPaths('operator'))),
      ];
      console.log(figures.map(lineOf).join('\n'));
      expect(figures.every(({ requests }) => requests > 0)).toBe(true);
      if (size === undefined) return;
      const slow = figures.filter(
        ({ slowest, longestTaskCpuMs }) => slowest.ms > MAX_REQUEST_MS || longestTaskCpuMs > MAX_TASK_MS,
      );
      expect(slow).toEqual([]);
    },
    20 * 60_000,
  );
});

function lineOf({ view, slowest, longestTaskMs, longestTaskCpuMs, requests }: ViewFigures): string {
  const task = `${longestTaskMs.toFixed(0)} ms (${longestTaskCpuMs.toFixed(0)} of the processor)`;
  return `${view}: ${requests} requests, slowest ${slowest.ms.toFixed(0)} ms ${slowest.path}; longest task ${task}`;
}
