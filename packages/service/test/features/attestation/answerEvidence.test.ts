import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { startTestService, type TestService } from '#harness/service.js';
import { known } from '../subjects/profileFixtures.js';
import { mint, newPlatform } from '../tenancy/keyFixtures.js';
import { asking } from './confirmationFixtures.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0';
const PLATFORM_ADDRESS = '198.51.100.7';
const CUSTOMER_ADDRESS = '203.0.113.77';

const kinds = {
  confirmation: {
    path: '/confirmations',
    page: 'confirm',
    body: asking(),
  },
  reference: {
    path: '/references',
    page: 'reference',
    body: {
      userId: 'worker-1',
      claim: { kind: 'skill', title: 'Plastering' },
      counterpartyRef: 'customer-88',
    },
  },
} as const;
type Kind = keyof typeof kinds;

describe.each(breadth)('how an answer came, on %s', (engine) => {
  let service: TestService;
  let own: Awaited<ReturnType<typeof newPlatform>>;
  const from = (address: string, more: Record<string, string> = {}) => ({
    'X-Forwarded-For': address,
    'User-Agent': FIREFOX,
    ...more,
  });

  async function askFrom(address: string, kind: Kind = 'confirmation', more: object = {}) {
    const { path, body } = kinds[kind];
    const options = { key: own.live.key, body: { ...body, ...more }, headers: from(address) };
    const { body: made } = await service.request('POST', path, options);
    return { id: made[kind].id as string, token: made[`${kind}Token`] as string, created: made[kind] };
  }

  function answer(
    kind: Kind,
    { id, token }: { id: string; token: string },
    headers: Record<string, string>,
    decision = 'confirm',
  ) {
    const path = `${kinds[kind].path}/${id}/respond`;
    return service.request('POST', path, { key: null, body: { token, decision }, headers });
  }

  async function evidenceOf(kind: Kind, id: string) {
    return (await service.request('GET', `${kinds[kind].path}/${id}`, { key: own.live.key })).body;
  }

  beforeAll(async () => {
    service = await startTestService(engine, { env: { TRUST_PROXY: '1' } });
    own = await newPlatform(service);
    await known(service, 'worker-1', { key: own.live.key });
  });
  afterAll(() => service.close());

  describe.each(['confirmation', 'reference'] as const)('of a %s', (kind) => {
    test('is null before the answer and after a cancellation', async () => {
      const asked = await askFrom(PLATFORM_ADDRESS, kind);
      const options = { key: own.live.key, headers: from(PLATFORM_ADDRESS) };
      const cancelled = await service.request('POST', `${kinds[kind].path}/${asked.id}/cancel`, options);
      expect([cancelled.status, cancelled.body.answer]).toEqual([200, null]);
      expect((await evidenceOf(kind, asked.id)).answer).toBeNull();
      if (kind === 'confirmation') expect(asked.created.answer).toBeNull();
    });

    test.each(['confirm', 'decline'])('by API (%s): the moment, the network and the browser', async (way) => {
      const asked = await askFrom(PLATFORM_ADDRESS, kind);
      await answer(kind, asked, from(CUSTOMER_ADDRESS), way);
      const read = await evidenceOf(kind, asked.id);
      const expected = {
        channel: 'api',
        answeredAt: read.respondedAt,
        answeredByAsker: false,
        network: '203.0.113.0/24',
        browserFamily: 'firefox',
      };
      expect(read.answer).toEqual(expected);
      const list = await service.request('GET', `${kinds[kind].path}?limit=1`, { key: own.live.key });
      expect(list.body[`${kind}s`][0]).toMatchObject({ id: asked.id, answer: expected });
      expect(JSON.stringify(read)).not.toContain(CUSTOMER_ADDRESS);
    });

    test('by the page', async () => {
      const { page } = kinds[kind];
      const asked = await askFrom(PLATFORM_ADDRESS, kind);
      const posted = await service.request('POST', `!/${page}/${asked.id}`, {
        key: null,
        body: new URLSearchParams({ token: asked.token, decision: 'confirm' }).toString(),
        headers: from('2001:db8:1:2:3:4:5:6', { 'Content-Type': 'application/x-www-form-urlencoded' }),
      });
      expect(posted.status).toBe(200);
      expect((await evidenceOf(kind, asked.id)).answer).toMatchObject({
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
      const asked = await askFrom(asker, kind);
      await answer(kind, asked, from(answerer));
      expect((await evidenceOf(kind, asked.id)).answer.answeredByAsker).toBe(isAsker);
    });

    test("an answer with the key that asked is the asker's, from any network; one with another key is not", async () => {
      const other = (await mint(service, own.live.key)).body.key;
      for (const [key, isAsker] of [
        [own.live.key, true],
        [other, false],
        ['crd_live_nonsense', false],
      ]) {
        const asked = await askFrom(PLATFORM_ADDRESS, kind);
        const headers = from(CUSTOMER_ADDRESS, { Authorization: `Bearer ${key}` });
        expect((await answer(kind, asked, headers)).status).toBe(200);
        expect((await evidenceOf(kind, asked.id)).answer.answeredByAsker).toBe(isAsker);
      }
    });
  });

  test('items of a batch and rows of a campaign store who asked', async () => {
    const headers = from(PLATFORM_ADDRESS);
    const batch = await service.request('POST', '/confirmations/batch', {
      key: own.live.key,
      body: { confirmations: [asking()] },
      headers,
    });
    const campaign = await service.request('POST', '/activation/campaigns', {
      key: own.live.key,
      body: { name: 'Spring', rows: [{ ...asking(), rowKey: 'r1' }] },
      headers,
    });
    const [item] = batch.body.results;
    const [row] = campaign.body.results;
    for (const asked of [
      { id: item.confirmation.id, token: item.confirmationToken },
      { id: row.confirmationId, token: row.confirmationToken },
    ]) {
      await answer('confirmation', asked, from(PLATFORM_ADDRESS));
      expect((await evidenceOf('confirmation', asked.id)).answer.answeredByAsker).toBe(true);
    }
  });

  test("the audit log of the subject and the platform's activity show it without the network", async () => {
    const asked = await askFrom(PLATFORM_ADDRESS, 'confirmation', { userId: 'worker-audit' });
    await answer('confirmation', asked, from(PLATFORM_ADDRESS));
    const log = await service.request(
      'GET',
      `/admin/users/worker-audit/audit-log?platformId=${own.platformId}`,
      {
        admin: true,
      },
    );
    const activity = await service.request('GET', '/activity?action=CONFIRMATION_REQUEST_CONFIRMED&limit=1', {
      key: own.live.key,
    });
    for (const answered of [log, activity]) {
      expect(answered.text).toContain('"answeredByAsker":true');
      expect(answered.text).toContain('"channel":"api"');
      expect(answered.text).not.toContain('198.51.100');
    }
  });

  test('GET /users/{id}/risk counts answers that came from the asker', async () => {
    const risk = async () => {
      await service.settle();
      const { body } = await service.request('GET', '/users/worker-risk/risk', { key: own.live.key });
      return body.signals.find(({ code }: { code: string }) => code === 'ANSWERED_BY_ASKER');
    };
    const about = { userId: 'worker-risk' };
    await answer(
      'confirmation',
      await askFrom(PLATFORM_ADDRESS, 'confirmation', about),
      from(CUSTOMER_ADDRESS),
    );
    expect(await risk()).toBeUndefined();
    for (const decision of ['decline', 'confirm', 'confirm', 'confirm', 'confirm', 'confirm']) {
      const asked = await askFrom(PLATFORM_ADDRESS, 'confirmation', about);
      await answer('confirmation', asked, from(PLATFORM_ADDRESS), decision);
    }
    expect(await risk()).toMatchObject({
      severity: 'elevated',
      evidence: { answeredByAsker: 5, confirmed: 6, askerShare: 0.8333 },
    });
  });

  test('a reset of test data deletes the evidence', async () => {
    const { path, body } = kinds.confirmation;
    const { body: made } = await service.request('POST', path, { key: own.test.key, body });
    await answer('confirmation', { id: made.confirmation.id, token: made.confirmationToken }, {});
    await service.request('DELETE', '/test/data', { key: own.test.key });
    const left = await service.db.query('select 1 from confirmation where confirmation_id = $1', [
      made.confirmation.id,
    ]);
    expect(left).toEqual([]);
  });
});
