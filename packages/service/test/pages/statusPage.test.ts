import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';

describe('the page /status', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(mainEngine);
  });
  afterAll(() => service.close());
  const get = (headers = {}) => service.request('GET', '!/status', { key: null, headers });
  const headingOf = (text: string) => /<h1>(.*?)<\/h1>/.exec(text)?.[1];

  test('says what /status.json says, in words, in the language of the reader', async () => {
    const { body } = await service.request('GET', '!/status.json', { key: null });
    const headings: Record<string, string[]> = {
      operational: ['Everything works.', 'Alles funktioniert.'],
      degraded: ['Something is late.', 'Etwas verzögert sich.'],
    };
    const [english, german] = [await get(), await get({ 'Accept-Language': 'de' })];
    expect([headingOf(english.text), headingOf(german.text)]).toEqual(headings[body.status]);
    expect(german.headers.get('content-language')).toBe('de');
    expect(english.headers.get('cache-control')).toBe('no-store');
    expect(english.text).toMatch(/<dt>Requests .*?<dd class="ok">Works<\/dd>/);
    expect(english.text).toMatch(/Checked on <time datetime="\d{4}-\d\d-\d\dT/);
  });

  test('is loaded again by its reader, not by itself', async () => {
    const { text, headers } = await get();
    expect(text).toContain('<a href="">Check again</a>');
    expect(text + [...headers.keys()].join()).not.toMatch(/http-equiv|refresh/);
  });

  test('names no address, key or number of subjects', async () => {
    const { text } = await get();
    expect(text).not.toMatch(/postgres|pglite|treeSize|latency/i);
  });
});
