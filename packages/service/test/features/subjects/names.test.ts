import { beforeAll, describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { everyPage } from '#harness/everyPage.js';
import { givenService } from '#harness/givenService.js';
import { tablesWith } from '#harness/tablesWith.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { choosePage } from '../../../src/features/subjects/users/book.js';
import { settledLog } from '../../ledger/log/logDeps.js';
import { fulfilled, linkAll, reportAll } from '../insight/recordFixtures.js';
import { anotherPlatform } from '../intake/eventFixtures.js';
import { DAY_MS, movableClock } from '../tenancy/keyFixtures.js';
import { trailOf } from '../tenancy/trail.js';
import { type BookAsk, expectedBook, type Subject, writeBook } from './bookModel.js';

const KEPT_DAYS = 20;

describe.each(engines)('display names and the search on %s', (engine) => {
  const clock = movableClock();
  const service = givenService(engine, { clock, env: { RETENTION_TEXT_DAYS: String(KEPT_DAYS) } });
  const path = (id: string) => `/users/${encodeURIComponent(id)}`;
  const name = (id: string, displayName: unknown, key = service.liveKey) =>
    service.request('PATCH', path(id), { key, body: { displayName } });
  const read = async (id: string, key = service.liveKey) =>
    (await service.request('GET', path(id), { key })).body;
  const found = async (q: string, { key = service.liveKey, more = '' } = {}): Promise<string[]> => {
    const query = `?q=${encodeURIComponent(q)}&sort=externalId${more}`;
    const { users } = (await service.request('GET', `/users${query}`, { key })).body;
    expect((await service.request('GET', `/users/summary${query}`, { key })).body.matched).toBe(users.length);
    return users.map(({ externalId }: { externalId: string }) => externalId);
  };
  /** The tables with the text, in any case: the search has capitals. */
  const tablesNaming = (text: string) =>
    tablesWith(service.db, (row) => row.toUpperCase().includes(text.toUpperCase()));
  const sweep = () => service.request('POST', '/admin/sweeps/retention', { admin: true });

  describe('of many spellings', () => {
    let key: string;
    beforeAll(async () => {
      key = (await anotherPlatform(service)).liveKey;
      const names: [string, string | null][] = [
        ['yuki-tanaka', null],
        ['Worker-0042', 'Zoë Müller'],
        ['worker-0043', 'Ana Tanaka-Ortiz'],
        ['100%_sure\\', null],
        ['Straße 7', 'ΟΔΥΣΣΕΥΣ'],
        ["o'brien", '田中 花子'],
        ['ÉMILE', 'İpek Işık'],
      ];
      for (const [userId, displayName] of names) {
        await reportAll(service, userId, [fulfilled], key);
        if (displayName !== null) expect((await name(userId, displayName, key)).status).toBe(200);
      }
      expect((await service.request('POST', '/agents', { key, body: { userId: 'Bot-Ä' } })).status).toBe(201);
    });

    test.each([
      ['tanaka', ['worker-0043', 'yuki-tanaka']],
      ['TANAKA', ['worker-0043', 'yuki-tanaka']],
      ['ki-ta', ['yuki-tanaka']],
      ['anatan', []],
      ['worker', ['Worker-0042', 'worker-0043']],
      ['004', ['Worker-0042', 'worker-0043']],
      ['42', ['Worker-0042']],
      ['müll', ['Worker-0042']],
      ['MU\u0308LLER', ['Worker-0042']],
      ['zoë m', ['Worker-0042']],
      ['%', ['100%_sure\\']],
      ['_', ['100%_sure\\']],
      ['\\', ['100%_sure\\']],
      ['%_S', ['100%_sure\\']],
      ['a%a', []],
      ["'", ["o'brien"]],
      ["O'B", ["o'brien"]],
      ['strasse', ['Straße 7']],
      ['οδυσσευς', ['Straße 7']],
      ['ευσ', ['Straße 7']],
      ['中', ["o'brien"]],
      ['中 花', ["o'brien"]],
      ['émi', ['ÉMILE']],
      ['ipek', ['ÉMILE']],
      ['IŞIK', ['ÉMILE']],
      ['e', ['100%_sure\\', 'Straße 7', 'Worker-0042', "o'brien", 'worker-0043', 'ÉMILE'].sort()],
      ['bot-ä', ['Bot-Ä']],
      ['42\nzo', []],
      ['x'.repeat(255), []],
    ])('%j finds any part of an id or name', async (q, expected) => {
      expect(await found(q, { key })).toEqual(expected);
    });

    test('at most 255 characters are looked for', async () => {
      const { status, body } = await service.request('GET', `/users?q=${'x'.repeat(256)}`, { key });
      expect([status, body.code]).toEqual([400, 'BOOK_QUERY_INVALID']);
    });

    test('a row has the name, in JSON and in CSV', async () => {
      const { body } = await service.request('GET', '/users?q=müller', { key });
      expect(body.users).toMatchObject([{ externalId: 'Worker-0042', displayName: 'Zoë Müller' }]);
      const { text } = await service.request('GET', '/users?q=müller&format=csv', { key });
      expect(text.split('\r\n')[1]).toMatch(/^Worker-0042,Zoë Müller,/);
    });
  });

  test('a search that finds too many to list finds the same, page by page, in every order', async () => {
    const { platformId } = service;
    const book = Array.from({ length: 2_400 }, (_, index): Subject => {
      const registeredAt = new Date(Date.UTC(2026, 0, 1 + (index % 28))).toISOString();
      const scored = {
        finalScore: (index * 37) % 100,
        ownEvents: 50,
        ownVerifiedEvents: index % 30,
        lastActivityAt: index % 9 === 0 ? null : registeredAt,
        isFrozen: index % 50 === 0,
        isFlagged: true,
      };
      const displayName = index % 400 === 0 ? 'Quill' : null;
      const subjectType = index % 3 === 0 ? 'AGENT' : 'PERSON';
      return {
        externalId: `many-${index}`,
        displayName,
        subjectType,
        registeredAt,
        scored: index % 40 ? scored : null,
      };
    });
    await writeBook(service.ledger, platformId, book);
    await service.ledger.execute('analyze subject_search');
    const asks: BookAsk[] = ['score', 'lastActivity', 'registered', 'externalId'].flatMap(
      (sort): BookAsk[] => [
        { q: 'MANY', sort, order: 'asc' },
        { q: 'any-1', sort, order: 'desc', subjectType: 'AGENT' },
        { q: 'quill', sort, order: 'asc' },
        { q: '9', sort, order: 'desc', registeredSince: '2026-01-20T00:00:00.000Z' },
      ],
    );
    for (const ask of asks) {
      const query = `&${new URLSearchParams(ask)}`;
      const options = { key: service.testKey, limit: 700, query };
      const rows = await everyPage<{ externalId: string }>(service, '/users', 'users', options);
      const expected = expectedBook(book, ask, ({ externalId }) =>
        subjectIdOf(platformId, false, externalId),
      );
      expect(expected.length).toBeGreaterThan(0);
      expect(
        rows.map(({ externalId }) => externalId),
        query,
      ).toEqual(expected.map((row) => row.externalId));
      const { body } = await service.request('GET', `/users/summary?${query}`, { key: service.testKey });
      expect(body.matched, query).toBe(expected.length);
    }
    await writeBook(service.ledger, platformId, []);
  });

  test('it is set, kept by later outcomes, changed and removed; the activity says so without it', async () => {
    await reportAll(service, 'named', [fulfilled]);
    const unnamed = await read('named');
    expect(unnamed).toEqual({
      userId: 'named',
      displayName: null,
      subjectType: 'PERSON',
      registeredAt: expect.any(String),
    });
    expect(await name('named', 'Ms Quill')).toMatchObject({
      status: 200,
      body: { ...unnamed, displayName: 'Ms Quill' },
    });
    await reportAll(service, 'named', [fulfilled, fulfilled]);
    expect(await found('s quil')).toEqual(['named']);
    await name('named', 'Doctor Feather');
    expect([await found('quill'), await found('FEATHER')]).toEqual([[], ['named']]);
    expect((await service.request('PATCH', '/users/named', { body: {} })).body.displayName).toBe(
      'Doctor Feather',
    );
    expect((await name('named', null)).body).toEqual(unnamed);
    expect([await found('feather'), await found('named')]).toEqual([[], ['named']]);
    expect(await tablesNaming('feather')).toEqual([]);
    const entries = await trailOf(service, service.liveKey, '&action=SUBJECT_NAMED');
    expect(entries.map(({ details }) => details)).toEqual(
      [false, true, true].map((named) => ({ userId: 'named', named })),
    );
  });

  test.each(['', ' \u200B ', 'x'.repeat(121), 'two\nlines', 7, '\ud800'])(
    '%j is no name',
    async (displayName) => {
      await reportAll(service, 'strict', [fulfilled]);
      expect(await name('strict', displayName)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_ERROR' },
      });
      expect((await name('strict', 'x'.repeat(120))).status).toBe(200);
      await name('strict', null);
    },
  );

  test('nobody gets a name who is not known', async () => {
    for (const answer of [await name('nobody', 'Somebody'), await service.request('GET', '/users/nobody')])
      expect(answer).toMatchObject({ status: 404, body: { code: 'USER_NOT_FOUND' } });
  });

  test('modes, platforms and linked records keep their names apart', async () => {
    const other = await anotherPlatform(service);
    const keys = [service.liveKey, service.testKey, other.liveKey, other.testKey];
    for (const [index, key] of keys.entries()) {
      await reportAll(service, 'shared', [fulfilled], key);
      await name('shared', `Apart ${index}`, key);
    }
    await linkAll(service, 'shared', other.liveKey);
    await service.settle();
    for (const [index, key] of keys.entries()) {
      expect((await read('shared', key)).displayName).toBe(`Apart ${index}`);
      for (const asked of keys.keys()) {
        expect(await found(`part ${asked}`, { key })).toEqual(asked === index ? ['shared'] : []);
      }
    }
    const unlinked = await service.request('DELETE', '/users/shared/links', { key: other.liveKey });
    expect(unlinked.status).toBe(200);
    await service.settle();
    expect(await found('part 2', { key: other.liveKey })).toEqual(['shared']);
  });

  test('it is in no credential, no public page and nothing else that leaves the platform', async () => {
    const NEEDLE = 'Zebedee';
    await reportAll(service, 'public', [fulfilled, fulfilled]);
    await name('public', NEEDLE);
    await reportAll(service, 'public', [fulfilled]);
    await settledLog(service.db);
    const send = async (method: string, of: string, body?: object) =>
      (await service.request(method, `/users/public/${of}`, { body })).body;
    const shared = await send('POST', 'share-token', { includeProfile: true });
    const texts = [
      JSON.stringify([
        await send('GET', 'score/proof'),
        await send('GET', 'score'),
        await send('GET', 'timeline'),
      ]),
    ];
    for (const kind of ['professional-record/credential', 'earnings/credential', 'open-badges']) {
      const { credential } = await send('POST', kind);
      texts.push(...credential.split('.').map((part: string) => Buffer.from(part, 'base64url').toString()));
    }
    for (const accept of ['text/html', 'application/json'])
      for (const url of [shared.verifyUrl, shared.badgeUrl])
        texts.push(
          await (await fetch(`${service.url}${new URL(url).pathname}`, { headers: { accept } })).text(),
        );
    expect(texts.length).toBeGreaterThan(12);
    for (const text of texts) expect(text).not.toContain(NEEDLE);
    expect(await tablesNaming(NEEDLE)).toEqual(['score', 'subject', 'subject_search']);
  });

  test('a page has a subject whose first score is written after the search for it', async () => {
    await service.request('POST', '/agents', { body: { userId: 'late-bloomer' } });
    const filters = { q: 'E-BLOOM' };
    const slice = { platformId: service.platformId, livemode: true, filters, sort: 'externalId' as const };
    const page = await choosePage(service.db, { ...slice, direction: 'asc', after: null, limit: 10 });
    await reportAll(service, 'late-bloomer', [fulfilled]);
    await service.settle();
    expect(await service.db.query(page.text, page.values, { isUncached: true })).toHaveLength(1);
  });

  test('a reset of test data, the age of texts and an erasure leave nothing of it', async () => {
    const GONE = 'Persephone';
    await reportAll(service, 'reset', [fulfilled], service.testKey);
    await name('reset', GONE, service.testKey);
    await service.request('DELETE', '/test/data', { key: service.testKey });
    expect(await tablesNaming(GONE)).toEqual([]);

    for (const userId of ['aged', 'erased-77', 'friend']) await reportAll(service, userId, [fulfilled]);
    await name('aged', GONE);
    clock.aheadMs += (KEPT_DAYS - 1) * DAY_MS;
    await name('erased-77', GONE);
    await name('friend', 'Brother of ERASED-77');
    expect((await sweep()).status).toBe(200);
    expect(await found(GONE)).toEqual(['aged', 'erased-77']);
    clock.aheadMs += 2 * DAY_MS;
    await sweep();
    expect(await found(GONE)).toEqual(['erased-77']);
    expect((await read('aged')).displayName).toBe(null);

    expect((await service.request('POST', '/users/erased-77/erasure')).status).toBe(200);
    expect(await tablesNaming(GONE)).toEqual([]);
    expect((await name('erased-77', GONE)).status).toBe(410);
    await eventually(async () => (await read('friend')).displayName === null);
    expect(await found('erased-77')).toEqual([]);
    expect(await tablesNaming('brother of')).toEqual([]);
  });
});
