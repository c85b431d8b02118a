import { scoreBands } from '@reliability/scoring';
import { beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { everyPage } from '#harness/everyPage.js';
import { givenService } from '#harness/givenService.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { breached, fulfilled, reportAll } from '../insight/recordFixtures.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { DAY_MS, UNKNOWN_ID } from '../tenancy/keyFixtures.js';

const PER_HOUR = 30;
const START = new Date('2026-02-10T12:00:00.000Z');
const on = (day: number) => new Date(START.getTime() + day * DAY_MS);

interface Row {
  externalId: string;
  finalScore: number;
  scoreBand: string;
}

describe.each(breadth)('the book on %s', (engine) => {
  let now = START;
  const service = givenService(engine, { clock: { now: () => now } });
  const key = () => service.testKey;

  /** Four subjects, a day apart, and an agent that was registered before and has no event yet. */
  beforeAll(async () => {
    const histories: [string, object[]][] = [
      ['proven', Array(20).fill(fulfilled)],
      ['claimed', [{ eventType: 'CONTRACT_CANCELLED' }]],
      ['mixed', [fulfilled, { ...fulfilled, isVerified: false }]],
      ['breached', Array(6).fill(breached)],
    ];
    for (const [day, [userId, events]] of histories.entries()) {
      now = on(day);
      await reportAll(service, userId, events, key());
    }
    await service.db.execute(
      `insert into subject (subject_id, platform_id, livemode, external_id, subject_type, record_id, registered_at)
       values ($1, $2, false, 'agent', 'AGENT', $1, $3)`,
      [subjectIdOf(service.platformId, false, 'agent'), service.platformId, on(-1)],
    );
  });

  const book = (query = '') => service.request('GET', `/users${query}`, { key: key() });
  const summary = (query = '') => service.request('GET', `/users/summary${query}`, { key: key() });
  const names = async (query: string) => (await book(query)).body.users.map((row: Row) => row.externalId);

  test('a row has the caller’s own events and the score; without a score null, never a placeholder', async () => {
    const at = on(3).toISOString();
    const row = (day: number) => ({
      displayName: null,
      finalScore: null,
      scoreBand: null,
      confidence: null,
      verificationDepth: null,
      lastActivityAt: null,
      scoreFrozen: false,
      registeredAt: on(day).toISOString(),
    });
    const scored = { finalScore: expect.any(Number), confidence: expect.any(Number), lastActivityAt: at };
    const breached = { ...row(3), ...scored, scoreBand: 'High Risk', verificationDepth: 1 };
    expect((await book('?band=High%20Risk')).body.users).toEqual([
      { ...breached, externalId: 'breached', eventCount: 6, verifiedEventCount: 6, subjectType: 'PERSON' },
    ]);
    expect((await book('?hasScore=false')).body.users).toEqual([
      { ...row(-1), externalId: 'agent', eventCount: 0, verifiedEventCount: 0, subjectType: 'AGENT' },
    ]);
  });

  test.each([
    ['', ['proven', 'mixed', 'claimed', 'breached', 'agent']],
    ['&order=asc', ['breached', 'claimed', 'mixed', 'proven', 'agent']],
    ['&sort=lastActivity', ['breached', 'mixed', 'claimed', 'proven', 'agent']],
    ['&sort=lastActivity&order=asc', ['proven', 'claimed', 'mixed', 'breached', 'agent']],
    ['&sort=registered', ['agent', 'proven', 'claimed', 'mixed', 'breached']],
    ['&sort=registered&order=desc', ['breached', 'mixed', 'claimed', 'proven', 'agent']],
    ['&sort=externalId', ['agent', 'breached', 'claimed', 'mixed', 'proven']],
    ['&sort=externalId&order=desc', ['proven', 'mixed', 'claimed', 'breached', 'agent']],
  ])(
    '"%s" gives its order, subjects without the value last, in pages of any size',
    async (query, expected) => {
      for (const limit of [2, 100]) {
        const rows = await everyPage<Row>(service, '/users', 'users', { key: key(), query, limit });
        expect(rows.map(({ externalId }) => externalId)).toEqual(expected);
      }
    },
  );

  test.each([
    ['?scoreMin=35', ['proven']],
    ['?scoreMax=20.5', ['claimed', 'breached']],
    ['?scoreMin=0&scoreMax=100', ['proven', 'mixed', 'claimed', 'breached']],
    ['?hasScore=true', ['proven', 'mixed', 'claimed', 'breached']],
    ['?subjectType=AGENT', ['agent']],
    ['?subjectType=ORGANIZATION', []],
    ['?scoreFrozen=true', []],
    ['?scoreFrozen=false', ['proven', 'mixed', 'claimed', 'breached', 'agent']],
    ['?hasVerifiedEvents=true', ['proven', 'mixed', 'breached']],
    ['?hasVerifiedEvents=false', ['claimed', 'agent']],
    ['?minVerifiedEvents=6', ['proven', 'breached']],
    ['?minVerifiedEvents=0', ['proven', 'mixed', 'claimed', 'breached', 'agent']],
    ['?activeSince=2026-02-12T12:00:00.000Z', ['mixed', 'breached']],
    ['?registeredSince=2026-02-12T12:00:00.000Z', ['mixed', 'breached']],
    ['?registeredBefore=2026-02-11T12:00:00.000Z', ['proven', 'agent']],
    ['?registeredSince=2026-02-11&registeredBefore=2026-02-13', ['mixed', 'claimed']],
    ['?hasVerifiedEvents=true&scoreMin=20&registeredBefore=2026-02-12', ['proven']],
  ])('%s lists and counts exactly the subjects that meet it', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
    expect((await summary(query)).body.matched).toBe(expected.length);
  });

  test.each([
    '?scoreMin=-1',
    '?scoreMin=abc',
    '?scoreMin=',
    '?scoreMax=100.01',
    '?scoreMin=80&scoreMax=20',
    '?band=Good&band=Fair',
    '?hasScore=false&scoreMin=0',
    '?hasScore=false&scoreMax=0',
    '?hasScore=false&band=Fair',
    '?activeSince=yesterday',
    '?registeredSince=2026-13-01',
    '?registeredBefore=2026-02-30',
    '?registeredSince=2026-03-01&registeredBefore=2026-02-01',
    '?hasVerifiedEvents=',
    '?minVerifiedEvents=1.5',
    '?minVerifiedEvents=99999999999',
  ])('%s is refused with BOOK_QUERY_INVALID, by the summary, too', async (query) => {
    for (const answer of [await book(query), await summary(query)])
      expect([answer.status, answer.body.code]).toEqual([400, 'BOOK_QUERY_INVALID']);
  });

  test.each([
    ['?sort=name', 'BOOK_QUERY_INVALID'],
    ['?limit=1001', 'BOOK_QUERY_INVALID'],
    ['?cursor=WyJzY29yZSIsImRlc2MiLCJ4IiwieSJd', 'BOOK_QUERY_INVALID'],
    ['?format=xml', 'BOOK_FORMAT_INVALID'],
  ])(
    '%s is refused by the list, and ignored by the summary like all of order and pages',
    async (query, code) => {
      const answer = await book(query);
      expect([answer.status, answer.body.code]).toEqual([400, code]);
      expect(await summary(query)).toMatchObject({ status: 200, body: (await summary()).body });
      expect((await summary(`${query}&limit=1&limit=2`)).status).toBe(200);
    },
  );

  test('CSV holds the whole book in the columns of a row', async () => {
    const { headers, text } = await book('?format=csv&sort=externalId&limit=1');
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    expect(headers.get('x-export-max-rows')).toBe('50000');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      'externalId,displayName,finalScore,scoreBand,confidence,verificationDepth,eventCount,verifiedEventCount,lastActivityAt,subjectType,scoreFrozen,registeredAt',
    );
    expect(lines.map((line) => line.split(',')[0])).toEqual(await names('?sort=externalId'));
    expect(lines[0]).toBe(`agent,,,,,,0,0,,AGENT,false,${on(-1).toISOString()}`);
  });

  test('the summary counts bands and has the median and mean of the scores', async () => {
    const { users } = (await book('?hasScore=true')).body as { users: Row[] };
    const hundredths = users.map(({ finalScore }) => Math.round(finalScore * 100));
    // Half up, as of exact hundredths.
    const mean = (of: readonly number[]) =>
      Math.round(of.reduce((sum, each) => sum + each, 0) / of.length) / 100;
    const counted = (of: (row: Row) => boolean) => users.filter(of).length;
    expect((await summary()).body).toEqual({
      matched: 5,
      scored: 4,
      bands: Object.fromEntries(
        scoreBands.map((band) => [band, counted(({ scoreBand }) => scoreBand === band)]),
      ),
      histogram: Array.from({ length: 101 }, (_, points) =>
        counted(({ finalScore }) => Math.floor(finalScore) === points),
      ),
      histogramAsOf: null,
      central: { median: mean(hundredths.slice(1, 3)), mean: mean(hundredths) },
      aggregationSkipped: null,
    });
  });

  test('another platform sees no row, and an empty book has no median', async () => {
    const { testKey } = await anotherPlatform(service);
    for (const options of [{ key: service.liveKey }, { key: testKey }]) {
      expect((await service.request('GET', '/users', options)).body).toEqual({ users: [], nextCursor: null });
      expect((await service.request('GET', '/users/summary', options)).body).toMatchObject({
        matched: 0,
        scored: 0,
        central: { median: null, mean: null },
        aggregationSkipped: null,
      });
    }
  });
});

