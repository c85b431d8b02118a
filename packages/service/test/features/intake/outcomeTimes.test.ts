import { describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';

const EVENT = { userId: 'worker-1', eventType: 'TRANSACTION_COMPLETED' };
const ASKED = { ...EVENT, counterpartyRef: 'client-1', description: 'A job' };
const MAPPING = { userId: { path: 'who' }, eventType: { constant: 'TRANSACTION_COMPLETED' } };
const before = ['1969-12-31T23:59:59.999Z', '1970-01-01T00:59:59+01:00', '0099-05-01T00:00:00Z'];
const FIRST = '1970-01-01T00:00:00.000Z';

/** Every operation that takes the times of an outcome. */
const operations: [path: string, body: (times: object) => object][] = [
  ['/events', (times) => ({ ...EVENT, ...times })],
  ['/events/batch', (times) => ({ events: [{ ...EVENT, ...times }] })],
  ['/confirmations', (times) => ({ ...ASKED, ...times })],
  ['/confirmations/batch', (times) => ({ confirmations: [{ ...ASKED, ...times }] })],
  [
    '/activation/campaigns',
    (times) => ({ name: 'x', rows: [{ ...ASKED, rowKey: JSON.stringify(times), ...times }] }),
  ],
  ['/users/worker-1/score/project', (times) => ({ events: [{ eventType: EVENT.eventType, ...times }] })],
  [
    '/users/worker-1/documents/analyze',
    (times) => ({ claims: [{ title: 'x', eventType: EVENT.eventType, ...times }] }),
  ],
];

describe('a time of an outcome before 1970', () => {
  const service = givenSharedService(mainEngine);

  const post = (path: string, body: object) => service.request('POST', path, { body });

  test.each(operations)('is refused at %s', async (path, body) => {
    for (const field of ['completedAt', 'dueDate']) {
      for (const time of before) {
        const { text, status } = await post(path, body({ [field]: time }));
        expect(status === 400 || text.includes('"failedCount":1'), text).toBe(true);
        expect(text).toContain('"code":"VALIDATION_ERROR"');
        expect(text).toMatch(new RegExp(`"path":"[a-z0-9.]*${field}","code":"custom"`));
        expect(text).toContain('must not lie before 1970-01-01');
      }
      expect((await post(path, body({ [field]: FIRST }))).text).not.toContain('VALIDATION_ERROR');
    }
  });

  test('is refused as the end of a project', async () => {
    const project = { title: 'x', url: 'https://example.com/x', completedAt: '1969-12-31' };
    expect((await post('/users/worker-1/projects', project)).body.details).toMatchObject([
      { path: 'completedAt', message: 'must not lie before 1970-01-01' },
    ]);
  });

  test.each(['completedAt', 'dueDate'])(
    'is refused in %s of a record, a file and a mapping',
    async (field) => {
      for (const time of [...before, '1969-12-31']) {
        const mapping = { ...MAPPING, [field]: { path: 'when', transform: 'iso_date' } };
        const ingested = await post('/ingest', { records: [{ who: 'worker-1', when: time }], mapping });
        expect(ingested.body).toMatchObject({ createdCount: 0, failedCount: 1 });
        const dryRun = await post('/imports/dry-run', { csv: `who,when\nworker-1,${time}\n`, mapping });
        for (const { text } of [ingested, dryRun]) expect(text).toContain('must not lie before 1970-01-01');
        const constant = { ...MAPPING, [field]: { constant: time } };
        const saved = await post('/ingest/mappings', { name: 'x', mapping: constant });
        expect([saved.status, saved.body.code]).toEqual([400, 'INGEST_MAPPING_INVALID']);
      }
    },
  );
});
