import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { givenService, givenSharedService } from '#harness/givenService.js';
import { exportAll } from './eventFixtures.js';
import {
  COLUMNS,
  csvOf,
  finished,
  goodRows,
  issuesOf,
  MAPPING,
  type Row,
  sendImport,
} from './importFixtures.js';
import { save } from './ingestFixtures.js';

const KEYED = { ...MAPPING, idempotencyKey: { path: 'line' } };

describe.each(breadth)('POST /imports/dry-run on %s', (engine) => {
  const service = givenService(engine, { env: { IMPORT_MAX_ROWS: '1000' } });

  const dryRun = (csv: string, mapping: object = MAPPING, query = '') =>
    service.request('POST', `/imports/dry-run${query}`, { body: { csv, mapping } });

  test('groups failures by reason, whatever values the rows have, and writes nothing', async () => {
    const rows: Row[] = [
      { worker: 'ada', done: '03/04/2024' },
      { worker: 'ada', done: '12 "May" 2024' },
      { worker: '' },
      { worker: 'ada', done: '2024-03-01' },
      { worker: 'ada', done: '05/04/2024' },
    ];
    const { body } = await dryRun(csvOf(rows));
    expect(body).toMatchObject({ totalRows: 5, validCount: 1, failedCount: 4, skippedCount: 0 });
    const unreadable = expect.stringMatching(/^completedAt: .* not "…" \(read from "done"\)$/);
    expect(body.errors).toMatchObject([
      { code: 'VALIDATION_ERROR', reason: unreadable, count: 3, rows: [1, 2, 5] },
      { code: 'VALIDATION_ERROR', reason: expect.stringContaining('userId'), count: 1, rows: [3] },
    ]);
    expect(body.errors[0].example).toContain('03/04/2024');
    expect(await exportAll(service)).toEqual([]);
    expect((await service.request('GET', '/imports')).body.imports).toEqual([]);
  });

  test('shows the first rows as the events that the import then records', async () => {
    const csv = csvOf([
      { line: 'a', worker: 'shown', approved: 'yes', client: 'Acme', stake: 'HIGH', value: '12.50' },
      { line: 'b', worker: 'shown', approved: 'yes', client: 'Shown' },
      { line: 'c', worker: 'shown', type: 'DONE' },
      { line: 'd', worker: 'shown' },
    ]);
    const { body } = await dryRun(csv, KEYED, '?sample=3');
    const reason = expect.stringMatching(/^eventType.*type/);
    expect(body.sample).toMatchObject([
      { row: 1, error: null, warnings: [{ code: 'STAKE_CAPPED' }] },
      { row: 2, error: null, warnings: [{ code: 'VERIFICATION_DOWNGRADED' }] },
      { row: 3, event: null, error: { code: 'VALIDATION_ERROR', reason } },
    ]);
    const { id } = (await sendImport(service, csv, { mapping: KEYED })).body;
    const recorded = (await exportAll(service)).filter(({ userId }) => userId === 'shown');
    for (const [index, key] of ['a', 'b'].entries()) {
      const { idempotencyKey, ...event } = body.sample[index].event;
      expect(idempotencyKey).toBe(key);
      expect(recorded[index]).toMatchObject(event);
    }
    const { warnings } = await issuesOf(service, id);
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(
      body.warnings.map(({ code }: { code: string }) => code),
    );
  });

  test('counts what would be skipped, in a long file, too, and agrees with the import', async () => {
    const rows = goodRows(400, { prefix: 'long' }).map((row, index) => ({
      ...row,
      line: `key-${index % 390}`,
      ...(index % 100 === 0 && { done: `${index}/4` }),
    }));
    const csv = csvOf(rows);
    const first = (await dryRun(csv, KEYED)).body;
    expect(first).toMatchObject({ totalRows: 400, failedCount: 4, skippedCount: 9 });
    expect(first.errors).toMatchObject([{ count: 4, rows: [1, 101, 201, 301] }]);
    const { id } = (await sendImport(service, csv, { mapping: KEYED })).body;
    expect(await finished(service, id)).toMatchObject({ createdCount: 387, skippedCount: 9, failedCount: 4 });
    expect((await dryRun(csv, KEYED)).body).toMatchObject({ skippedCount: 396, failedCount: 4 });
  });

  test('names at most 100 reasons and counts the rest together', async () => {
    const csv = csvOf(goodRows(3)).concat(
      ...Array.from({ length: 120 }, (_, index) => `x${',x'.repeat(index + 10)}\r\n`),
    );
    const { errors, failedCount } = (await dryRun(csv)).body;
    expect(failedCount).toBe(120);
    expect(errors).toHaveLength(101);
    expect(errors[0]).toMatchObject({ reason: 'Other reasons', count: 20 });
  });

  test('is asked for at its own address: POST /imports?dryRun=1 is refused', async () => {
    const body = { csv: csvOf([{ worker: 'by-habit' }]), mapping: MAPPING };
    const { status, text } = await service.request('POST', '/imports?dryRun=1', { body });
    expect([status, text]).toEqual([400, expect.stringContaining('POST /imports/dry-run')]);
    expect((await service.request('GET', '/users/by-habit/score')).status).toBe(404);
  });

  test('refuses what an import refuses, and takes a saved mapping with a CSV body', async () => {
    expect((await dryRun('')).body.code).toBe('IMPORT_CSV_INVALID');
    expect((await dryRun('nobody\r\n1\r\n')).body.code).toBe('INGEST_MAPPING_INVALID');
    const saved = await save(service, 'dry', MAPPING);
    const { body } = await service.request('POST', `/imports/dry-run?mappingId=${saved.body.id}`, {
      headers: { 'Content-Type': 'text/csv' },
      body: csvOf(goodRows(2)),
    });
    expect(body).toMatchObject({ validCount: 2, failedCount: 0 });
  });

  test.each([
    ['semicolon', ';'],
    ['tab', '\t'],
  ])('a %s separates cells if the request says so', async (separator, character) => {
    const csv = csvOf([{ worker: `by-${separator}`, client: 'Miller & Sons' }]).replaceAll(',', character);
    const query = `?separator=${separator}`;
    expect((await dryRun(csv, MAPPING, query)).body).toMatchObject({ validCount: 1 });
    const { code, error } = (await dryRun(csv)).body;
    expect([code, error]).toEqual([
      'INGEST_MAPPING_INVALID',
      expect.stringContaining('name the `separator`'),
    ]);
    const { body } = await service.request('POST', `/imports${query}`, { body: { csv, mapping: MAPPING } });
    expect(body).toMatchObject({ createdCount: 1, failedCount: 0 });
  });
});

