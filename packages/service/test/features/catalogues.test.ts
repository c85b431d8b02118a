import { model, reasonCodeCatalog } from '@reliability/scoring';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changelog } from '../../src/domain/catalogues/changelog.js';
import { enumsCatalog } from '../../src/domain/catalogues/enumsCatalog.js';
import { outcomeTemplates } from '../../src/domain/catalogues/outcomeTemplates.js';
import { plansCatalog } from '../../src/domain/catalogues/plans.js';
import { errorCatalog } from '../../src/domain/errorCatalog.js';
import { engines } from '../harness/engines.js';
import { startTestService, type TestService } from '../harness/service.js';

const errors = Object.entries(errorCatalog).map(([code, { status, retryable, message }]) => ({
  code,
  status,
  retryable,
  description: message,
}));

const catalogues: [string, unknown][] = [
  ['/scoring/model', model],
  ['/reason-codes', reasonCodeCatalog],
  ['/enums', enumsCatalog],
  ['/errors', { errors }],
  ['/changelog', { entries: changelog }],
  ['/plans', plansCatalog(1_000_000)],
  ['/outcome-templates', outcomeTemplates()],
];

describe.each(engines)('catalogues on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(engine);
  });
  afterAll(() => service.close());

  const read = (path: string, headers?: Record<string, string>) =>
    service.request('GET', path, { key: null, headers });

  test.each(catalogues)('%s is open to everyone and complete', async (path, content) => {
    const answer = await read(path);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(content)));
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test.each(catalogues)('%s is not sent again to whoever holds it', async (path) => {
    const etag = (await read(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const held of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await read(path, { 'If-None-Match': held });
      expect(again.status).toBe(304);
      expect(again.text).toBe('');
      expect(again.headers.get('etag')).toBe(etag);
    }
    expect((await read(path, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('the templates of one industry come alone, the list of industries whole', async () => {
    const { body } = await read('/outcome-templates?industry=veterinary');
    expect(body.templates.map((group: { industry: string }) => group.industry)).toEqual(['veterinary']);
    expect(body.industries).toHaveLength(28);
  });

  test('an unknown industry is refused with the names of those there are', async () => {
    const { status, body } = await read('/outcome-templates?industry=alchemy');
    expect(status).toBe(400);
    expect(body.code).toBe('VALIDATION_ERROR');
    expect(body.details[0]).toMatchObject({ path: 'industry', code: 'invalid_value', received: 'alchemy' });
    expect(body.details[0].expected).toHaveLength(28);
  });

  test('an industry given twice is refused', async () => {
    const { status, body } = await read('/outcome-templates?industry=legal&industry=veterinary');
    expect(status).toBe(400);
    expect(body.details[0]).toMatchObject({ path: 'industry', code: 'invalid_type' });
  });
});
