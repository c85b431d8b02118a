import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { differencesIn, logDifferencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { tablesWith } from '#harness/tablesWith.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { outcome, report } from '../intake/eventFixtures.js';
import { givenEraser } from '../subjects/erasureFixtures.js';
import { DAY_MS, movableClock } from '../tenancy/keyFixtures.js';
import { ANSWER, answerReview, objected, recordToken } from './reviewFixtures.js';

/** In every text of a review. */
const NEEDLE = 'Zebedee Quill';
const NAMING = { outcome: 'PARTLY', text: `${NEEDLE} said so.`, reviewer: NEEDLE };

describe.each(breadth)('texts of reviews on %s', (engine) => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
  const { service, erase, expectCleanAudits } = givenEraser(engine, log);
  const read = async (id: string) => (await service.request('GET', `/reviews/${id}`)).body;
  const tablesNaming = () => tablesWith(service.db, (row) => row.includes(NEEDLE));
  const opened = async (userId: string, text = `${NEEDLE} was late, not me.`, key?: string) => {
    await report(service, outcome({ userId }), { key });
    return objected(service, await recordToken(service, userId, key), { text });
  };

  test('are in one table and in no line of the log, and go with an erasure, which ends an open review', async () => {
    const [answered, open] = [await opened('to-erase-1'), await opened('to-erase-1')];
    await answerReview(service, answered.id, NAMING);
    expect(await tablesNaming()).toEqual(['review']);
    await settledLog(service.db);
    await erase('to-erase-1');
    expect(await tablesNaming()).toEqual([]);
    expect(lines.filter((line) => line.includes(NEEDLE))).toEqual([]);
    const rows = await service.db.query(
      'select status, outcome, text, answer, reviewer from review where review_id = any($1::uuid[]) order by 1',
      [[answered.id, open.id]],
    );
    const gone = { text: null, answer: null, reviewer: null };
    expect(rows).toEqual([
      { status: 'ANSWERED', outcome: 'PARTLY', ...gone },
      { status: 'WITHDRAWN', outcome: null, ...gone },
    ]);
    for (const { id } of [answered, open]) {
      expect((await service.request('GET', `/reviews/${id}`)).body.code).toBe('SUBJECT_ERASED');
      expect((await answerReview(service, id)).body.code).toBe('SUBJECT_ERASED');
    }
    await expectCleanAudits();
  });

  test("that name an erased person are emptied in another's review, which stays open", async () => {
    const { id } = await opened('stays', 'It was to-erase-2 who was late.');
    const { id: other } = await opened('stays');
    await opened('to-erase-2', 'mine');
    await answerReview(service, other, { ...ANSWER, text: 'As to-erase-2 says.', reviewer: 'to-erase-2' });
    await erase('to-erase-2');
    expect(await read(id)).toMatchObject({ status: 'OPEN', text: null });
    expect(await read(other)).toMatchObject({ answer: null, reviewer: null, outcome: 'UPHELD' });
    expect((await read(other)).text).toContain(NEEDLE);
    await expectCleanAudits();
  });

  test('go with the reset of test data, live ones stay', async () => {
    const live = await opened('kept', 'live words');
    const { id } = await opened('in-test', 'test words', service.testKey);
    await service.request('DELETE', '/test/data', { key: service.testKey });
    expect((await service.request('GET', `/reviews/${id}`, { key: service.testKey })).status).toBe(404);
    expect(await tablesWith(service.db, (row) => row.includes('test words'))).toEqual([]);
    expect(await read(live.id)).toEqual(live);
  });
});

describe.each(breadth)('texts of reviews under RETENTION_TEXT_DAYS on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock, env: { RETENTION_TEXT_DAYS: '20' } });
  const sweep = () => service.request('POST', '/admin/sweeps/retention', { admin: true });

  test('go by age once the review has ended, and no fact of the log changes', async () => {
    await report(service, outcome({ userId: 'aged' }));
    const token = await recordToken(service, 'aged');
    const [answered, open] = [await objected(service, token), await objected(service, token)];
    await answerReview(service, answered.id);
    const textsOf = async (id: string) => {
      const { text, answer, reviewer } = (await service.request('GET', `/reviews/${id}`)).body;
      return [text, answer, reviewer];
    };
    const kept = [answered.text, ANSWER.text, ANSWER.reviewer];
    clock.aheadMs += 19 * DAY_MS;
    await sweep();
    expect(await textsOf(answered.id)).toEqual(kept);
    clock.aheadMs += 2 * DAY_MS;
    await sweep();
    expect(await textsOf(answered.id)).toEqual([null, null, null]);
    expect(await textsOf(open.id)).toEqual([open.text, null, null]);
    await answerReview(service, open.id);
    await sweep();
    expect(await textsOf(open.id)).toEqual([null, null, null]);
    await service.settle();
    await settledLog(service.db);
    expect(await differencesIn(service.db)).toEqual([]);
    expect(await logDifferencesIn(service.db, clock.now())).toEqual([]);
  });
});