describe.each(breadth)('the rows that failed in an import on %s', (engine) => {
  const service = givenSharedService(engine);

  test('are listed with their cells, so that they can be corrected and sent again alone', async () => {
    const csv = csvOf([
      { line: '1', worker: 'eve' },
      { line: '2', worker: 'eve', done: 'tomorrow, "maybe"' },
    ]).concat('3,eve\r\n', `4,${'x'.repeat(9000)}\r\n`);
    const { id } = (await sendImport(service, csv)).body;
    const { columns, mapping, errors } = await issuesOf(service, id);
    expect([columns, mapping]).toEqual([COLUMNS, MAPPING]);
    expect(errors.map(({ cells }: { cells: string[] | null }) => cells)).toEqual([
      ['2', 'eve', '', '', '', '', '', '', 'tomorrow, "maybe"'],
      ['3', 'eve'],
      null,
    ]);
    const [date, ragged] = errors;
    date.cells[8] = '2024-03-02';
    const rows = [columns, date.cells, [...ragged.cells, ...Array(7).fill('')]];
    const again = await sendImport(service, rows.map((cells) => `${cells.join(',')}\r\n`).join(''));
    expect(again.body).toMatchObject({ createdCount: 2, failedCount: 0 });
    expect(await exportAll(service)).toHaveLength(3);
  });

  test('are gone with the erasure of a subject that one of their cells names', async () => {
    const csv = csvOf([{ line: '1', worker: 'kept', done: 'never' }]).concat('2,forgotten\r\n');
    await sendImport(service, csvOf([{ worker: 'forgotten' }]));
    const { id } = (await sendImport(service, csv)).body;
    expect((await issuesOf(service, id)).errors).toHaveLength(2);
    await service.request('POST', '/users/forgotten/erasure', { body: { reason: 'asked' } });
    await eventually(async () => (await issuesOf(service, id)).errors.length < 2);
    expect((await issuesOf(service, id)).errors).toMatchObject([
      { row: 1, cells: expect.arrayContaining(['kept']) },
    ]);
  });
});
