import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mainEngine } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { newPlatform } from '../tenancy/keyFixtures.js';
import { made } from './confirmationFixtures.js';

const CLAIM = {
  userId: 'worker-1',
  counterpartyRef: 'school-1',
  claim: { kind: 'skill', title: 'Welding' },
};

interface Asked {
  /** Of the request, as its platform reads it. */
  readonly path: string;
  readonly token: string;
}

describe.each([
  ['confirmations', 'CONFIRMATION_TOKEN_INVALID'],
  ['references', 'REFERENCE_TOKEN_INVALID'],
])('an answer to one of the %s', (kind, invalid) => {
  let service: TestService;
  beforeAll(async () => {
    service = await joinTestService(mainEngine);
  });
  afterAll(() => service.close());

  async function asked(key?: string): Promise<Asked> {
    const options = key === undefined ? {} : { key };
    if (kind === 'confirmations') {
      const { confirmation, confirmationToken: token } = await made(service, {}, options);
      return { path: `/confirmations/${confirmation.id}`, token };
    }
    await service.request('POST', '/events', {
      ...options,
      body: { userId: CLAIM.userId, eventType: 'CONTRACT_FULFILLED' },
    });
    const { body } = await service.request('POST', '/references', { ...options, body: CLAIM });
    return { path: `/references/${body.reference.id}`, token: body.referenceToken };
  }
  const respond = ({ path }: Asked, query: string, body: object) =>
    service.request('POST', `${path}/respond${query}`, { key: null, body });

  test('may have the token in its query', async () => {
    const one = await asked();
    const answer = await respond(one, `?token=${one.token}`, { decision: 'confirm' });
    expect([answer.status, answer.body.status]).toEqual([200, 'CONFIRMED']);
    expect((await respond(one, `?token=${one.token}`, { decision: 'confirm' })).status).toBe(409);
  });

  test('may have the same token in both', async () => {
    const one = await asked();
    const { token } = one;
    expect((await respond(one, `?token=${token}`, { token, decision: 'decline' })).status).toBe(200);
  });

  test('with two different tokens is refused, whether one of them is right or not', async () => {
    const one = await asked();
    for (const [query, body] of [
      [one.token, 'cft_other'],
      ['cft_other', one.token],
      ['cft_other', 'cft_another'],
    ]) {
      const answer = await respond(one, `?token=${query}`, { token: body, decision: 'confirm' });
      expect([answer.status, answer.body.details]).toMatchObject([400, [{ path: 'token' }]]);
      expect(answer.text).not.toContain(one.token);
    }
    expect((await service.request('GET', one.path)).body).toMatchObject({ status: 'PENDING' });
  });

  test.each(['', '?token=', '?token=cft_other', '?token=a&token=b'])(
    'without the right token is refused: %s',
    async (query) => {
      const answer = await respond(await asked(), query, { decision: 'confirm' });
      expect([answer.status, answer.body.code]).toEqual([401, invalid]);
    },
  );

  test('to a closed platform is refused, and the refusal and the preview say so', async () => {
    const { platformId, live } = await newPlatform(service);
    const one = await asked(live.key);
    const set = (isActive: boolean) =>
      service.request('PATCH', `/admin/platforms/${platformId}`, { admin: true, body: { isActive } });
    await set(false);
    const answers = [
      await respond(one, '', { token: one.token, decision: 'confirm' }),
      await respond(one, `?token=${one.token}`, { decision: 'decline' }),
      await service.request('GET', `${one.path}/preview?token=${one.token}`, { key: null }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.code, body.retryable]).toEqual([409, 'CONFLICT', false]);
      expect(body.error).toContain('platform that asks is closed');
    }
    const wrong = await respond(one, '', { token: `${one.token}x`, decision: 'confirm' });
    expect([wrong.status, wrong.body.code]).toEqual([401, invalid]);
    await set(true);
    expect((await service.request('GET', one.path, live)).body).toMatchObject({ status: 'PENDING' });
    expect((await respond(one, '', { token: one.token, decision: 'confirm' })).status).toBe(200);
  });
});
