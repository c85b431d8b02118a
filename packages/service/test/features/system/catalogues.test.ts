import { model, type PlatformTier, reasonCodeCatalog, score, type Tally } from '@reliability/scoring';
import { describe, expect, test } from 'vitest';
import { plansCatalog } from '#domain/catalogues/plans.js';
import { errorCatalog } from '#domain/errorCatalog.js';
import { breadth } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import changelog from '../../../data/changelog.json' with { type: 'json' };
import { enumsCatalog } from '../../../src/features/system/catalogues/enumsCatalog.js';
import { modelExplanation, modelLimits } from '../../../src/features/system/catalogues/modelTexts.js';
import { outcomeTemplates } from '../../../src/features/system/catalogues/outcomeTemplates.js';

const errors = Object.entries(errorCatalog).map(([code, { status, retryable, message }]) => ({
  code,
  status,
  retryable,
  description: message,
}));

const catalogues: [string, unknown][] = [
  ['/scoring/model', { ...model, explanation: modelExplanation, limits: modelLimits }],
  ['/reason-codes', reasonCodeCatalog],
  ['/enums', enumsCatalog],
  ['/errors', { errors }],
  ['/changelog', { entries: changelog }],
  ['/plans', plansCatalog(1_000_000)],
  ['/outcome-templates', outcomeTemplates()],
];

describe.each(breadth)('catalogues on %s', (engine) => {
  const service = givenSharedService(engine);

  const read = (path: string, headers?: Record<string, string>) =>
    service.request('GET', path, { key: null, headers });

  test.each(catalogues)('%s is public and complete', async (path, content) => {
    const answer = await read(path);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(content)));
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  test.each(catalogues)('%s answers 304 to a client that has it', async (path) => {
    const etag = (await read(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const cached of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await read(path, { 'If-None-Match': cached });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await read(path, { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  test('the model explains itself in one sentence, with the numbers of its constants', async () => {
    const { explanation } = (await read('/scoring/model')).body;
    expect(explanation).toMatch(/^[^.]* between 16 and 34, [^.]* M \/ \(M \+ 3\) of the way\.$/);
  });

  test('the templates can be filtered by industry; the list of industries is complete', async () => {
    const { body } = await read('/outcome-templates?industry=veterinary');
    expect(body.templates.map((group: { industry: string }) => group.industry)).toEqual(['veterinary']);
    expect(body.industries).toHaveLength(28);
    expect(body.version).toBe('1.2'); // another wording is no other version
  });

  test('an unknown industry is refused with the known names', async () => {
    const { details } = (await read('/outcome-templates?industry=alchemy')).body;
    expect(details[0]).toMatchObject({ path: 'industry', code: 'invalid_value', received: 'alchemy' });
    expect(details[0].expected).toHaveLength(28);
  });

  test('an industry given twice is refused', async () => {
    const { details } = (await read('/outcome-templates?industry=legal&industry=veterinary')).body;
    expect(details[0]).toMatchObject({ path: 'industry', code: 'invalid_type' });
  });

  test.each(['!/openapi.json', '/errors', '!/docs', '!/verify-embed.js'])(
    '%s is compressed for a client that accepts gzip, with its own ETag',
    async (path) => {
      const plain = await read(path, { 'Accept-Encoding': 'identity' });
      const packed = await read(path, { 'Accept-Encoding': 'gzip' });
      expect([plain, packed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
      expect(packed.text).toBe(plain.text);
      expect(plain.headers.get('vary')).toBe('Accept-Encoding');
      const etag = packed.headers.get('etag') ?? '';
      expect(etag).not.toBe(plain.headers.get('etag'));
      const again = await read(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': etag });
      expect([again.status, again.headers.get('vary')]).toEqual([304, 'Accept-Encoding']);
      expect(again.headers.get('content-encoding')).toBeNull();
      const refused = await read(path, { 'Accept-Encoding': 'gzip;q=0' });
      expect(refused.headers.get('content-encoding')).toBeNull();
    },
  );
});

describe('the limits that the model states', () => {
  test('a steady record converges to the stated score', () => {
    const near = (months: number, platformTier: PlatformTier) => {
      const points = Array.from({ length: months * 30 }, (_, day) => steadyScore(months, platformTier, day));
      return Math.round(points.reduce((sum, one) => sum + one, 0) / points.length);
    };
    expect(modelLimits.join(' ')).toContain(
      `near ${near(1, 'GROWTH')} points from a platform of tier GROWTH and near ${near(1, 'STARTER')} from STARTER; ` +
        `one every two months settles near ${near(2, 'GROWTH')} and near ${near(2, 'STARTER')}.`,
    );
  });

  test('any number of unverified successes costs a verified record 10 points at most', () => {
    const verified = { ...JOB, day: 0, count: 1000 };
    const before = score([verified], 0)?.finalScore ?? 0;
    const after = score([verified, { ...verified, isVerified: false, count: 1_000_000 }], 0)?.finalScore ?? 0;
    expect(before - after).toBeGreaterThan(9);
    expect(before - after).toBeLessThan(10);
    expect(modelLimits.join(' ')).toContain('at most 10 points');
  });
});

const JOB = {
  platformTier: 'GROWTH',
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'MEDIUM',
  isVerified: true,
  timeliness: 'on_time',
} as const;

/**
 * The score of somebody who has done a job every so many months for twenty years, so many days
 * after the last one.
 */
function steadyScore(months: number, platformTier: PlatformTier, sinceLast: number): number {
  const days = Array.from(
    { length: 240 / months },
    (_, index) => -sinceLast - Math.round(index * months * 30.44),
  );
  const jobs = days.map((day): Tally => ({ ...JOB, platformTier, day, count: 1 }));
  return score(jobs, 0)?.finalScore ?? 0;
}
