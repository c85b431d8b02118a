import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth, mainEngine } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { once, outcome, report } from '../intake/eventFixtures.js';
import { ask, asked, known, preview, reference, respond } from '../subjects/profileFixtures.js';
import { HOUR_MS, movableClock, newPlatform, refusalOf, UNKNOWN_ID } from '../tenancy/keyFixtures.js';

const CLAIM = {
  kind: 'employment',
  title: 'Kitchen fitter',
  organization: 'Mill Lane Joinery',
  startDate: '2022-04-01',
  endDate: '2025-10-31T12:00:00.000Z',
  description: '=cmd|"x" <b>led fittings</b>',
};

describe.each(breadth)('references on %s', (engine) => {
  let service: TestService;
  const clock = movableClock();
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => logged.push(line) });
  const read = (id: string, key?: string) => service.request('GET', `/references/${id}`, { key });
  const cancel = (id: string, key?: string) => service.request('POST', `/references/${id}/cancel`, { key });
  const list = (query = '', key?: string) => service.request('GET', `/references?${query}`, { key });
  const qualifications = async (userId: string, key?: string) =>
    (await service.request('GET', `/users/${userId}/qualifications`, { key })).body.qualifications;
  /** The time between two steps of the clock. */
  const after = async <T>(hours: number, work: () => Promise<T>) => {
    clock.aheadMs = hours * HOUR_MS;
    return work().finally(() => {
      clock.aheadMs = 0;
    });
  };

  beforeAll(async () => {
    service = await startTestService(engine, { clock, log });
  });
  afterAll(() => service.close());

  describe('asking', () => {
    test('answers with the reference and, once, with the token and its URLs', async () => {
      const answer = await ask(service, {
        claim: CLAIM,
        counterpartyName: 'J. Miller',
        returnUrl: 'https://platform.example/thanks?order=1',
        status: 'CONFIRMED',
        id: UNKNOWN_ID,
      });
      expect(answer.status).toBe(201);
      const { reference: made, referenceToken, ...urls } = answer.body;
      const { id } = made;
      expect(made).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: 'PENDING',
        userId: 'worker-1',
        claim: CLAIM,
        counterpartyRef: 'employer-1',
        counterpartyName: 'J. Miller',
        returnUrl: 'https://platform.example/thanks?order=1',
        qualificationId: null,
        createdAt: expect.any(String),
        expiresAt: new Date(Date.parse(made.createdAt) + 336 * HOUR_MS).toISOString(),
        respondedAt: null,
        answer: null,
      });
      expect(id).not.toBe(UNKNOWN_ID);
      expect(referenceToken).toMatch(/^rft_[A-Za-z0-9_-]{43}$/);
      expect(Object.keys(urls).sort()).toEqual(['previewUrl', 'referenceUrl', 'respondUrl']);
      expect(new URL(urls.referenceUrl).pathname).toBe(`/reference/${id}`);
      expect(new URL(urls.referenceUrl).searchParams.get('token')).toBe(referenceToken);
      expect(new URL(urls.previewUrl).pathname).toBe(`/api/v1/references/${id}/preview`);
      expect(new URL(urls.respondUrl).pathname).toBe(`/api/v1/references/${id}/respond`);
      const again = await read(id);
      expect([again.status, again.body]).toEqual([200, made]);
      expect(again.text).not.toContain('rft_');
    });

    test('answers null for fields left out', async () => {
      const { body } = await ask(service);
      expect(body.reference).toMatchObject({
        claim: {
          kind: 'employment',
          title: 'Fitter',
          organization: null,
          startDate: null,
          endDate: null,
          description: null,
        },
        counterpartyName: null,
        returnUrl: null,
      });
    });

    test('refuses an unknown subject, and stores nothing', async () => {
      const body = reference({ userId: 'of-nobody' });
      for (const key of [service.liveKey, service.testKey]) {
        const { status, body: error } = await service.request('POST', '/references', { key, body });
        expect([status, error.code]).toEqual([404, 'USER_NOT_FOUND']);
        expect((await list('userId=of-nobody', key)).body.references).toEqual([]);
      }
      await known(service, 'of-nobody', { key: service.testKey });
      expect((await service.request('POST', '/references', { body })).status).toBe(404);
      const registered = { userId: 'registered', business: { legalName: 'Mill Lane Joinery Ltd' } };
      await service.request('POST', '/businesses', { body: registered });
      const about = reference({ userId: 'registered' });
      expect((await service.request('POST', '/references', { body: about })).status).toBe(201);
    });

    test.each([
      [{ userId: undefined }, 'userId', 'required'],
      [{ userId: '' }, 'userId', 'too_small'],
      [{ userId: 'x'.repeat(256) }, 'userId', 'too_big'],
      [{ claim: undefined }, 'claim', 'required'],
      [{ claim: { title: 'x' } }, 'claim.kind', 'required'],
      [{ claim: { kind: 'project', title: 'x' } }, 'claim.kind', 'invalid_value'],
      [{ claim: { kind: 'skill' } }, 'claim.title', 'required'],
      [{ claim: { kind: 'skill', title: '' } }, 'claim.title', 'too_small'],
      [{ claim: { kind: 'skill', title: 'x'.repeat(256) } }, 'claim.title', 'too_big'],
      [{ claim: { ...CLAIM, organization: 'x'.repeat(256) } }, 'claim.organization', 'too_big'],
      [{ claim: { ...CLAIM, description: 'x'.repeat(2001) } }, 'claim.description', 'too_big'],
      [{ claim: { ...CLAIM, startDate: 'spring' } }, 'claim.startDate', 'invalid_format'],
      [{ claim: { ...CLAIM, endDate: '2022-03-31' } }, 'claim.endDate', 'custom'],
      [{ counterpartyRef: undefined }, 'counterpartyRef', 'required'],
      [{ counterpartyRef: '' }, 'counterpartyRef', 'too_small'],
      [{ counterpartyRef: 'x'.repeat(256) }, 'counterpartyRef', 'too_big'],
      [{ counterpartyRef: ' \t ' }, 'counterpartyRef', 'custom'],
      [{ counterpartyName: 'x'.repeat(256) }, 'counterpartyName', 'too_big'],
      [{ returnUrl: 'http://platform.example' }, 'returnUrl', 'custom'],
      [{ returnUrl: 'javascript:alert(1)' }, 'returnUrl', 'custom'],
      [{ returnUrl: 'https://me:secret@platform.example' }, 'returnUrl', 'custom'],
      [{ returnUrl: `https://x.example/${'a'.repeat(2048)}` }, 'returnUrl', 'too_big'],
      [{ expiresInHours: 0.99 }, 'expiresInHours', 'too_small'],
      [{ expiresInHours: 2160.01 }, 'expiresInHours', 'too_big'],
      [{ expiresInHours: '24' }, 'expiresInHours', 'invalid_type'],
    ])('is refused: %j', async (more, path, code) => {
      const answer = await ask(service, more);
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('VALIDATION_ERROR');
      expect(answer.body.details).toContainEqual(expect.objectContaining({ path, code }));
    });

    test.each([1, 1.5, 2160])('accepts a window of %d hours', async (expiresInHours) => {
      const { createdAt, expiresAt } = (await ask(service, { expiresInHours })).body.reference;
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(expiresInHours * HOUR_MS);
    });

    test.each(['worker-1', ' WORKER-1 ', 'ｗｏｒｋｅｒ－１', 'wor\u200bker\t-1'])(
      'the subject itself is no counterparty: %j',
      async (counterpartyRef) => {
        const answer = await ask(service, { counterpartyRef });
        expect([answer.status, answer.body.code]).toEqual([400, 'REFERENCE_SELF']);
      },
    );

    test('ids of test subjects are refused in live mode only', async () => {
      const live = await ask(service, { userId: 'test:worker' });
      expect([live.status, live.body.code]).toEqual([400, 'RESERVED_EXTERNAL_ID']);
      expect((await ask(service, { userId: 'test:worker' }, { key: service.testKey })).status).toBe(201);
    });
  });

  describe('the counterparty', () => {
    test('sees what is asked and nothing else', async () => {
      const at = { claim: CLAIM, counterpartyName: 'J. Miller', returnUrl: 'https://platform.example' };
      const made = await asked(service, at);
      const answer = await preview(service, made);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          id: made.id,
          status: 'PENDING',
          platformName: 'Default',
          userId: 'worker-1',
          claim: CLAIM,
          expiresAt: (await read(made.id)).body.expiresAt,
        },
      ]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    });

    test('confirms: a verified qualification is recorded, word for word', async () => {
      const userId = 'vouched-for';
      await report(service, outcome({ userId }));
      const made = await asked(service, { userId, claim: CLAIM });
      const answer = await respond(service, made);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ status: 'CONFIRMED', qualificationId: expect.any(String) });
      const { kind: _, organization, ...claimed } = CLAIM;
      expect(await qualifications(userId)).toEqual([
        {
          ...claimed,
          id: answer.body.qualificationId,
          userId,
          kind: 'employment',
          eventType: 'EMPLOYMENT_VERIFIED',
          issuer: organization,
          issuedAt: null,
          expiresAt: null,
          url: null,
          isVerified: true,
          verifiedBy: 'employer-1',
          referenceId: made.id,
          createdAt: expect.any(String),
        },
      ]);
      const { qualificationId } = answer.body;
      const after = (await read(made.id)).body;
      expect(after).toMatchObject({ status: 'CONFIRMED', qualificationId, respondedAt: expect.any(String) });
      const profile = (await service.request('GET', `/users/${userId}/verified-profile`)).body;
      expect(profile.kinds.employment).toEqual({ verified: 1, expired: 0, selfReported: 0 });
    });

    test.each([
      ['education', 'EDUCATION_VERIFIED'],
      ['certification', 'CERTIFICATION_VERIFIED'],
      ['skill', 'SKILL_VERIFIED'],
    ])('confirms a claim of %s', async (kind, eventType) => {
      const userId = `with-${kind}`;
      await respond(service, await asked(service, { userId, claim: { kind, title: 'x' } }));
      expect(await qualifications(userId)).toMatchObject([{ kind, eventType, isVerified: true }]);
    });

    test('declines: nothing is recorded', async () => {
      const userId = 'declined';
      await report(service, outcome({ userId }));
      const made = await asked(service, { userId });
      const answer = await respond(service, made, 'decline');
      expect([answer.status, answer.body]).toEqual([200, { status: 'DECLINED' }]);
      expect(await qualifications(userId)).toEqual([]);
      expect((await read(made.id)).body).toMatchObject({
        status: 'DECLINED',
        qualificationId: null,
        respondedAt: expect.any(String),
      });
    });

    test('changes no score and writes no event', async () => {
      const userId = 'scored';
      await known(service, userId);
      await report(service, outcome({ userId, isVerified: true, completedAt: '2026-01-01T00:00:00Z' }));
      await service.settle();
      const everything = async () => {
        const paths = [
          `/users/${userId}/score`,
          `/users/${userId}/timeline`,
          '/users/summary',
          '/events/export',
        ];
        const answers = await Promise.all(paths.map((path) => service.request('GET', path)));
        const queue = await service.db.query('select 1 from recompute_queue');
        return [queue, ...answers.map(({ body }) => body)];
      };
      const before = await everything();
      await respond(service, await asked(service, { userId }));
      expect(await everything()).toEqual(before);
    });

    test.each([
      ['pending', async () => {}],
      ['confirmed', (made: Made) => respond(service, made)],
      ['declined', (made: Made) => respond(service, made, 'decline')],
      ['cancelled', ({ id }: Made) => cancel(id)],
    ])('with a wrong token gets the same answer in every state, here %s', async (_, bring) => {
      const made = await asked(service);
      await bring(made);
      const [other, confirmation] = [await asked(service), `cft_${'A'.repeat(43)}`];
      const wrong: unknown[] = [other.token, confirmation, `${made.token}x`, made.token.slice(0, -1), '', 7];
      const refusals = new Set<string>();
      for (const token of [...wrong, null, [made.token], { token: made.token }]) {
        refusals.add(JSON.stringify(refusalOf(await respond(service, { id: made.id, token }))));
      }
      for (const id of [UNKNOWN_ID, 'no-uuid', '%00', other.id]) {
        const { token } = made;
        refusals.add(JSON.stringify(refusalOf(await respond(service, { id, token }))));
        refusals.add(JSON.stringify(refusalOf(await preview(service, { id, token }))));
      }
      const path = `/references/${made.id}`;
      for (const token of ['', other.token, `${made.token}%00`]) {
        const answer = await service.request('GET', `${path}/preview?token=${token}`, { key: null });
        refusals.add(JSON.stringify(refusalOf(answer)));
      }
      for (const body of [{}, [], 'null', { decision: 'confirm' }, { decision: 'perhaps', token: '\0' }]) {
        const answer = await service.request('POST', `${path}/respond`, { key: null, body });
        refusals.add(JSON.stringify(refusalOf(answer)));
      }
      for (const query of ['', `?token=${made.token}&token=x`]) {
        const answer = await service.request('GET', `${path}/preview${query}`, { key: null });
        expect([answer.status, answer.body.code]).toEqual([401, 'REFERENCE_TOKEN_INVALID']);
      }
      expect([...refusals].map((text) => JSON.parse(text))).toEqual([
        expect.objectContaining({ status: 401, code: 'REFERENCE_TOKEN_INVALID', retryable: false }),
      ]);
    });

    test('an id in upper case is the same id', async () => {
      const made = await asked(service);
      expect((await preview(service, { ...made, id: made.id.toUpperCase() })).status).toBe(200);
      expect((await respond(service, { ...made, id: made.id.toUpperCase() })).status).toBe(200);
    });

    test.each([['perhaps'], ['CONFIRM'], [undefined], [null], [true], [['confirm']]])(
      'with the right token learns that %j is no decision',
      async (decision) => {
        const made = await asked(service);
        const { token } = made;
        const path = `/references/${made.id}/respond`;
        const answer = await service.request('POST', path, { key: null, body: { token, decision } });
        expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
        expect(answer.body.details).toMatchObject([{ path: 'decision' }]);
        expect((await read(made.id)).body.status).toBe('PENDING');
      },
    );

    test.each([
      ['CONFIRMED', (made: Made) => respond(service, made)],
      ['DECLINED', (made: Made) => respond(service, made, 'decline')],
      ['CANCELLED', ({ id }: Made) => cancel(id)],
    ])('can still preview a reference that is %s, but not answer it', async (status, bring) => {
      const made = await asked(service);
      await bring(made);
      const before = await read(made.id);
      expect((await preview(service, made)).body.status).toBe(status);
      for (const decision of ['confirm', 'decline']) {
        const answer = await respond(service, made, decision);
        expect([answer.status, answer.body.code]).toEqual([409, 'REFERENCE_NOT_PENDING']);
        expect(answer.body).toMatchObject({ retryable: false, details: { status } });
      }
      expect((await read(made.id)).body).toEqual(before.body);
    });

    test('of a closed platform is refused, and learns why', async () => {
      const platform = await newPlatform(service);
      const made = await asked(service, {}, { key: platform.live.key });
      const path = `/admin/platforms/${platform.platformId}`;
      const setActive = (isActive: boolean) =>
        service.request('PATCH', path, { admin: true, body: { isActive } });
      await setActive(false);
      expect((await preview(service, made)).body.code).toBe('CONFLICT');
      expect((await respond(service, made)).body.code).toBe('CONFLICT');
      await setActive(true);
      expect((await respond(service, made)).status).toBe(200);
    });

    test('works in test mode, on test data', async () => {
      const { testKey: key } = service;
      await report(service, outcome({ userId: 'twin' }));
      const made = await asked(service, { userId: 'twin' }, { key });
      await respond(service, made);
      expect(await qualifications('twin', key)).toHaveLength(1);
      expect(await qualifications('twin')).toEqual([]);
      expect((await read(made.id)).status).toBe(404);
    });
  });

  describe('the window', () => {
    test('ends for every reader at once, and the sweep stores it', async () => {
      const platform = await newPlatform(service);
      const { key } = platform.live;
      const made = await asked(service, { userId: 'late', expiresInHours: 1 }, { key });
      const stored = async () => {
        const rows = await service.db.query<{ status: string }>(
          'select status from reference_request where reference_id = $1',
          [made.id],
        );
        return rows[0]?.status;
      };
      await after(0.99, async () => {
        expect((await read(made.id, key)).body.status).toBe('PENDING');
      });
      await after(1.01, async () => {
        expect(await stored()).toBe('PENDING');
        expect((await read(made.id, key)).body.status).toBe('EXPIRED');
        expect((await preview(service, made)).body.status).toBe('EXPIRED');
        const answer = await respond(service, made);
        expect([answer.status, answer.body.details]).toEqual([409, { status: 'EXPIRED' }]);
        expect((await cancel(made.id, key)).body.code).toBe('REFERENCE_NOT_PENDING');
        expect((await list('status=EXPIRED', key)).body.references).toMatchObject([{ id: made.id }]);
        expect((await list('status=PENDING', key)).body.references).toEqual([]);
        const sweep = () => service.request('POST', '/admin/sweeps/expiry', { admin: true });
        expect((await sweep()).body.affected).toBeGreaterThanOrEqual(1);
        expect((await sweep()).body.affected).toBe(0);
        expect(await stored()).toBe('EXPIRED');
        expect((await list('status=EXPIRED', key)).body.references).toMatchObject([{ id: made.id }]);
        expect((await read(made.id, key)).body).toMatchObject({ status: 'EXPIRED', respondedAt: null });
      });
      expect((await respond(service, made)).body.code).toBe('REFERENCE_NOT_PENDING');
    });
  });

  describe('the platform', () => {
    test('cancels a reference that nobody has answered', async () => {
      const { id } = await asked(service);
      const before = (await read(id)).body;
      const answer = await cancel(id);
      expect([answer.status, answer.body]).toEqual([200, { ...before, status: 'CANCELLED' }]);
      expect((await read(id)).body).toEqual(answer.body);
      const again = await cancel(id);
      expect([again.status, again.body.code]).toEqual([409, 'REFERENCE_NOT_PENDING']);
      const answered = await asked(service);
      await respond(service, answered);
      expect((await cancel(answered.id)).body).toMatchObject({
        code: 'REFERENCE_NOT_PENDING',
        details: { status: 'CONFIRMED' },
      });
    });

    test('lists its references newest first, by status and by subject', async () => {
      const { key } = (await newPlatform(service)).live;
      const made: Made[] = [];
      for (let index = 0; index < 5; index += 1) {
        made.unshift(await asked(service, { userId: index % 2 ? 'odd' : 'even' }, { key }));
      }
      const [e4, o3, e2, o1, e0] = made as [Made, Made, Made, Made, Made];
      await respond(service, e4);
      await respond(service, o3, 'decline');
      await cancel(e2.id, key);
      const idsOf = async (query: string) =>
        (await list(query, key)).body.references.map(({ id }: Made) => id);
      expect(await idsOf('')).toEqual(made.map(({ id }) => id));
      expect(await idsOf('userId=odd')).toEqual([o3.id, o1.id]);
      expect(await idsOf('status=PENDING')).toEqual([o1.id, e0.id]);
      expect(await idsOf('status=PENDING&userId=even')).toEqual([e0.id]);
      expect(await idsOf('status=CONFIRMED')).toEqual([e4.id]);
      expect(await idsOf('status=DECLINED')).toEqual([o3.id]);
      expect(await idsOf('status=CANCELLED')).toEqual([e2.id]);
      expect(await idsOf('status=EXPIRED')).toEqual([]);
      expect(await idsOf('userId=of-nobody')).toEqual([]);
    });

    test('loses its test references and their tokens with a reset of test data', async () => {
      const { test: inTest, live, platformId } = await newPlatform(service);
      const { key } = inTest;
      const liveRequest = await asked(service, {}, { key: live.key });
      const [pending, confirmed] = [
        await asked(service, { userId: 'a' }, { key }),
        await asked(service, { userId: 'b' }, { key }),
      ];
      await respond(service, confirmed);
      await service.request('POST', '/users/b/projects', {
        key,
        body: { title: 'x', url: 'https://x.example' },
      });
      await service.request('DELETE', '/test/data', { key });
      expect((await list('', key)).body.references).toEqual([]);
      expect((await preview(service, pending)).body.code).toBe('REFERENCE_TOKEN_INVALID');
      expect((await service.request('GET', '/users/b/qualifications', { key })).status).toBe(404);
      const count = async (table: string) =>
        (await service.db.query(`select 1 from ${table} where platform_id = $1`, [platformId])).length;
      expect([await count('qualification'), await count('project')]).toEqual([0, 0]);
      expect([await count('reference_request'), await count('witness_token')]).toEqual([1, 1]);
      expect((await respond(service, liveRequest)).status).toBe(200);
    });
  });

  test('a token is only in the response that showed it', async () => {
    const platform = await newPlatform(service);
    const { key } = platform.live;
    const made = await asked(service, { userId: 'discreet' }, { key, ...once(`discreet-${engine}`) });
    const secret = made.token.slice('rft_'.length);
    await preview(service, made);
    const wrong = await respond(service, { id: UNKNOWN_ID, token: made.token });
    await respond(service, made, 'perhaps');
    await respond(service, made);
    const spent = await respond(service, made);
    const trail = await service.request('GET', '/activity?limit=100', { key });
    for (const { text } of [wrong, spent, trail, await list('', key)]) expect(text).not.toContain(secret);
    const whole = logged.join('');
    expect(whole).toContain('request refused');
    expect(whole).not.toContain(secret);
    const tables = await service.db.query<{ name: string }>(
      'select table_name as name from information_schema.tables where table_schema = any(current_schemas(false))',
    );
    for (const { name } of tables) {
      const rows = await service.db.query(`select 1 from "${name}" t where strpos(t::text, $1) > 0`, [
        secret,
      ]);
      expect([name, rows.length]).toEqual([name, 0]);
    }
  });
});

interface Made {
  id: string;
  token: string;
}

describe('the limit of an address', () => {
  test('counts answers of counterparties', async () => {
    const service = await startTestService(mainEngine, { env: { ANONYMOUS_RATE_LIMIT_PER_MINUTE: '3' } });
    const { body } = await ask(service);
    const token = { id: body.reference.id, token: 'rft_guess' };
    const statuses = [];
    for (let round = 0; round < 5; round += 1) statuses.push((await respond(service, token)).status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(3);
    expect(statuses.at(-1)).toBe(429);
    await service.close();
  });
});
