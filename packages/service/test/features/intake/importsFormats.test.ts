import { beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import { exportAll } from './eventFixtures.js';
import { csvOf, finished } from './importFixtures.js';

const DAY_FIRST = {
  userId: { path: 'Person' },
  eventType: { constant: 'CONTRACT_FULFILLED' },
  completedAt: { path: 'Fertig am', transform: 'day_month_year' },
  transactionValue: { path: 'Betrag', transform: 'decimal_comma' },
};

/** One column of a file whose other column is the subject. */
function column(...cells: string[]): string {
  return ['Person;Wert', ...cells.map((cell, index) => `w-${index};${cell}`)].join('\r\n');
}

/** On one engine: the formats of a file do not involve the database. */
describe('how a file is written', () => {
  const service = givenSharedService(mainEngine);
  let mappingId: string;
  beforeAll(async () => {
    const body = { name: 'German spreadsheet', mapping: DAY_FIRST };
    mappingId = (await service.request('POST', '/ingest/mappings', { body })).body.id;
  });

  const sendFile = (path: string, file: Uint8Array | string) =>
    service.request('POST', path, { body: file, headers: { 'Content-Type': 'text/csv' } });
  const detect = async (file: Uint8Array | string, query = '') => {
    const answer = await sendFile(`/imports/detect${query}`, file);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const formatOf = async (...cells: string[]) => (await detect(column(...cells))).columns[0];

  test('is proposed with the value that decides it, in Windows-1252 with semicolons', async () => {
    const text = 'Person;Fertig am;Betrag\r\nw-1;03.10.2026;480\r\nJörg Müller;13.10.2026;1.250,50\r\n';
    const body = await detect(Buffer.from(text, 'latin1'));
    expect(body).toMatchObject({
      encoding: {
        proposed: 'windows-1252',
        decidedBy: { line: 3, value: 'Jörg Müller;13.10.2026;1.250,50' },
        alternatives: [],
      },
      separator: {
        proposed: 'semicolon',
        decidedBy: { line: 1, value: 'Person;Fertig am;Betrag' },
        alternatives: [],
      },
      totalRows: 2,
    });
    expect(body.columns).toEqual([
      {
        column: 'Fertig am',
        kind: 'date',
        values: 2,
        proposed: 'day_month_year',
        decidedBy: { row: 2, value: '13.10.2026' },
        alternatives: [
          {
            format: 'month_day_year',
            reads: 1,
            example: { value: '03.10.2026', as: '2026-03-10T00:00:00.000Z' },
          },
        ],
      },
      {
        column: 'Betrag',
        kind: 'number',
        values: 2,
        proposed: 'decimal_comma',
        decidedBy: { row: 2, value: '1.250,50' },
        alternatives: [],
      },
    ]);
  });

  test('is recognised in UTF-16, in UTF-8 with and without letters, and with tabs', async () => {
    const text = 'Person\tFertig am\nJörg\t2026-10-13\n';
    for (const [encoding, file] of [
      ['utf-16le', Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['utf-16be', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ] as const) {
      const { encoding: found, separator } = await detect(file);
      expect([found.proposed, separator.proposed]).toEqual([encoding, 'tab']);
    }
    expect((await detect(`\ufeff${text}`)).encoding).toMatchObject({
      proposed: 'utf-8',
      alternatives: ['windows-1252'],
    });
    const plain = await detect('a,b;c\n1,2;3\n');
    expect(plain.encoding).toEqual({ proposed: 'utf-8', decidedBy: null, alternatives: [] });
    expect(plain.separator).toMatchObject({ proposed: 'comma', alternatives: ['semicolon'] });
    expect((await detect('a,b;c\n1,2;3\n', '?separator=semicolon')).totalRows).toBe(1);
  });

  test('one byte that is no UTF-8 does not make a file of UTF-8 another one', async () => {
    const file = Buffer.concat([Buffer.from('Person;Ort\nJörg;Köln\nMüller;'), Buffer.from([0xe4, 0x0a])]);
    expect((await detect(file)).encoding.proposed).toBe('utf-8');
  });

  test.each<[proposed: string | null, decidedBy: string | null, cells: string[]]>([
    ['day_month_year', '13.10.2026', ['03.10.2026', '13.10.2026']],
    ['day_month_year', '31/1/26', ['3/4/26', '31/1/26 14:30']],
    ['month_day_year', '3/13/2026', ['03/04/2026', '3/13/2026']],
    ['iso_date', '2026-10-03', ['2026-10-03', '2026-10-04T09:30:00Z']],
    [null, null, ['03/04/2026', '05/06/2026']],
    [null, null, ['03.10.2026', '']],
    [null, null, ['03/03/2026']],
    [null, null, ['13/01/2026', '01/13/2026', '03/04/2026']],
    ['decimal_comma', '12,5', ['480', '12,5']],
    ['decimal_comma', '1.250,50', ['1.250', '1.250,50']],
    ['decimal_point', '12.5', ['480', '12.5']],
    ['decimal_point', '1,250.50', ['1,250', '1,250.50']],
    [null, null, ['1.250']],
    [null, null, ['1,250', '3']],
    [null, null, ['12,5', '12.5']],
  ])('proposes %s, decided by %s, for %j', async (proposed, decidedBy, cells) => {
    const format = await formatOf(...cells);
    expect(format.proposed).toBe(proposed);
    if (decidedBy === null) expect(format.decidedBy).toBeNull();
    else expect(format.decidedBy.value).toContain(decidedBy);
    if (proposed === null) expect(format.alternatives.length).toBeGreaterThan(1);
  });

  test('names both readings of a value that has two, and proposes neither', async () => {
    const { alternatives } = await formatOf('03/04/2026');
    expect(alternatives).toMatchObject([
      { format: 'day_month_year', example: { value: '03/04/2026', as: '2026-04-03T00:00:00.000Z' } },
      { format: 'month_day_year', example: { value: '03/04/2026', as: '2026-03-04T00:00:00.000Z' } },
    ]);
    expect((await formatOf('1.250')).alternatives).toMatchObject([
      { format: 'decimal_point', example: { value: '1.250', as: 1.25 } },
      { format: 'decimal_comma', example: { value: '1.250', as: 1250 } },
    ]);
  });

  test('says nothing of texts, ids and plain numbers', async () => {
    const cells = ['4711', '1.2.3', 'A-1/2', '2026', 'x'.repeat(5000)];
    expect((await detect(column(...cells))).columns).toEqual([]);
    expect((await detect(column('some text', 'more text', '03.04.2026'))).columns).toEqual([]);
  });

  test('is decided by a value anywhere in a large file', async () => {
    const cells = Array.from({ length: 20_000 }, () => '03.04.2026').concat('13.04.2026');
    expect(await formatOf(...cells)).toMatchObject({
      proposed: 'day_month_year',
      decidedBy: { row: 20_001, value: '13.04.2026' },
    });
  });

  test('refuses what an import refuses, and writes nothing', async () => {
    const answer = await sendFile('/imports/detect', 'a,a\n1,2\n');
    expect([answer.status, answer.body.code]).toEqual([400, 'IMPORT_CSV_INVALID']);
    expect((await service.request('POST', '/imports/detect', { body: {} })).body.code).toBe(
      'VALIDATION_ERROR',
    );
    expect((await service.request('GET', '/imports')).body.imports).toEqual([]);
  });

  test('is what the import then reads, if its request names it', async () => {
    const text = 'Person;Fertig am;Betrag\r\nJörg;03.10.2025;"1.250,50 €"\r\n';
    const query = `?mappingId=${mappingId}&separator=semicolon`;
    const windows = Buffer.from(text.replace('€', '\x80'), 'latin1');
    const unnamed = await sendFile(`/imports/dry-run${query}`, windows);
    expect(unnamed.body.problems).toMatchObject([
      {
        column: null,
        code: 'IMPORT_CSV_INVALID',
        expected: expect.stringContaining('`encoding`: windows-1252'),
      },
    ]);
    const files = { 'windows-1252': windows, 'utf-16le': Buffer.from(`\ufeff${text}`, 'utf16le') };
    for (const [encoding, file] of Object.entries(files)) {
      const { body } = await sendFile(`/imports${query}&encoding=${encoding}`, file);
      expect(body).toMatchObject({ status: 'COMPLETED', createdCount: 1 });
    }
    const recorded = (await exportAll(service)).filter(({ userId }) => userId === 'Jörg');
    expect(recorded).toHaveLength(2);
    for (const event of recorded)
      expect(event).toMatchObject({ completedAt: '2025-10-03T00:00:00.000Z', transactionValue: 1250.5 });
  });

  test('of a text in JSON is UTF-8 in any case', async () => {
    const body = { csv: csvOf([{ worker: 'x' }]), mapping: DAY_FIRST };
    const answer = await service.request('POST', '/imports?encoding=windows-1252', { body });
    expect([answer.status, answer.body.details?.[0]?.path]).toEqual([400, 'encoding']);
  });

  test('of 50 000 rows in Windows-1252 is read as it is sent', async () => {
    const rows = Array.from(
      { length: 50_000 },
      (_, index) => `Jörg ${index % 50};0${1 + (index % 9)}.10.2025;1,5`,
    );
    const file = Buffer.from(['Person;Fertig am;Betrag', ...rows].join('\n'), 'latin1');
    const query = `?mappingId=${mappingId}&separator=semicolon&encoding=windows-1252`;
    const trial = await sendFile(`/imports/dry-run${query}`, file);
    expect(trial.body).toMatchObject({ totalRows: 50_000, validCount: 50_000, problems: [] });
    expect(trial.body.sample[0].event.userId).toBe('Jörg 0');
    const first = file.subarray(0, file.indexOf('\n', 4000));
    const { body } = await sendFile(`/imports${query}`, first);
    expect((await finished(service, body.id)).failedCount).toBe(0);
  });
});