describe.each(breadth)('limits of the book and the velocity flag on %s', (engine) => {
  const env = {
    BOOK_SUMMARY_MAX: '2',
    BOOK_EXPORT_MAX_ROWS: '3',
    VELOCITY_MAX_PER_HOUR: String(PER_HOUR),
  };
  const service = givenService(engine, { env });
  const repeated = (userId: string, count: number, key?: string) =>
    reportAll(service, userId, Array(count).fill(fulfilled), key);
  const rush = async (userId: string, before = 1) => {
    await repeated(userId, before);
    await repeated(userId, PER_HOUR);
  };
  const score = async (userId: string) => (await service.request('GET', `/users/${userId}/score`)).body;
  const resolve = (id: string, query = `?platformId=${service.platformId}`) =>
    service.request('POST', `/admin/users/${id}/resolve-velocity-flag${query}`, { admin: true });

  test('above BOOK_SUMMARY_MAX there is the histogram of the last count, and none with filters', async () => {
    const { liveKey, testKey } = await anotherPlatform(service);
    const summary = async (query = '', key = liveKey) =>
      (await service.request('GET', `/users/summary${query}`, { key })).body;
    const sweep = () => service.request('POST', '/admin/sweeps/benchmarks', { admin: true });
    for (const userId of ['a', 'b', 'c']) await repeated(userId, 1, liveKey);
    for (const userId of ['a', 'b']) await repeated(userId, 1, testKey);
    expect(await summary()).toMatchObject({ histogram: null, histogramAsOf: null, matched: 3 });
    await sweep();
    const kept = await summary('?sort=externalId&limit=5&q=');
    const { finalScore } = (await service.request('GET', '/users/a/score', { key: liveKey })).body;
    expect(kept).toMatchObject({ bands: null, matched: 3, aggregationSkipped: 'population_too_large' });
    expect(kept.histogram[Math.floor(finalScore)]).toBe(3);
    expect(Date.parse(kept.histogramAsOf)).toBeLessThanOrEqual(Date.now());
    expect(await summary('?hasScore=true')).toMatchObject({ matched: 3, histogram: null });
    expect(await summary('', testKey)).toMatchObject({ matched: 2, histogramAsOf: null });
    await repeated('d', 1, liveKey);
    await sweep();
    expect((await summary()).histogram[Math.floor(finalScore)]).toBe(4);
  });

  test('a page is the text that JSON.stringify makes of it, whatever an id contains', async () => {
    const key = (await anotherPlatform(service)).liveKey;
    const ids = ['"quoted" \\ /', '\u2028é🦉', '<b>{"externalId":1}'];
    for (const [index, id] of ids.entries()) await repeated(id, index + 1, key);
    const { text, body, headers } = await service.request('GET', '/users?sort=registered', { key });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body.users.map((row: Row) => row.externalId)).toEqual(ids);
    expect(text).toBe(JSON.stringify(body));
  });

  test('the export is cut at BOOK_EXPORT_MAX_ROWS, and says so', async () => {
    const key = (await anotherPlatform(service)).liveKey;
    for (const index of [0, 1, 2, 3]) await repeated(`=user ${index}`, 1, key);
    const { headers, text } = await service.request('GET', '/users?format=csv&sort=externalId', { key });
    expect(headers.get('x-export-max-rows')).toBe('3');
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(/^'=user 0,/);
    expect(lines.at(-1)).toBe('# TRUNCATED');
  });

  test('clearing it by the subject’s id unfreezes and recomputes the score, with an audit entry', async () => {
    await rush('fast');
    expect(await score('fast')).toMatchObject({ frozen: true, totalEvents: 1 });
    const { platformId } = service;
    const subjectId = subjectIdOf(platformId, true, 'fast');
    const { body } = await resolve(subjectId, '');
    const frozenSince = expect.any(String);
    expect(body).toEqual({ userId: 'fast', subjectId, platformId, cleared: true, frozenSince });
    await service.settle();
    expect(await score('fast')).toMatchObject({ frozen: false, totalEvents: PER_HOUR + 1 });
    const history = await service.request('GET', '/users/fast/score/history');
    expect(history.body.history[0].reason).toBe('velocity_cleared');
    const trail = await service.db.query(
      'select action, actor, livemode, target from activity where subject_id = $1 order by activity_id',
      [subjectId],
    );
    expect(trail).toEqual([
      { action: 'VELOCITY_FLAG_SET', actor: 'service', livemode: true, target: subjectId },
      { action: 'VELOCITY_FLAG_CLEARED', actor: 'operator', livemode: true, target: subjectId },
    ]);
  });

  test('the book has the present events of a frozen subject, beside the score of before', async () => {
    await rush('busy', 2);
    const [row] = (await service.request('GET', '/users?q=busy&scoreFrozen=true')).body.users;
    const frozen = await score('busy');
    const { finalScore } = frozen;
    expect(frozen).toMatchObject({ frozen: true, totalEvents: 2 });
    const count = PER_HOUR + 2;
    expect(row).toMatchObject({
      scoreFrozen: true,
      finalScore,
      eventCount: count,
      verifiedEventCount: count,
    });
    const since = new Date(Date.parse(row.lastActivityAt) + 1).toISOString();
    await reportAll(service, 'busy', [{ ...fulfilled, isVerified: false }]);
    const query = `q=busy&activeSince=${since}&minVerifiedEvents=${count}`;
    const { users } = (await service.request('GET', `/users?${query}`)).body;
    expect(users).toMatchObject([{ eventCount: count + 1, finalScore }]);
    expect((await service.request('GET', `/users/summary?${query}`)).body.matched).toBe(1);
    const csv = (await service.request('GET', `/users?${query}&format=csv`)).text;
    expect(csv).toContain(users[0].lastActivityAt);
    expect(await score('busy')).toEqual(frozen);
    expect(await differencesIn(service.db)).toEqual([]);
    const recount = (by: number) =>
      service.db.execute(`update score set own_events = own_events + $1 where external_id = 'busy'`, [by]);
    await recount(1);
    expect(await differencesIn(service.db)).toEqual([
      expect.stringContaining(`score: own_events is ${count + 2}, rebuilt ${count + 1}`),
    ]);
    await recount(-1);
    expect((await resolve('busy')).body.cleared).toBe(true);
    await service.settle();
    expect(await differencesIn(service.db)).toEqual([]);
  });

  test('clearing restarts the count: earlier events do not freeze the score again', async () => {
    await rush('again');
    expect((await resolve('again', `?platformId=${service.platformId.toUpperCase()}`)).body.cleared).toBe(
      true,
    );
    await service.settle();
    await repeated('again', PER_HOUR);
    expect(await score('again')).toMatchObject({ frozen: false, totalEvents: 2 * PER_HOUR + 1 });
    await repeated('again', 1);
    expect((await score('again')).frozen).toBe(true);
  });

  test('clearing a score that is not frozen changes nothing and says so', async () => {
    await repeated('calm', 2);
    const { body } = await resolve('calm');
    expect(body).toMatchObject({ userId: 'calm', cleared: false, frozenSince: null });
    const written = await service.db.query('select 1 from activity where subject_id = $1', [body.subjectId]);
    expect(written).toEqual([]);
  });

  test('the operator lists the frozen scores, the longest frozen first, until they are cleared', async () => {
    await rush('held');
    const list = async (): Promise<{ userId: string; frozenAt: string }[]> =>
      (await service.request('GET', '/admin/frozen-scores', { admin: true })).body.frozenScores;
    const before = await list();
    const held = before.find(({ userId }) => userId === 'held');
    const { platformId } = service;
    expect(held).toMatchObject({ platformId, platformName: 'Default', scoreBand: expect.any(String) });
    expect(before.map(({ frozenAt }) => frozenAt).toSorted()).toEqual(before.map(({ frozenAt }) => frozenAt));
    await resolve('held');
    expect((await list()).map(({ userId }) => userId)).not.toContain('held');
  });

  test('unknown subjects, test subjects and external ids without a platform are not found', async () => {
    await repeated('tested', 2, service.testKey);
    for (const answer of [
      await resolve(UNKNOWN_ID, ''),
      await resolve(subjectIdOf(service.platformId, false, 'tested'), ''),
      await resolve('tested'),
      await resolve('fast', ''),
      await resolve('fast', `?platformId=${UNKNOWN_ID}`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
    expect((await resolve('fast', '?platformId=default')).body.code).toBe('VALIDATION_ERROR');
  });
});
