import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { exportAll } from './eventFixtures.js';
import { COLUMNS, csvOf, finished, goodRows, issuesOf, MAPPING, sendImport } from './importFixtures.js';

const MAX_ROWS = 300;
const MAX_STORED = 5;

describe.each(breadth)('POST /imports on %s', (engine) => {
  const env = { IMPORT_MAX_ROWS: String(MAX_ROWS), IMPORT_MAX_STORED_ERRORS: String(MAX_STORED) };
  const service = givenService(engine, { env });
  const eventsOf = async (userId: string) =>
    (await exportAll(service)).filter((event) => event.userId === userId);
  const savedMapping = async (name: string): Promise<string> =>
    (await service.request('POST', '/ingest/mappings', { body: { name, mapping: MAPPING } })).body.id;
  const sendCsv = (query: string, csv: string, headers: Record<string, string> = {}) =>
    service.request('POST', `/imports${query}`, {
      body: csv,
      headers: { 'Content-Type': 'text/csv', ...headers },
    });

  test('a small file is recorded before the answer, each row as an imported event with its own dates', async () => {
    const csv = csvOf([
      {
        line: '1',
        worker: 'ada',
        type: 'CONTRACT_FULFILLED',
        stake: 'HIGH',
        approved: 'yes',
        client: 'Acme',
        value: '480.50',
        due: '2019-05-02',
        done: '2019-05-01T09:30:00Z',
      },
      { line: '2', worker: 'ada', type: 'CONTRACT_BREACHED', approved: 'no' },
    ]);
    const answer = await sendImport(service, csv);
    expect(answer.status).toBe(202);
    expect(answer.headers.get('location')).toBe(`/api/v1/imports/${answer.body.id}`);
    const counts = { totalRows: 2, createdCount: 2, skippedCount: 0, failedCount: 0, warningCount: 1 };
    expect(answer.body).toMatchObject({ status: 'COMPLETED', error: null, ...counts });
    expect(answer.body.completedAt).not.toBeNull();
    expect((await service.request('GET', `/imports/${answer.body.id}`)).body).toEqual(answer.body);

    const events = await eventsOf('ada');
    expect(events).toMatchObject([
      {
        eventType: 'CONTRACT_FULFILLED',
        stakeLevel: 'MEDIUM',
        isVerified: true,
        attester: 'Acme',
        transactionValue: 480.5,
        dueDate: '2019-05-02T00:00:00.000Z',
        completedAt: '2019-05-01T09:30:00.000Z',
        autoImported: true,
        metadata: { line: '1', autoImported: true },
      },
      { eventType: 'CONTRACT_BREACHED', isVerified: false, metadata: { line: '2', autoImported: true } },
    ]);
    const { warnings, errors } = await issuesOf(service, answer.body.id);
    expect(errors).toEqual([]);
    expect(warnings).toEqual([{ row: 1, code: 'STAKE_CAPPED', reason: expect.stringContaining('MEDIUM') }]);
    await service.settle();
    const score = await service.request('GET', '/users/ada/score');
    expect(score.body).toMatchObject({ totalEvents: 2, verifiedEvents: 1 });
  });

  test('an invalid row fails alone, and its reason names the error and the column', async () => {
    const csv = csvOf([
      { worker: 'good' },
      { worker: 'good', type: 'DONE' },
      { worker: '' },
      { worker: 'good', done: '03/04/2024' },
      { worker: 'test:reserved' },
    ]).concat('6,good,CONTRACT_FULFILLED\r\n');
    const { id, ...job } = (await sendImport(service, csv)).body;
    expect(job).toMatchObject({ status: 'COMPLETED', totalRows: 6, createdCount: 1, failedCount: 5 });
    const { errors, failedCount, truncated } = await issuesOf(service, id);
    expect({ failedCount, truncated }).toEqual({ failedCount: 5, truncated: false });
    const expected: [code: string, reason: RegExp][] = [
      ['VALIDATION_ERROR', /eventType.*type/],
      ['VALIDATION_ERROR', /userId.*required.*worker/],
      ['VALIDATION_ERROR', /completedAt.*03\/04\/2024.*done/],
      ['RESERVED_EXTERNAL_ID', /./],
      ['IMPORT_CSV_INVALID', /^The row has 3 cells, the header line has 9\.$/],
    ];
    expect(errors).toEqual(
      expected.map(([code, reason], index) => ({
        cells: expect.any(Array),
        row: index + 2,
        code,
        reason: expect.stringMatching(reason),
      })),
    );
  });

  test('an import whose rows all fail is complete', async () => {
    const job = (await sendImport(service, csvOf([{ worker: '' }]))).body;
    expect(job).toMatchObject({ status: 'COMPLETED', createdCount: 0, failedCount: 1, error: null });
  });

  test('a known idempotencyKey is skipped, also within one file; different content gives a warning', async () => {
    const mapping = { ...MAPPING, idempotencyKey: { path: 'line' } };
    const rows = [
      { line: 'k-1', worker: 'once' },
      { line: 'k-2', worker: 'once' },
      { line: 'k-1', worker: 'once' },
      { line: 'k-2', worker: 'once', type: 'CONTRACT_BREACHED' },
    ];
    const first = (await sendImport(service, csvOf(rows), { mapping })).body;
    expect(first).toMatchObject({ createdCount: 2, skippedCount: 2, warningCount: 1 });
    const { warnings } = await issuesOf(service, first.id);
    expect(warnings).toMatchObject([{ row: 4, code: 'IDEMPOTENCY_KEY_REUSED' }]);
    const again = (await sendImport(service, csvOf(rows), { mapping })).body;
    expect(again).toMatchObject({ createdCount: 0, skippedCount: 4 });
  });

  test('errors and warnings are stored up to a cap and paged by limit and offset', async () => {
    const rows = [...Array(8).fill({ worker: '' }), ...Array(7).fill({ worker: 'paged', approved: 'yes' })];
    const { id, failedCount, warningCount } = (await sendImport(service, csvOf(rows))).body;
    expect({ failedCount, warningCount }).toEqual({ failedCount: 8, warningCount: 7 });
    const all = await issuesOf(service, id);
    expect(all.errors.map(({ row }: { row: number }) => row)).toEqual([1, 2, 3, 4, 5]);
    expect(all.warnings.map(({ row }: { row: number }) => row)).toEqual([9, 10, 11, 12, 13]);
    expect(all).toMatchObject({ failedCount: 8, truncated: true, limit: 25, offset: 0 });
    const page = await issuesOf(service, id, '?limit=2&offset=4');
    expect(page).toMatchObject({ errors: [{ row: 5 }], warnings: [{ row: 13 }], limit: 2, offset: 4 });
    expect(await issuesOf(service, id, '?offset=5')).toMatchObject({
      errors: [],
      warnings: [],
      failedCount: 8,
    });
  });

  test('a CSV body takes its mapping from the query, by the id of a saved one', async () => {
    const mappingId = await savedMapping('history');
    const csv = csvOf([{ worker: 'bert' }]);
    const sendAs = async (type: string, query = `?mappingId=${mappingId}`) =>
      (await sendCsv(query, csv, { 'Content-Type': type })).body;
    for (const type of ['text/csv', 'text/csv; charset=UTF-8; header=present', 'TEXT/CSV;charset="utf-8"']) {
      expect(await sendAs(type)).toMatchObject({ status: 'COMPLETED', createdCount: 1 });
    }
    for (const type of ['text/csv; charset=iso-8859-1', 'text/plain'])
      expect((await sendAs(type)).code).toBe('BAD_REQUEST');
    expect((await sendAs('text/csv', '')).code).toBe('VALIDATION_ERROR');
    expect((await sendAs('text/csv', '?mappingId=nothing')).code).toBe('NOT_FOUND');
    for (const key of [service.liveKey, service.testKey]) {
      const answer = await service.request('POST', '/imports', { body: { csv, mappingId }, key });
      expect(answer.body).toMatchObject({ status: 'COMPLETED', createdCount: 1 });
    }
  });

  test('an unknown property of the body is a warning about row 0', async () => {
    const body = { csv: csvOf([{ worker: 'typo' }]), mapping: MAPPING, dryRun: true };
    const { id, warningCount } = (await service.request('POST', '/imports', { body })).body;
    expect(warningCount).toBe(1);
    expect((await issuesOf(service, id)).warnings).toMatchObject([{ row: 0, code: 'UNKNOWN_FIELD' }]);
  });

  test.each<[what: string, body: object, code: string]>([
    ['no mapping', { csv: csvOf([{ worker: 'x' }]) }, 'VALIDATION_ERROR'],
    ['a mapping of no id', { csv: csvOf([{ worker: 'x' }]), mappingId: 'x' }, 'NOT_FOUND'],
    ['a name with NUL', { csv: 'a\n1\n', mapping: MAPPING, 'b\u0000': 1 }, 'VALIDATION_ERROR'],
    ['a header line with NUL', { csv: 'a\u0000\n1\n', mapping: MAPPING }, 'IMPORT_CSV_INVALID'],
  ])('%s is refused', async (_, body, code) => {
    expect((await service.request('POST', '/imports', { body })).body.code).toBe(code);
  });

  test.each([
    ['NUL', '\0', 'U+0000'],
    ['half of a pair', '\ud83d', 'U+FFFD'],
  ])('a row with %s in a text of JSON fails alone', async (_, character, named) => {
    const rows = [{ worker: 'stored' }, { worker: `lost${character}` }, { worker: 'stored' }];
    for (const padding of ['', 'x'.repeat(1_100_000)]) {
      const body = { csv: csvOf(rows).concat(padding && `${padding}\r\n`), mapping: MAPPING };
      const { id, createdCount } = (await service.request('POST', '/imports', { body })).body;
      expect(createdCount).toBe(2);
      const { errors } = await issuesOf(service, id);
      expect(errors[0]).toMatchObject({ row: 2, code: 'IMPORT_CSV_INVALID' });
      if (padding === '') expect(errors[0].reason).toContain(named);
      else expect(errors[0].reason).toMatch(named === 'U+0000' ? /U\+0000/ : /not valid UTF-8/);
    }
  });

  test('a mapping is refused with all its errors before the file is read', async () => {
    const mapping = { userId: { path: 'a', transform: 'shout' }, eventType: {}, color: { path: 'b' } };
    const { body } = await sendImport(service, '', { mapping });
    expect(body.code).toBe('INGEST_MAPPING_INVALID');
    const paths = body.details.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['mapping.color', 'mapping.eventType', 'mapping.userId.transform']);
  });

  test('a rule that reads a missing column is refused by name unless it has a default', async () => {
    const csv = csvOf([{ worker: 'x' }], ['line', 'worker']);
    const mapping = {
      userId: { path: 'worker' },
      eventType: { path: 'kind', default: 'CONTRACT_FULFILLED' },
      stakeLevel: { path: 'Stake' },
      metadata: { who: { path: 'who' } },
    };
    const { status, body } = await sendImport(service, csv, { mapping });
    expect([status, body.code]).toEqual([400, 'INGEST_MAPPING_INVALID']);
    expect(body.details).toMatchObject([
      { path: 'mapping.stakeLevel.path', message: expect.stringContaining('"Stake"') },
      { path: 'mapping.metadata.who.path', message: expect.stringContaining('"line", "worker"') },
    ]);
  });

  test('the row cap is exact', async () => {
    const most = await sendImport(service, csvOf(goodRows(MAX_ROWS)));
    expect(most.status).toBe(202);
    await finished(service, most.body.id);
    const more = await sendImport(service, csvOf(goodRows(MAX_ROWS + 1)));
    expect([more.status, more.body.code]).toEqual([400, 'IMPORT_TOO_MANY_ROWS']);
  });

  test('100 rows are recorded at once, 101 are queued; each import sends exactly one notification', async () => {
    const few = await sendImport(service, csvOf(goodRows(100, { prefix: 'few' })));
    expect(few.body).toMatchObject({ status: 'COMPLETED', createdCount: 100 });
    const many = await sendImport(service, csvOf(goodRows(101, { prefix: 'many' })));
    const waiting = { status: 'QUEUED', createdCount: 0, startedAt: null, completedAt: null };
    expect(many.body).toMatchObject(waiting);
    const done = await finished(service, many.body.id);
    expect(done).toMatchObject({ status: 'COMPLETED', createdCount: 101, error: null });
    for (const { id, completedAt } of [few.body, done]) {
      const emitted = await service.db.query<{ body: string }>(
        `select body from envelope where type = 'import.completed' and body like $1`,
        [`%${id}%`],
      );
      const counts = { failedCount: 0, skippedCount: 0 };
      expect(emitted.map(({ body }) => JSON.parse(body).data)).toMatchObject([
        { importJobId: id, status: 'COMPLETED', ...counts, error: null, completedAt },
      ]);
    }
    const left = await service.db.query('select from import_chunk union all select from job');
    expect(left).toEqual([]);
  });

  test('a repeated request gets its first answer after its mapping was deleted', async () => {
    const mappingId = await savedMapping('brief');
    const csv = csvOf(goodRows(2, { prefix: 'brief' }));
    const once = { 'Idempotency-Key': 'import-of-a-mapping-that-goes' };
    const send = () => sendCsv(`?mappingId=${mappingId}`, csv, once);
    const first = await send();
    expect((await service.request('DELETE', `/ingest/mappings/${mappingId}`)).status).toBe(204);
    const second = await send();
    expect([second.status, second.body]).toEqual([202, first.body]);
  });

  test('the velocity guard ignores imports', async () => {
    const rows = goodRows(MAX_ROWS, { prefix: 'busy', subjects: 1 });
    for (let round = 0; round < 2; round += 1)
      await finished(service, (await sendImport(service, csvOf(rows))).body.id);
    await service.settle();
    const { body } = await service.request('GET', '/users/busy-0/score');
    expect(body).toMatchObject({ frozen: false, totalEvents: 2 * MAX_ROWS });
  });

  test('columns may have any name, including dots and __proto__', async () => {
    const columns = ['worker.id', '__proto__', 'constructor', ...COLUMNS.slice(2)];
    const csv = `${columns.join(',')}\n${['dotted', 'p', 'c', ...COLUMNS.slice(2).map(() => '')].join(',')}\n`;
    const mapping = {
      userId: { path: 'worker.id' },
      eventType: { constant: 'CONTRACT_FULFILLED' },
      metadata: { c: { path: 'constructor' } },
    };
    const { body } = await sendImport(service, csv, { mapping });
    expect(body).toMatchObject({ createdCount: 1, failedCount: 0 });
    const [event] = await eventsOf('dotted');
    expect(event?.metadata).toMatchObject({ c: 'c' });
  });
});
