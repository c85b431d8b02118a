import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { loopbackOutbound } from '#harness/loopbackOutbound.js';
import { type Receiver, startReceiver } from '#harness/receiver.js';
import { startTestService, type TestAnswer, type TestService } from '#harness/service.js';
import { words } from '#harness/words.js';
import { parseNetworks } from '#kit/addressGuard.js';
import type { OutboundFetch } from '#kit/outboundFetch.js';
import { type MailServer, startMailServer } from '../notify/channelFixtures.js';
import { addWebhook, delivered, LOOPBACK_ALLOWED } from '../notify/webhooksFixtures.js';
import { HOUR_MS, newPlatform, refusalOf, UNKNOWN_ID } from '../tenancy/keyFixtures.js';
import { type Asked, callsOf, kinds } from './attestationFixtures.js';
import { swept } from './confirmationFixtures.js';

const BASE_URL = 'https://trust.example';
const BOTH = ['confirm', 'decline'];

describe.each(breadth)('requests to counterparties on %s', (engine) => {
  let service: TestService;
  const clock = { at: new Date('2026-03-02T08:00:00.000Z'), now: () => clock.at };
  const pass = (ms: number) => {
    clock.at = new Date(clock.at.getTime() + ms);
  };

  /** Wherever the service sends something by HTTP. */
  const sentTo: string[] = [];
  let receiver: Receiver;
  let mail: MailServer;

  beforeAll(async () => {
    receiver = await startReceiver();
    mail = await startMailServer();
    const env = { ...LOOPBACK_ALLOWED, BASE_URL, CONFIRMATION_EXPIRY_HOURS: '336', SMTP_URL: mail.url };
    const real = loopbackOutbound(parseNetworks('127.0.0.0/8'));
    const post: OutboundFetch['post'] = (request) => real.post({ ...request, url: noted(request.url) });
    const send: OutboundFetch['send'] = (request) => real.send({ ...request, url: noted(request.url) });
    service = await startTestService(engine, { clock, env, outbound: { ...real, post, send } });
  });
  afterAll(async () => {
    await service.close();
    await Promise.all([receiver.close(), mail.close()]);
  });

  function noted(url: string): string {
    sentTo.push(url);
    return url;
  }

  describe.each(kinds)('for a $name', (kind) => {
    const { name, path, page, pageUrl, prefix, code, table, recordedId } = kind;
    const { full, unread, question, unset, defaults } = kind.fields;
    const { ask, asked, respond, preview, read, cancel, list, recorded } = callsOf(kind, () => service);
    const attester = { counterpartyName: 'R. Okafor', returnUrl: 'https://platform.example/A?x=1#top' };
    const codeOf = ({ status, body }: TestAnswer) => [status, body.code];
    const invalidToken = [401, `${code}_TOKEN_INVALID`];
    const notPending = [409, `${code}_NOT_PENDING`];

    /** How a request reaches each status. */
    const endings: [status: string, bring: (made: Asked) => unknown][] = [
      ['PENDING', () => {}],
      ['CONFIRMED', (made) => respond(made)],
      ['DECLINED', (made) => respond(made, 'decline')],
      ['CANCELLED', ({ id }) => cancel(id)],
      ['EXPIRED', () => pass(HOUR_MS)],
    ];

    test('the first response has the request, its token and its addresses; later ones have no token', async () => {
      const { status, body } = await ask({
        ...full,
        ...unread,
        ...attester,
        id: UNKNOWN_ID,
        status: 'CONFIRMED',
      });
      const { [name]: made, [`${name}Token`]: token, ...urls } = body;
      expect(status).toBe(201);
      expect(made).toEqual({
        ...kind.bodyOf(full),
        ...attester,
        ...unset,
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        status: 'PENDING',
        createdAt: clock.at.toISOString(),
        expiresAt: new Date(clock.at.getTime() + 336 * HOUR_MS).toISOString(),
        respondedAt: null,
        answer: null,
      });
      expect(token).toMatch(new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`));
      expect(urls).toEqual({
        [pageUrl]: `${BASE_URL}${page}/${made.id}?token=${token}`,
        previewUrl: `${BASE_URL}/api/v1${path}/${made.id}/preview?token=${token}`,
        respondUrl: `${BASE_URL}/api/v1${path}/${made.id}/respond`,
      });
      expect(await read(made.id)).toEqual(made);
    });

    test('null counts as left out', async () => {
      const nulls = { ...defaults, counterpartyName: null, returnUrl: null };
      const spelled = name === 'confirmation' ? { stakeLevel: null, metadata: null } : {};
      for (const more of [{}, { ...nulls, ...spelled, expiresInHours: null }]) {
        expect((await ask(more)).body[name]).toMatchObject(nulls);
      }
    });

    test('the window is the one that is asked for, of an hour to ninety days', async () => {
      for (const expiresInHours of [1, 1.5, 2160]) {
        const { createdAt, expiresAt } = (await ask({ expiresInHours })).body[name];
        expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(expiresInHours * HOUR_MS);
      }
      for (const expiresInHours of [0.99, 2160.01, '24']) {
        expect((await ask({ expiresInHours })).body.details).toMatchObject([{ path: 'expiresInHours' }]);
      }
    });

    test.each([
      ...words`http://platform.example/ javascript:alert(1) https:platform.example https://
        https://user@platform.example/ https://:pass@platform.example/ https://platform.example\\@evil.example/`,
      'https://platform.example/\nx',
      ' https://platform.example/',
      `https://platform.example/${'x'.repeat(2024)}`,
    ])('the page never leads back to %j', async (returnUrl) => {
      const { status, body } = await ask({ returnUrl });
      expect([status, body.details]).toMatchObject([400, [{ path: 'returnUrl' }]]);
    });

    test('the page leads back to a URL of the maximum length', async () => {
      const returnUrl = `https://platform.example/${'x'.repeat(2023)}`;
      expect((await ask({ returnUrl })).body[name].returnUrl).toBe(returnUrl);
    });

    test('a counterparty is somebody, and not the subject in any spelling', async () => {
      for (const counterpartyRef of ['', ' \u200b\t', 'x'.repeat(256)]) {
        expect((await ask({ counterpartyRef })).body.details).toMatchObject([{ path: 'counterpartyRef' }]);
      }
      const spellings = ['worker 1', 'WORKER 1', ' w o r k e r\t1\n', 'ｗｏｒｋｅｒ１', 'work\u200ber1'];
      for (const counterpartyRef of spellings) {
        const refused = codeOf(await ask({ userId: 'Worker 1', counterpartyRef }));
        expect([counterpartyRef, ...refused]).toEqual([counterpartyRef, 400, `${code}_SELF`]);
      }
      expect((await ask({ userId: 'Worker 1', counterpartyRef: 'worker-1' })).status).toBe(201);
    });

    test('nothing is sent to the counterparty, however it is named: the platform passes on the link', async () => {
      const { key } = (await newPlatform(service)).live;
      const url = `${receiver.url}/${name}`;
      const events = ['confirmation.awaiting_response', 'confirmation.expiring_soon', 'score.updated'];
      const { body: webhook } = await addWebhook(service, { url, events }, { key });
      const counterpartyRef = `${receiver.url}/counterparty`;
      const requests: Asked[] = [];
      for (const counterpartyName of ['r.okafor@mill.example', 'https://mill.example/', '+44 20 7946 0000'])
        requests.push(await asked({ counterpartyRef, counterpartyName, expiresInHours: 100 }, { key }));
      const [answered, cancelled] = requests;
      for (const hours of [49, 28]) {
        pass(hours * HOUR_MS);
        await swept(service, 'reminders');
      }
      if (answered && cancelled) await Promise.all([respond(answered), cancel(cancelled.id, key)]);
      pass(24 * HOUR_MS);
      await swept(service, 'expiry');
      await service.settle();
      await delivered(service, webhook.id);
      expect(new Set(sentTo.splice(0))).toEqual(new Set([url]));
      expect(mail.connections()).toBe(0);
    });

    test('ids of test subjects are refused in live mode only', async () => {
      expect(codeOf(await ask({ userId: 'test:worker' }))).toEqual([400, 'RESERVED_EXTERNAL_ID']);
      expect((await ask({ userId: 'test:worker' }, { key: service.testKey })).status).toBe(201);
    });

    test.each(endings)(
      'the preview of a request that is %s shows only what the counterparty needs',
      async (...of) => {
        const [status, bring] = of;
        const made = await asked({ ...full, ...unread, ...attester, expiresInHours: 1 });
        const { userId, expiresAt } = await read(made.id);
        await bring(made);
        const { body, headers, ...answer } = await preview(made);
        expect(answer.status).toBe(200);
        expect(body).toEqual({
          id: made.id,
          status,
          platformName: 'Default',
          userId,
          ...question,
          expiresAt,
        });
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
      },
    );

    test.each(endings)(
      'a wrong token for a request that is %s is always refused the same way',
      async (...of) => {
        const [, bring] = of;
        const made = await asked({ expiresInHours: 1 });
        const other = await asked();
        await bring(made);
        const { id, token } = made;
        const wrong = [
          other.token,
          `cft_${'A'.repeat(43)}`,
          `rft_${'A'.repeat(43)}`,
          `${token}x`,
          `${token} `,
          token.slice(0, -1),
          token.toUpperCase(),
          `${prefix}\u0000`,
          '',
        ];
        const noTexts = [7, null, undefined, [token], { token }];
        const noAnswers = [{}, [], 'null', { decision: 'confirm' }, { decision: 'perhaps', token: '\0' }];
        const noRequests = [UNKNOWN_ID, 'no-uuid', '%00', other.id, service.liveKey];
        const inQuery = (query: string) => respond(made, '', { query, body: { decision: 'confirm' } });
        const attempts = [
          ...[...wrong, ...noTexts].map((token) => () => respond({ id, token })),
          ...noAnswers.map((body) => () => respond(made, '', { body })),
          () => inQuery('?token='),
          () => inQuery(`?token=${other.token}`),
          () => respond({ id, token: other.token }, 'nonsense'),
          ...noRequests.flatMap((id) => [() => respond({ id, token }), () => preview({ id, token })]),
          ...wrong.map((token) => () => preview({ id, token })),
        ];
        const refusals = new Set<string>();
        for (const attempt of attempts) refusals.add(JSON.stringify(refusalOf(await attempt())));
        expect([...refusals].map((text) => JSON.parse(text))).toEqual([
          expect.objectContaining({ status: 401, code: `${code}_TOKEN_INVALID`, retryable: false }),
        ]);
        expect(codeOf(await inQuery('?token=a&token=b'))).toEqual(invalidToken);
        for (const query of ['', `?token=${token}&token=${token}`, `?token[]=${token}`]) {
          for (const key of [null, service.liveKey]) {
            const address = `${path}/${id}/preview${query}`;
            expect(codeOf(await service.request('GET', address, { key }))).toEqual(invalidToken);
          }
        }
      },
    );

    test.each([
      ['confirm', 'CONFIRMED', 1],
      ['decline', 'DECLINED', 0],
    ])('only a yes records, and the platform reads how it came: %s', async (decision, status, count) => {
      const userId = `${name}-${status}`;
      const made = await asked({ userId });
      const before = await read(made.id);
      pass(1000);
      const { body, ...answer } = await respond(made, decision);
      const recordedIds = count === 0 ? {} : { [recordedId]: expect.any(String) };
      expect([answer.status, body]).toEqual([200, { status, ...recordedIds }]);
      expect(await read(made.id)).toEqual({
        ...before,
        ...body,
        respondedAt: clock.at.toISOString(),
        answer: expect.objectContaining({ channel: 'api', answeredByAsker: true }),
      });
      expect(await recorded(userId)).toHaveLength(count);
    });

    test.each(endings.slice(1))(
      'a request that is %s is neither answered nor cancelled',
      async (status, bring) => {
        const userId = `${name}-late-${status}`;
        const made = await asked({ userId, expiresInHours: 1 });
        await bring(made);
        const before = [await read(made.id), await recorded(userId)];
        for (const late of [await respond(made), await respond(made, 'decline'), await cancel(made.id)]) {
          expect(codeOf(late)).toEqual(notPending);
          expect(late.body).toMatchObject({ retryable: false, details: { status } });
        }
        expect([await read(made.id), await recorded(userId)]).toEqual(before);
      },
    );

    test('a right token learns what is no decision, and nothing is decided', async () => {
      const made = await asked();
      for (const decision of [
        undefined,
        null,
        '',
        'CONFIRM',
        'yes',
        true,
        {},
        ['confirm'],
        'conf\u0000irm',
      ]) {
        const { id, token } = made;
        const answer = await respond(made, '', { body: { token, decision } });
        expect([decision, ...codeOf(answer)]).toEqual([decision, 400, 'VALIDATION_ERROR']);
        expect(answer.body.details).toMatchObject([{ path: 'decision' }]);
        expect((await read(id)).status).toBe('PENDING');
      }
      for (const body of [undefined, '{"token":']) {
        expect((await respond(made, '', { body })).body.code).toBe('BAD_REQUEST');
      }
    });

    test('an id in upper case is the same id', async () => {
      const made = await asked();
      const upper = { ...made, id: made.id.toUpperCase() };
      expect((await preview(upper)).status).toBe(200);
      expect((await respond(upper)).status).toBe(200);
    });

    test('the token may be in the query, and the same one in both', async () => {
      for (const decision of BOTH) {
        const made = await asked();
        const query = `?token=${made.token}`;
        const body = decision === 'confirm' ? { decision } : { token: made.token, decision };
        expect((await respond(made, '', { query, body })).status).toBe(200);
        expect((await respond(made, '', { query, body })).status).toBe(409);
      }
    });

    test('two different tokens are refused, whether one of them is right or not', async () => {
      const { id, token } = await asked();
      for (const [first, second] of [
        [token, 'cft_other'],
        ['cft_other', token],
        ['cft_other', 'cft_another'],
      ]) {
        const answer = await respond({ id, token: second }, 'confirm', { query: `?token=${first}` });
        expect([answer.status, answer.body.details]).toMatchObject([400, [{ path: 'token' }]]);
        expect(answer.text).not.toContain(token);
      }
      expect((await read(id)).status).toBe('PENDING');
    });

    test('a closed platform gets no answer, and the refusal and the preview say so', async () => {
      const { platformId, live } = await newPlatform(service);
      const made = await asked({}, live);
      const set = (isActive: boolean) =>
        service.request('PATCH', `/admin/platforms/${platformId}`, { admin: true, body: { isActive } });
      await set(false);
      for (const answer of [await respond(made), await respond(made, 'decline'), await preview(made)]) {
        expect([...codeOf(answer), answer.body.retryable]).toEqual([409, 'CONFLICT', false]);
        expect(answer.body.error).toContain('platform that asks is closed');
      }
      expect(codeOf(await respond({ ...made, token: `${made.token}x` }))).toEqual(invalidToken);
      await set(true);
      expect((await read(made.id, live.key)).status).toBe('PENDING');
      expect((await respond(made)).status).toBe(200);
    });

    test('test requests record test data alone, and a reset deletes them with their tokens', async () => {
      const { platformId, live, test: inTest } = await newPlatform(service);
      const kept = await asked({ userId: 'twin' }, live);
      const [pending, confirmed] = [await asked({}, inTest), await asked({ userId: 'twin' }, inTest)];
      await respond(confirmed);
      expect(await recorded('twin', inTest.key)).toHaveLength(1);
      expect(await recorded('twin', live.key)).not.toContainEqual(
        expect.objectContaining({ isVerified: true }),
      );
      await service.request('DELETE', '/test/data', { key: inTest.key });
      expect(await list('', inTest.key)).toEqual([]);
      expect(await recorded('twin', inTest.key)).toEqual([]);
      for (const answer of [await preview(pending), await respond(pending), await respond(confirmed)]) {
        expect(codeOf(answer)).toEqual(invalidToken);
      }
      for (const rows of [table, 'witness_token']) {
        const left = await service.db.query(`select 1 from ${rows} where platform_id = $1`, [platformId]);
        expect([rows, left.length]).toEqual([rows, 1]);
      }
      expect((await respond(kept)).status).toBe(200);
    });

    test('the window is open to its last millisecond; from then on every reader sees its end, swept or not', async () => {
      const { key } = (await newPlatform(service)).live;
      const [inTime, late] = [
        await asked({ expiresInHours: 1 }, { key }),
        await asked({ expiresInHours: 1 }, { key }),
      ];
      pass(HOUR_MS - 1);
      expect((await respond(inTime)).status).toBe(200);
      expect((await read(late.id, key)).status).toBe('PENDING');
      pass(1);
      const expectExpired = async () => {
        expect(await read(late.id, key)).toMatchObject({ status: 'EXPIRED', respondedAt: null });
        expect(await list('status=EXPIRED', key)).toMatchObject([{ id: late.id }]);
        expect(await list('status=PENDING', key)).toEqual([]);
      };
      await expectExpired();
      expect(await swept(service, 'expiry')).toBeGreaterThanOrEqual(1);
      expect(await swept(service, 'expiry')).toBe(0);
      await expectExpired();
    });

    test('a cancelled request is the same but for its status', async () => {
      const { id } = await asked();
      const before = await read(id);
      const { status, body } = await cancel(id);
      expect([status, body]).toEqual([200, { ...before, status: 'CANCELLED' }]);
      expect(await read(id)).toEqual(body);
    });

    test('a listing can be of one status, of one subject or both, each entry as its own read shows it', async () => {
      const { key } = (await newPlatform(service)).live;
      const made: Asked[] = [];
      for (const [index, [, bring]] of endings.entries()) {
        const userId = index % 2 ? 'odd' : 'even';
        made.unshift(await asked({ userId, expiresInHours: index === 4 ? 1 : 24 }, { key }));
        if (index === 3) await cancel(made[0]?.id ?? '', key);
        else await bring(made[0] as Asked);
      }
      const [expired, cancelled, declined, confirmed, pending] = made.map(({ id }) => id);
      for (const [query, ids] of [
        ['userId=odd', [cancelled, confirmed]],
        ['userId=even&status=EXPIRED', [expired]],
        ['userId=odd&status=EXPIRED', []],
        ['status=CANCELLED', [cancelled]],
        ['status=DECLINED', [declined]],
        ['status=CONFIRMED', [confirmed]],
        ['status=PENDING', [pending]],
        ['userId=of-nobody', []],
      ] as const) {
        const listed: { id: string }[] = await list(query, key);
        expect([query, listed.map(({ id }) => id)]).toEqual([query, ids]);
        for (const entry of listed) expect(await read(entry.id, key)).toEqual(entry);
      }
    });
  });
});
