import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { givenService } from '#harness/givenService.js';
import { csvOf, finished, goodRows, issuesOf, MAPPING, type Row, sendImport } from './importFixtures.js';

const MAX_STORED = 5;
const ISO = 'must be an ISO 8601 date or timestamp, such as 2026-03-01';

describe.each(breadth)('the problems of a file on %s', (engine) => {
  const service = givenService(engine, { env: { IMPORT_MAX_STORED_ERRORS: String(MAX_STORED) } });
  const problemsOf = async (id: string) => (await issuesOf(service, id, '?groupBy=column')).columns;

  test('are grouped by column, each with its rows, the first of them and what is expected', async () => {
    const rows: Row[] = [
      { worker: 'ada' },
      { worker: 'ada', done: '03/04/2024', value: 'much' },
      { worker: '', done: '05/04/2024' },
      { worker: 'ada', type: 'DONE' },
      { worker: 'ada', done: '2999-01-01' },
    ];
    const csv = csvOf(rows).concat('only,two\r\n');
    const expected = [
      { column: 'done', code: 'invalid_format', rows: 2, first: 2, example: '03/04/2024', expected: ISO },
      {
        column: 'value',
        code: 'invalid_format',
        rows: 1,
        first: 2,
        example: 'much',
        expected: expect.stringMatching(/^must be a number with a decimal point;/),
      },
      { column: 'worker', code: 'required', rows: 1, first: 3, example: '', expected: 'is required' },
      {
        column: 'type',
        code: 'invalid_value',
        rows: 1,
        first: 4,
        example: 'DONE',
        expected: expect.stringMatching(/^must be one of TRANSACTION_COMPLETED, /),
      },
      {
        column: 'done',
        code: 'custom',
        rows: 1,
        first: 5,
        example: '2999-01-01',
        expected: 'must not lie more than 5 minutes in the future',
      },
      {
        column: null,
        code: 'IMPORT_CSV_INVALID',
        rows: 1,
        first: 6,
        example: 'The row has 2 cells, the header line has 9.',
        expected: 'must have 9 cells, as the header line has',
      },
    ];
    const { body } = await service.request('POST', '/imports/dry-run', { body: { csv, mapping: MAPPING } });
    expect(body.problems).toEqual(expected);
    const { id } = (await sendImport(service, csv)).body;
    const grouped = await issuesOf(service, id, '?groupBy=column');
    expect(grouped.columns).toEqual(expected);
    expect(grouped).toMatchObject({ errors: [], warnings: [], failedCount: 5, truncated: false });
    expect((await issuesOf(service, id)).columns[0]).toBe('line');
  });

  test('are counted over all rows, also those that are no longer stored', async () => {
    const bad = (done: string): Row => ({ worker: 'late', done });
    const rows = goodRows(5000, { prefix: 'counted' }).map((row, index) => {
      if (index % 10 === 9) return bad(`${index}/4`);
      return index === 4990 ? { ...row, value: 'much' } : row;
    });
    const { id } = (await sendImport(service, csvOf(rows))).body;
    expect(await finished(service, id)).toMatchObject({ createdCount: 4499, failedCount: 501 });
    const [dates, values, ...none] = await problemsOf(id);
    expect(dates).toMatchObject({ column: 'done', rows: 500, first: 10, example: '9/4', expected: ISO });
    // Its row is beyond the limit, and the only one of its problem.
    expect(values).toMatchObject({ column: 'value', rows: 1, first: 4991, example: 'much' });
    expect(none).toEqual([]);
    const listed = await issuesOf(service, id);
    expect(listed.truncated).toBe(true);
    expect(listed.errors.length).toBeLessThanOrEqual(MAX_STORED + 2);
  });

  test('of many rows never cost those that are right, whatever is wrong with them', async () => {
    const faults: [text: string, reason: RegExp][] = [
      ['1,"a"b,c,,,,,,', /Line 51 has text after the closing quotation mark/],
      ['1,5" pipe,c,,,,,,', /Line 52 has a quotation mark in the middle/],
      [`1,${'x'.repeat(65_537)},c,,,,,,`, /The cell on line 53, column 2 has more than 65536 characters/],
      [','.repeat(1001), /Line 54 has more than 1000 cells/],
      ['1,2', /The row has 2 cells/],
      ['1,\x1f,c,,,,,,', /U\+001F/],
    ];
    const good = csvOf(goodRows(49, { prefix: 'right' }));
    const csv = `${good}${faults.map(([text]) => `${text}\r\n`).join('')}1,last,CONTRACT_FULFILLED,,,,,,\r\n`;
    const { body } = await sendImport(service, csv);
    expect(body).toMatchObject({ status: 'COMPLETED', totalRows: 56, createdCount: 50, failedCount: 6 });
    const { errors } = await issuesOf(service, body.id);
    const reasons = errors.map(({ row, reason }: { row: number; reason: string }) => `${row} ${reason}`);
    for (const [index, reason] of reasons.entries()) {
      expect(reason.startsWith(`${index + 50} `), reason).toBe(true);
      expect(reason).toMatch(faults[index]?.[1] ?? /never/);
    }
    expect(await problemsOf(body.id)).toHaveLength(faults.length);
  });

  test('show no cell of a subject that was erased', async () => {
    const { id } = (await sendImport(service, csvOf([{ worker: 'erased-ada', done: 'soon' }]))).body;
    expect(await problemsOf(id)).toMatchObject([{ first: 1, example: 'soon' }]);
    await sendImport(service, csvOf([{ worker: 'erased-ada' }]));
    const erased = await service.request('POST', '/users/erased-ada/erasure', { body: {} });
    expect(erased.status).toBe(200);
    await eventually(async () => (await problemsOf(id))[0].example === null);
    expect(await problemsOf(id)).toMatchObject([{ rows: 1, first: 1, expected: ISO }]);
  });
});
