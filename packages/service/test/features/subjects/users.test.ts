import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesIn } from '#harness/differencesIn.js';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';

const DAY_MS = 86_400_000;
const PER_HOUR = 30;
const START = new Date('2026-02-10T12:00:00.000Z');

interface Row {
  externalId: string;
  finalScore: number | null;
  scoreBand: string | null;
  lastActivityAt: string | null;
  registeredAt: string;
}

describe.each(breadth)('the book on %s', (engine) => {
  let service: TestService;
  let now = START;

  beforeAll(async () => {
    service = await startTestService(engine, { clock: { now: () => now } });
    await seedBook(service, (at) => {
      now = at;
    });
  });

  afterAll(() => service.close());

  const book = (query = '') => service.request('GET', `/users${query}`, { key: service.testKey });
  const names = async (query: string) => (await book(query)).body.users.map((row: Row) => row.externalId);

  test('a row has the caller’s own events and the score', async () => {
    const { status, body } = await book('?band=High%20Risk');
    expect(status).toBe(200);
    expect(body.users).toEqual([
      {
        externalId: 'breached',
        finalScore: expect.any(Number),
        scoreBand: 'High Risk',
        confidence: expect.any(Number),
        verificationDepth: 1,
        eventCount: 6,
        verifiedEventCount: 6,
        lastActivityAt: new Date(START.getTime() + 3 * DAY_MS).toISOString(),
        subjectType: 'PERSON',
        scoreFrozen: false,
        registeredAt: new Date(START.getTime() + 3 * DAY_MS).toISOString(),
      },
    ]);
  });

  test('a subject without a score has null, never a placeholder', async () => {
    const { body } = await book('?hasScore=false');
    expect(body.users).toEqual([
      {
        externalId: 'agent',
        finalScore: null,
        scoreBand: null,
        confidence: null,
        verificationDepth: null,
        eventCount: 0,
        verifiedEventCount: 0,
        lastActivityAt: null,
        subjectType: 'AGENT',
        scoreFrozen: false,
        registeredAt: START.toISOString(),
      },
    ]);
  });

  test.each([
    ['', ['proven', 'mixed', 'claimed', 'breached', 'agent']],
    ['?order=asc', ['breached', 'claimed', 'mixed', 'proven', 'agent']],
    ['?sort=lastActivity', ['breached', 'mixed', 'claimed', 'proven', 'agent']],
    ['?sort=lastActivity&order=asc', ['proven', 'claimed', 'mixed', 'breached', 'agent']],
    ['?sort=registered', ['agent', 'proven', 'claimed', 'mixed', 'breached']],
    ['?sort=registered&order=desc', ['breached', 'mixed', 'claimed', 'proven', 'agent']],
    ['?sort=externalId', ['agent', 'breached', 'claimed', 'mixed', 'proven']],
    ['?sort=externalId&order=desc', ['proven', 'mixed', 'claimed', 'breached', 'agent']],
  ])('%s gives its order, subjects without the value last', async (query, expected) => {
    const given = await names(query);
    if (query.includes('registered')) {
      // Two were registered at the same instant; their order among each other is that of their ids.
      expect([...given].sort()).toEqual([...expected].sort());
      const registered = (await book(query)).body.users.map((row: Row) => row.registeredAt);
      expect(registered).toEqual([...registered].sort(query.includes('desc') ? descending : undefined));
    } else expect(given).toEqual(expected);
  });

  test.each(['score', 'lastActivity', 'registered', 'externalId'])(
    'pages by %s have neither a gap nor a repeat',
    async (sort) => {
      for (const order of ['asc', 'desc']) {
        const whole = await names(`?sort=${sort}&order=${order}`);
        const paged: string[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const page: { users: Row[]; nextCursor: string | null } = (
            await book(`?sort=${sort}&order=${order}&limit=2${cursor && `&cursor=${cursor}`}`)
          ).body;
          paged.push(...page.users.map((row) => row.externalId));
          cursor = page.nextCursor;
        }
        expect(paged).toEqual(whole);
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
  ])('%s lists exactly the subjects that meet it', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test.each([
    '?scoreMin=-1',
    '?scoreMin=abc',
    '?scoreMin=',
    '?scoreMax=100.01',
    '?scoreMin=80&scoreMax=20',
    '?band=good',
    '?band=Good&band=Fair',
    '?hasScore=yes',
    '?hasScore=false&scoreMin=0',
    '?hasScore=false&scoreMax=0',
    '?hasScore=false&band=Fair',
    '?scoreFrozen=1',
    '?subjectType=person',
    '?activeSince=yesterday',
    '?registeredSince=2026-13-01',
    '?registeredBefore=2026-02-30',
    '?registeredSince=2026-03-01&registeredBefore=2026-02-01',
    '?hasVerifiedEvents=',
    '?minVerifiedEvents=-1',
    '?minVerifiedEvents=1.5',
    '?minVerifiedEvents=99999999999',
    '?sort=name',
    '?order=up',
    '?limit=0',
    '?limit=1001',
    '?cursor=damaged',
    '?cursor=WyJzY29yZSIsImRlc2MiLCJ4IiwieSJd',
  ])('%s is refused with BOOK_QUERY_INVALID', async (query) => {
    const answer = await book(query);
    expect([answer.status, answer.body.code]).toEqual([400, 'BOOK_QUERY_INVALID']);
  });

  test('an unknown format is refused with BOOK_FORMAT_INVALID', async () => {
    const answer = await book('?format=xml');
    expect([answer.status, answer.body.code]).toEqual([400, 'BOOK_FORMAT_INVALID']);
  });

  test('CSV holds the whole book in the columns of a row', async () => {
    const { status, headers, text } = await book('?format=csv&sort=externalId&limit=1');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/csv/);
    expect(headers.get('x-export-max-rows')).toBe('50000');
    const [head, ...lines] = text.trimEnd().split('\r\n');
    expect(head).toBe(
      'externalId,finalScore,scoreBand,confidence,verificationDepth,eventCount,verifiedEventCount,lastActivityAt,subjectType,scoreFrozen,registeredAt',
    );
    expect(lines.map((line) => line.split(',')[0])).toEqual([
      'agent',
      'breached',
      'claimed',
      'mixed',
      'proven',
    ]);
    expect(lines[0]).toBe(`agent,,,,,0,0,,AGENT,false,${START.toISOString()}`);
  });

  test('the other mode and another platform see no row', async () => {
    expect((await service.request('GET', '/users')).body).toEqual({ users: [], nextCursor: null });
    const anonymous = await service.request('POST', '/admin/platforms', {
      admin: true,
      body: { name: 'Stranger' },
    });
    const { key } = anonymous.body.keys.test;
    expect((await service.request('GET', '/users', { key })).body.users).toEqual([]);
  });
});

describe.each(breadth)('a book above BOOK_SUMMARY_MAX on %s', (engine) => {
  test('has the histogram of the last count without filters, and none with filters', async () => {
    const service = await startTestService(engine, { env: { BOOK_SUMMARY_MAX: '2' } });
    const summary = async (query = '', key = service.liveKey) =>
      (await service.request('GET', `/users/summary${query}`, { key })).body;
    const report = async (userIds: readonly string[], key = service.liveKey) => {
      const events = userIds.map((userId) => ({ userId, eventType: 'CONTRACT_FULFILLED', isVerified: true }));
      await service.request('POST', '/events/batch', { key, body: { events } });
      await service.settle();
    };
    const sweep = () => service.request('POST', '/admin/sweeps/benchmarks', { admin: true });
    await report(['a', 'b', 'c']);
    await report(['a', 'b'], service.testKey);
    expect(await summary()).toMatchObject({ histogram: null, histogramAsOf: null, matched: 3 });
    await sweep();
    const kept = await summary('?sort=externalId&limit=5&q=');
    const { finalScore } = (await service.request('GET', '/users/a/score')).body;
    expect(kept).toMatchObject({ bands: null, matched: 3, aggregationSkipped: 'population_too_large' });
    expect(kept.histogram[Math.floor(finalScore)]).toBe(3);
    expect(Date.parse(kept.histogramAsOf)).toBeLessThanOrEqual(Date.now());
    expect(await summary('?hasScore=true')).toMatchObject({ matched: 3, histogram: null });
    expect(await summary('', service.testKey)).toMatchObject({ matched: 2, histogramAsOf: null });
    await report(['d']);
    await sweep();
    const later = (await summary()).histogram.reduce((sum: number, count: number) => sum + count, 0);
    expect(later).toBe(4);
    await service.close();
  });
});

describe.each(breadth)('the export of the book on %s', (engine) => {
  test('is cut at BOOK_EXPORT_MAX_ROWS, and says so', async () => {
    const service = await startTestService(engine, { env: { BOOK_EXPORT_MAX_ROWS: '3' } });
    const events = Array.from({ length: 4 }, (_, index) => ({
      userId: `=user ${index}`,
      eventType: 'REVIEW_VERIFIED',
    }));
    await service.request('POST', '/events/batch', { body: { events } });
    await service.settle();
    const { headers, text } = await service.request('GET', '/users?format=csv&sort=externalId');
    expect(headers.get('x-export-max-rows')).toBe('3');
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(/^'=user 0,/);
    expect(lines.at(-1)).toBe('# TRUNCATED');
    await service.close();
  });
});

describe.each(breadth)('the velocity flag on %s', (engine) => {
  let service: TestService;
  let platformId: string;

  beforeAll(async () => {
    service = await startTestService(engine, { env: { VELOCITY_MAX_PER_HOUR: String(PER_HOUR) } });
    platformId = service.platformId;
  });

  afterAll(() => service.close());

  const report = async (userId: string, count: number, key = service.liveKey) => {
    const events = Array.from({ length: count }, () => ({
      userId,
      eventType: 'CONTRACT_FULFILLED',
      isVerified: true,
    }));
    await service.request('POST', '/events/batch', { body: { events }, key });
    await service.settle();
  };
  const score = async (userId: string) => (await service.request('GET', `/users/${userId}/score`)).body;
  const resolve = (id: string, query = '') =>
    service.request('POST', `/admin/users/${encodeURIComponent(id)}/resolve-velocity-flag${query}`, {
      admin: true,
    });

  test('clearing it by the subject’s id unfreezes and recomputes the score, with an audit entry', async () => {
    await report('fast', 1);
    await report('fast', PER_HOUR);
    expect(await score('fast')).toMatchObject({ frozen: true, totalEvents: 1 });
    const subjectId = subjectIdOf(platformId, true, 'fast');
    const { status, body } = await resolve(subjectId);
    expect(status).toBe(200);
    expect(body).toEqual({
      userId: 'fast',
      subjectId,
      platformId,
      cleared: true,
      frozenSince: expect.any(String),
    });
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
    await report('busy', 2);
    await report('busy', PER_HOUR);
    const [row] = (await service.request('GET', '/users?q=busy')).body.users;
    const frozen = await score('busy');
    expect(frozen).toMatchObject({ frozen: true, totalEvents: 2 });
    expect(row).toMatchObject({ scoreFrozen: true, finalScore: frozen.finalScore, eventCount: PER_HOUR + 2 });
    expect(row.verifiedEventCount).toBe(PER_HOUR + 2);
    const since = new Date(Date.parse(row.lastActivityAt) + 1).toISOString();
    const later = { userId: 'busy', eventType: 'CONTRACT_FULFILLED' };
    await service.request('POST', '/events', { body: later });
    await service.settle();
    const query = `q=busy&activeSince=${since}&minVerifiedEvents=${PER_HOUR + 2}`;
    const { users } = (await service.request('GET', `/users?${query}`)).body;
    expect(users).toMatchObject([{ eventCount: PER_HOUR + 3, finalScore: frozen.finalScore }]);
    expect((await service.request('GET', `/users/summary?${query}`)).body.matched).toBe(1);
    const csv = (await service.request('GET', `/users?${query}&format=csv`)).text;
    expect(csv).toContain(users[0].lastActivityAt);
    expect(await score('busy')).toEqual(frozen);
    expect(await differencesIn(service.db)).toEqual([]);
    const recount = (by: number) =>
      service.db.execute(`update score set own_events = own_events + $1 where external_id = 'busy'`, [by]);
    await recount(1);
    expect(await differencesIn(service.db)).toEqual([
      expect.stringContaining(`score: own_events is ${PER_HOUR + 4}, rebuilt ${PER_HOUR + 3}`),
    ]);
    await recount(-1);
    const { cleared } = (await resolve('busy', `?platformId=${platformId}`)).body;
    expect(cleared).toBe(true);
    await service.settle();
    expect(await differencesIn(service.db)).toEqual([]);
  });

  test('clearing restarts the count: earlier events do not freeze the score again', async () => {
    await report('again', 1);
    await report('again', PER_HOUR);
    expect((await resolve('again', `?platformId=${platformId.toUpperCase()}`)).body.cleared).toBe(true);
    await service.settle();
    await report('again', PER_HOUR);
    expect(await score('again')).toMatchObject({ frozen: false, totalEvents: 2 * PER_HOUR + 1 });
    await report('again', 1);
    expect((await score('again')).frozen).toBe(true);
  });

  test('clearing a score that is not frozen changes nothing and says so', async () => {
    await report('calm', 2);
    const { status, body } = await resolve('calm', `?platformId=${platformId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ userId: 'calm', cleared: false, frozenSince: null });
    const written = await service.db.query('select 1 from activity where subject_id = $1', [body.subjectId]);
    expect(written).toEqual([]);
  });

  test('a frozen score is found in the book', async () => {
    await report('frozen', 1);
    await report('frozen', PER_HOUR);
    const { body } = await service.request('GET', '/users?scoreFrozen=true');
    expect(body.users.map((row: Row) => row.externalId)).toContain('frozen');
  });

  test('the operator lists the frozen scores, the longest frozen first, until they are cleared', async () => {
    await report('held', 1);
    await report('held', PER_HOUR);
    const list = async () =>
      (await service.request('GET', '/admin/frozen-scores', { admin: true })).body.frozenScores as {
        userId: string;
        frozenAt: string;
      }[];
    const before = await list();
    const held = before.find(({ userId }) => userId === 'held');
    expect(held).toMatchObject({ platformId, platformName: 'Default', scoreBand: expect.any(String) });
    expect(before.map(({ frozenAt }) => frozenAt).toSorted()).toEqual(before.map(({ frozenAt }) => frozenAt));
    await resolve('held', `?platformId=${platformId}`);
    expect((await list()).map(({ userId }) => userId)).not.toContain('held');
    expect((await service.request('GET', '/admin/frozen-scores')).status).toBe(401);
  });

  test('unknown subjects, test subjects and external ids without a platform are not found', async () => {
    await report('tested', 2, service.testKey);
    for (const answer of [
      await resolve('0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34'),
      await resolve(subjectIdOf(platformId, false, 'tested')),
      await resolve('tested', `?platformId=${platformId}`),
      await resolve('fast'),
      await resolve('fast', '?platformId=0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34'),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'USER_NOT_FOUND']);
    }
    expect((await resolve('fast', '?platformId=default')).body.code).toBe('VALIDATION_ERROR');
  });
});

/**
 * Four subjects, a day apart, and an agent that has been registered and has no event yet; in test
 * mode.
 */
async function seedBook(service: TestService, setNow: (at: Date) => void): Promise<void> {
  const record = async (day: number, userId: string, events: object[]) => {
    setNow(new Date(START.getTime() + day * DAY_MS));
    const body = { events: events.map((event) => ({ userId, ...event })) };
    await service.request('POST', '/events/batch', { body, key: service.testKey });
    await service.settle();
  };
  const fulfilled = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
  const breached = { eventType: 'CONTRACT_BREACHED', isVerified: true };
  await record(0, 'proven', Array(20).fill(fulfilled));
  await record(1, 'claimed', [{ eventType: 'CONTRACT_CANCELLED' }]);
  await record(2, 'mixed', [fulfilled, { ...fulfilled, isVerified: false }]);
  await record(3, 'breached', Array(6).fill(breached));
  const [owner] = await service.db.query<{ platformId: string }>('select distinct platform_id from subject');
  const platformId = owner?.platformId ?? '';
  await service.db.execute(
    `insert into subject (subject_id, platform_id, livemode, external_id, subject_type, record_id, registered_at)
     values ($1, $2, false, 'agent', 'AGENT', $1, $3)`,
    [subjectIdOf(platformId, false, 'agent'), platformId, START],
  );
}

function descending(left: string, right: string): number {
  return left < right ? 1 : left > right ? -1 : 0;
}
