import { request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { givenSharedService } from '#harness/givenService.js';
import type { TestService } from '#harness/service.js';

const MAPPING = { userId: { path: 'worker' }, eventType: { constant: 'CONTRACT_FULFILLED' } };
const BOM = [0xef, 0xbb, 0xbf];
const LIMIT = 32 * 1024 * 1024;

/** On one engine: reading a file does not involve the database. */
describe('the file of an import', () => {
  let mappingId: string;

  const service = givenSharedService(mainEngine);
  beforeAll(async () => {
    const body = { name: 'workers', mapping: MAPPING };
    mappingId = (await service.request('POST', '/ingest/mappings', { body })).body.id;
  });

  const send = (body: string | Uint8Array) =>
    service.request('POST', `/imports?mappingId=${mappingId}`, {
      body,
      headers: { 'Content-Type': 'text/csv' },
    });

  test.each<[what: string, body: string | Uint8Array, rows: number]>([
    ['with a byte order mark', Buffer.from([...BOM, ...Buffer.from('worker\na\n')]), 1],
    ['with a byte order mark before quotes', Buffer.from([...BOM, ...Buffer.from('"worker",b\na,b\n')]), 1],
    ['with CRLF', 'worker,b\r\na,b\r\nc,d\r\n', 2],
    ['with CR alone', 'worker,b\ra,b\rc,d\r', 2],
    ['without a last line break', 'worker,b\na,b', 1],
    ['with line breaks in cells', 'worker,b\n"a","b\nc"\n', 1],
    ['with letters of every kind', 'worker,ß\nzoë,漢字 🙂\n', 1],
    ['with lines of nothing at the end', 'worker,b\na,b\n\n\n', 1],
    ['with a column of any name', 'worker,"b, ""c""\nd"\na,b\n', 1],
  ])('%s is read', async (_, body, rows) => {
    const answer = await send(body);
    expect(answer.body).toMatchObject({ status: 'COMPLETED', totalRows: rows, createdCount: rows });
  });

  test.each<[what: string, body: string | Uint8Array, message: RegExp]>([
    ['that is empty', '', /empty/],
    ['with a header line alone', 'worker,b\r\n', /no rows/],
    ['with a quote that is never closed', 'worker,b\na,"b\nc,d\n', /line 2 is never closed/],
    ['with a column without a name', 'worker,,b\na,b,c\n', /Column 2 has no name/],
    ['with a column called by a space', 'worker, \na,b\n', /Column 2 has no name/],
    [
      'with two columns of one name',
      'worker,b,worker\na,b,c\n',
      /Columns 1 and 3 have the same name, "worker"/,
    ],
    ['in UTF-16', Buffer.from('\ufeffworker\na\n', 'utf16le'), /UTF-8/],
    ['with a quote that a later row closes', 'worker,b\n"a,b\n"c",d\n', /line 2 is never closed/],
    ['with a quote in a name', 'worker,b"c"\na,b\n', /Line 1 has a quotation mark/],
    ['whose names are Latin-1', Buffer.from('wörker\na\n', 'latin1'), /name its `encoding`: windows-1252/],
    [
      'with more names than any table has',
      `worker${',x'.repeat(1000)}\na\n`,
      /Line 1 has more than 1000 cells/,
    ],
  ])('%s is refused', async (_, body, message) => {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'IMPORT_CSV_INVALID']);
    expect(answer.body.error).toMatch(message);
  });

  test.each<[what: string, row: string | Uint8Array, reason: RegExp]>([
    ['with a quote in a cell', 'a,b"c"', /^Line 3 has a quotation mark in the middle/],
    ['with text behind a quote', '"a"x,b', /^Line 3 has text after/],
    ['with a byte that is no UTF-8', Buffer.from([0x61, 0x2c, 0xff]), /^The row is not valid UTF-8/],
    ['cut in the middle of a letter', Buffer.from([0x61, 0x2c, 0xc3]), /^The row is not valid UTF-8/],
    ['in Latin-1', Buffer.from('zoë,b', 'latin1'), /or name its `encoding`: windows-1252/],
    ['in which a letter was lost before', 'zo\ufffd,b', /the character U\+FFFD/],
    ['with NUL', 'a\0b,c', /the character U\+0000/],
    ['with the unit separator', 'a,\x1f', /the character U\+001F/],
    ['with the record separator', 'a,"b\x1e"', /the character U\+001E/],
    ['with a cell of more than 64 kB', `a,${'x'.repeat(65_537)}`, /line 3, column 2 has more/],
    ['with a cell of quotation marks', `a,"${'""'.repeat(65_537)}"`, /line 3, column 2 has more/],
    ['of more than 1 MiB', `${'x'.repeat(65_000)},`.repeat(17), /on line 3 has more/],
    ['wider than any table', ','.repeat(1000), /Line 3 has more than 1000 cells/],
  ])('a row %s fails alone', async (_, row, reason) => {
    const [before, after] = [Buffer.from('worker,b\na,b\n'), Buffer.from('\nc,d\n')];
    const { status, body } = await send(Buffer.concat([before, Buffer.from(row), after]));
    expect([status, body.totalRows, body.createdCount, body.failedCount]).toEqual([202, 3, 2, 1]);
    const { errors } = (await service.request('GET', `/imports/${body.id}/errors`)).body;
    expect(errors).toMatchObject([
      { row: 2, code: 'IMPORT_CSV_INVALID', reason: expect.stringMatching(reason) },
    ]);
  });

  test('a reason never repeats a long cell in full', async () => {
    const name = 'x'.repeat(5000);
    const { body } = await send(`worker,${name},${name}\na,b,c\n`);
    expect(body.error.length).toBeLessThan(200);
  });

  test('a file of 32 MiB is accepted, a larger one is refused', async () => {
    const head = 'worker,note\n';
    const row = `a,"${'x'.repeat(60_000)}"\n`;
    const full = `${head}${row.repeat(500)}`;
    const { body } = await send(full.padEnd(LIMIT, '\n'));
    expect(body).toMatchObject({ status: 'QUEUED', totalRows: 500 });
    expect(await statusOfLarge(service, `/api/v1/imports?mappingId=${mappingId}`)).toBe(413);
  });

  test('a cell of 64 kB is read, with as many quotation marks as it can hold', async () => {
    const { body } = await send(`worker,note\na,"${'""'.repeat(65_536)}"\n`);
    expect(body).toMatchObject({ status: 'COMPLETED', createdCount: 1 });
  });

  test('other operations refuse CSV, and bodies above 1 MiB', async () => {
    const headers = { 'Content-Type': 'text/csv' };
    const answer = await service.request('POST', '/events', { body: 'worker\na\n', headers });
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await statusOfLarge(service, '/api/v1/events', 'application/json')).toBe(413);
  });

  test('thousands of rows are read, in pieces of any size', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `w-${index % 7},"é ""${index}"", 🙂\r\n"`);
    const { body } = await send(`worker,note\r\n${rows.join('\r\n')}\r\n`);
    expect(body).toMatchObject({ status: 'QUEUED', totalRows: 3000 });
    let job = body;
    while (job.completedAt === null) job = (await service.request('GET', `/imports/${body.id}`)).body;
    expect(job).toMatchObject({ status: 'COMPLETED', createdCount: 3000, failedCount: 0 });
  });
});

/** Announces a body that is too large. The answer comes before the body is sent. */
function statusOfLarge(service: TestService, path: string, type = 'text/csv'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${service.liveKey}`,
      'Content-Type': type,
      'Content-Length': String(LIMIT + 1),
    };
    const sent = request(service.url + path, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
      sent.destroy();
    });
    sent.once('error', reject);
    sent.write('worker');
  });
}
