import { gzipSync } from 'node:zlib';
import { model } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';

describe('the page /how', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(mainEngine);
  });
  afterAll(() => service.close());
  const get = (path: string, headers = {}) => service.request('GET', `!${path}`, { key: null, headers });

  test('names every band, and shows an example that adds up without its script', async () => {
    const { status, text } = await get('/how');
    expect(status).toBe(200);
    for (const { band } of model.bands) expect(text).toContain(`>${band}</span>`);
    const figures = [...text.matchAll(/<dd(?: data-figure="(\w+)")?>([+−]?[\d.]+)<\/dd>/g)];
    const numberOf = (name: string) =>
      Number(figures.find(([, figure]) => figure === name)?.[2]?.replace('−', '-'));
    const parts = ['completion', 'timeliness', 'disputes', 'verification', 'gate'].map(numberOf);
    const sum = parts.reduce((total, part) => total + part, model.anchor);
    expect(sum).toBeCloseTo(numberOf('total'), 8);
    expect(numberOf('year')).toBeGreaterThan(numberOf('twoYears'));
  });

  test('is in the language of the reader, with numbers as they are written there', async () => {
    const { text, headers } = await get('/how', { 'Accept-Language': 'de' });
    expect(headers.get('content-language')).toBe('de');
    expect(text).toContain('Wie entsteht eine Bewertung');
    expect(text).toContain('64,99');
    expect((await get('/how?lang=en', { 'Accept-Language': 'de' })).text).toContain('64.99');
  });

  test('loads its own script alone, which is at most 20 kB gzipped', async () => {
    const { text } = await get('/how');
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script src="how.js" defer>']);
    expect(text).not.toMatch(/ on\w+=|style=/);
    const script = (await get('/how.js')).text;
    expect(gzipSync(script).length).toBeLessThan(20_000);
    expect(script).not.toMatch(/\beval\b|innerHTML|document\.write|fetch\(/);
  });
});
