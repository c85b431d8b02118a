import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { givenService, givenSharedService } from '#harness/givenService.js';
import { outcome, report, reportBatch } from './eventFixtures.js';

const HEADER =
  'id,userId,eventType,stakeLevel,isVerified,transactionValue,dueDate,completedAt,autoImported,livemode,createdAt,metadata';
const CAP = 5;

describe.each(breadth)('exporting events as CSV on %s', (engine) => {
  const service = givenService(engine, { env: { EVENT_EXPORT_MAX_ROWS: String(CAP) } });

  async function linesOf(key: string): Promise<string[]> {
    const answer = await service.request('GET', '/events/export?format=csv', { key });
    expect(answer.status).toBe(200);
    expect(answer.text.endsWith('\r\n')).toBe(true);
    return answer.text.split('\r\n').slice(0, -1);
  }

  test('an export without events is only a header line', async () => {
    const answer = await service.request('GET', '/events/export?format=csv');
    expect(answer.text).toBe(`${HEADER}\r\n`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/csv; charset=utf-8/);
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    expect(answer.headers.get('x-export-max-rows')).toBe(String(CAP));
  });

  test('cells are quoted where necessary, and none is a formula in a spreadsheet', async () => {
    const fields = {
      userId: 'a,"b"',
      isVerified: true,
      transactionValue: 12.5,
      dueDate: '2026-03-01T10:00:00Z',
      completedAt: '2026-03-01T09:30:00.5Z',
      metadata: { note: 'x, "y"' },
    };
    const { event } = (await report(service, outcome(fields))).body;
    const userIds = ['=1+1', '@cmd', '-12.5', '# TRUNCATED'];
    await reportBatch(
      service,
      userIds.map((userId) => outcome({ userId })),
    );
    const [header, first, ...others] = await linesOf(service.liveKey);
    expect(header).toBe(HEADER);
    expect(first).toBe(
      `${event.id},"a,""b""",TRANSACTION_COMPLETED,MEDIUM,true,12.5,2026-03-01T10:00:00.000Z,2026-03-01T09:30:00.500Z,` +
        `false,true,${event.createdAt},"{""note"":""x, \\""y\\""""}"`,
    );
    const cells = others.map((line) => line.split(',')[1]);
    expect(cells).toEqual(["'=1+1", "'@cmd", '-12.5', '# TRUNCATED']);
    expect(others[0]).toMatch(/,MEDIUM,false,,,,false,true,[^,]+,$/);
  });

  test('rows above the cap are cut, and the last line says so; rows up to the cap are not', async () => {
    const key = service.testKey;
    await reportBatch(
      service,
      Array.from({ length: CAP }, (_, n) => outcome({ userId: `row-${n}` })),
      { key },
    );
    const full = await linesOf(key);
    expect(full).toHaveLength(1 + CAP);
    expect(full.at(-1)).toContain(`row-${CAP - 1}`);
    await report(service, outcome({ userId: 'one-more' }), { key });
    const cut = await linesOf(key);
    expect(cut).toHaveLength(1 + CAP + 1);
    expect(cut.at(-1)).toBe('# TRUNCATED');
    expect(cut.slice(0, -1)).toEqual(full);
  });

  test('the range applies to CSV too, and an invalid range is refused before the first byte', async () => {
    const query = 'format=csv&from=2001-01-01&to=2001-12-31';
    expect((await service.request('GET', `/events/export?${query}`)).text).toBe(`${HEADER}\r\n`);
    const refused = await service.request('GET', '/events/export?format=csv&from=never');
    expect(refused.body.code).toBe('EXPORT_RANGE_INVALID');
    expect(refused.headers.get('content-type')).toContain('application/json');
  });
});

describe.each(breadth)('a long CSV export on %s', (engine) => {
  const service = givenSharedService(engine);

  test('thousands of rows are complete and in order', async () => {
    const ids: string[] = [];
    for (let batch = 0; batch < 22; batch += 1) {
      const events = Array.from({ length: 100 }, (_, n) => outcome({ userId: `subject-${n}` }));
      const { results } = (await reportBatch(service, events)).body;
      ids.push(...results.map(({ eventId }: { eventId: string }) => eventId));
    }
    const { text } = await service.request('GET', '/events/export?format=csv');
    const rows = text.split('\r\n').slice(1, -1);
    expect(rows.map((row) => row.split(',')[0])).toEqual(ids);
  });
});
