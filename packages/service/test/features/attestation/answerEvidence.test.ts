import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { post } from '../../pages/hostedFixtures.js';
import { mint, newPlatform } from '../tenancy/keyFixtures.js';
import { type Asked, callsOf, kinds } from './attestationFixtures.js';
import { asking } from './confirmationFixtures.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';
const PLATFORM_ADDRESS = '198.51.100.7';
const CUSTOMER_ADDRESS = '203.0.113.77';

describe.each(breadth)('how an answer came, on %s', (engine) => {
  let service: TestService;
  let own: Awaited<ReturnType<typeof newPlatform>>;
  const from = (address: string, more: Record<string, string> = {}) => ({
    headers: { 'X-Forwarded-For': address, 'User-Agent': FIREFOX, ...more },
  });
  const askingFrom = (address: string) => ({ key: own.live.key, ...from(address) });

  beforeAll(async () => {
    service = await startTestService(engine, { env: { TRUST_PROXY: '1' } });
    own = await newPlatform(service);
  });
  afterAll(() => service.close());

  describe.each(kinds)('of a $name', (kind) => {
    const { ask, asked, respond, read, cancel, list } = callsOf(kind, () => service);
    const evidenceOf = async ({ id }: Asked) => (await read(id, own.live.key)).answer;

    test('is null before the answer and after a cancellation', async () => {
      const { body } = await ask({}, askingFrom(PLATFORM_ADDRESS));
      const { id, answer } = body[kind.name];
      const cancelled = await cancel(id, own.live.key);
      expect([answer, cancelled.body.answer, (await read(id, own.live.key)).answer]).toEqual([
        null,
        null,
        null,
      ]);
    });

    test.each(['confirm', 'decline'])('by API (%s): the moment, the network and the browser', async (way) => {
      const made = await asked({}, askingFrom(PLATFORM_ADDRESS));
      await respond(made, way, from(CUSTOMER_ADDRESS));
      const found = await read(made.id, own.live.key);
      const expected = {
        channel: 'api',
        answeredAt: found.respondedAt,
        answeredByAsker: false,
        network: '203.0.113.0/24',
        browserFamily: 'firefox',
      };
      expect(found.answer).toEqual(expected);
      expect((await list('limit=1', own.live.key))[0]).toMatchObject({ id: made.id, answer: expected });
      expect(JSON.stringify(found)).not.toContain(CUSTOMER_ADDRESS);
    });

    test('by the page', async () => {
      const made = await asked({}, askingFrom(PLATFORM_ADDRESS));
      const fields = { token: made.token, decision: 'confirm' };
      const { headers } = from('2001:db8:1:2:3:4:5:6');
      expect((await post(service, `${kind.page}/${made.id}`, fields, headers)).status).toBe(200);
      expect(await evidenceOf(made)).toMatchObject({
        channel: 'page',
        answeredByAsker: false,
        network: '2001:db8:1:2::/64',
        browserFamily: 'firefox',
      });
    });

    test.each([
      ['the very address', PLATFORM_ADDRESS, PLATFORM_ADDRESS, true],
      ['another address of its network', PLATFORM_ADDRESS, '198.51.100.250', true],
      ['the network beside it', PLATFORM_ADDRESS, '198.51.101.7', false],
      ['the same address in IPv6 form', PLATFORM_ADDRESS, `::ffff:${PLATFORM_ADDRESS}`, true],
      ['its IPv6 network', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
      ['another IPv6 network', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
      ['the machine itself', '127.0.0.1', '::1', true],
    ])('from %s: answered by the asker or not', async (_, asker, answerer, isAsker) => {
      const made = await asked({}, askingFrom(asker));
      await respond(made, 'confirm', from(answerer));
      expect((await evidenceOf(made)).answeredByAsker).toBe(isAsker);
    });

    test("an answer with the key that asked is the asker's, from any network; one with another key is not", async () => {
      const other = (await mint(service, own.live.key)).body.key;
      for (const [key, isAsker] of [
        [own.live.key, true],
        [other, false],
        ['crd_live_nonsense', false],
      ]) {
        const made = await asked({}, askingFrom(PLATFORM_ADDRESS));
        const withKey = from(CUSTOMER_ADDRESS, { Authorization: `Bearer ${key}` });
        expect((await respond(made, 'confirm', withKey)).status).toBe(200);
        expect((await evidenceOf(made)).answeredByAsker).toBe(isAsker);
      }
    });
  });

  const confirmations = callsOf(kinds[0], () => service);

  test('items of a batch and rows of a campaign store who asked', async () => {
    const options = askingFrom(PLATFORM_ADDRESS);
    const sent = async (path: string, body: object) =>
      (await service.request('POST', path, { ...options, body })).body.results[0];
    const item = await sent('/confirmations/batch', { confirmations: [asking()] });
    const rows = [asking({ rowKey: 'r1' })];
    const row = await sent('/activation/campaigns', { name: 'Spring', rows });
    for (const { confirmation, confirmationToken: token, confirmationId = confirmation?.id } of [item, row]) {
      await confirmations.respond({ id: confirmationId, token }, 'confirm', from(PLATFORM_ADDRESS));
      const { answer } = await confirmations.read(confirmationId, own.live.key);
      expect(answer.answeredByAsker).toBe(true);
    }
  });

  test("the audit log of the subject and the platform's activity show it without the network", async () => {
    const made = await confirmations.asked({ userId: 'worker-audit' }, askingFrom(PLATFORM_ADDRESS));
    await confirmations.respond(made, 'confirm', from(PLATFORM_ADDRESS));
    const path = `/admin/users/worker-audit/audit-log?platformId=${own.platformId}`;
    const action = '/activity?action=CONFIRMATION_REQUEST_CONFIRMED&limit=1';
    for (const shown of [
      await service.request('GET', path, { admin: true }),
      await service.request('GET', action, { key: own.live.key }),
    ]) {
      expect(shown.text).toContain('"answeredByAsker":true');
      expect(shown.text).toContain('"channel":"api"');
      expect(shown.text).not.toContain('198.51.100');
    }
  });

  test('GET /users/{id}/risk counts answers that came from the asker', async () => {
    const answeredFrom = async (address: string, decision: string) => {
      const made = await confirmations.asked({ userId: 'worker-risk' }, askingFrom(PLATFORM_ADDRESS));
      await confirmations.respond(made, decision, from(address));
    };
    const risk = async () => {
      await service.settle();
      const { body } = await service.request('GET', '/users/worker-risk/risk', { key: own.live.key });
      return body.signals.find(({ code }: { code: string }) => code === 'ANSWERED_BY_ASKER');
    };
    await answeredFrom(CUSTOMER_ADDRESS, 'confirm');
    expect(await risk()).toBeUndefined();
    for (const decision of ['decline', ...Array(5).fill('confirm')]) {
      await answeredFrom(PLATFORM_ADDRESS, decision);
    }
    expect(await risk()).toMatchObject({
      severity: 'elevated',
      evidence: { answeredByAsker: 5, confirmed: 6, askerShare: 0.8333 },
    });
  });
});
