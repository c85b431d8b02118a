import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { givenSharedService } from '../../service/test/harness/givenService.js';
import { describeInBrowser, givenBrowser } from '../../service/test/pages/givenBrowser.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Not the server of all files: their open transactions would keep the newest event off the export.
const service = givenSharedService('pglite');

describeInBrowser('the package in Chromium', () => {
  const { open } = givenBrowser();

  test('works', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(root, 'packages/client/src/index.ts')],
      bundle: true,
      format: 'iife',
      globalName: 'Reliability',
      write: false,
    });
    const page = await open(`${service.url}/health`, {
      bypassCSP: true,
      expectedErrors: /CORS|ERR_FAILED|favicon/,
    });
    await page.evaluate(`${outputFiles[0]?.text}; globalThis.Reliability = Reliability`);
    const answer = await page.evaluate(`(async () => {
      const opened = Promise.withResolvers();
      const client = Reliability.createClient({
        ...${JSON.stringify({ baseUrl: service.url, key: service.liveKey })},
        fetch: async (...args) => {
          const response = await fetch(...args);
          opened.resolve();
          return response;
        },
      });
      const stream = client.stream({ types: ['score.updated'] });
      const next = stream.next();
      await opened.promise;
      await client.recordEvent({ userId: 'browser', eventType: 'CONTRACT_FULFILLED' });
      const { value } = await next;
      await stream.return();
      return value.data.user.externalId;
    })()`);
    expect(answer).toBe('browser');
    await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/health`);
    await page.evaluate(`${outputFiles[0]?.text}; globalThis.Reliability = Reliability`);
    const refused = page.evaluate(
      `Reliability.createClient(${JSON.stringify({ baseUrl: service.url, key: 'k', retries: 0 })}).score('a')`,
    );
    await expect(refused).rejects.toThrow('from a page of another origin');
  });
});
