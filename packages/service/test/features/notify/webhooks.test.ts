import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { addedPlatform, type OwnPlatform, trailOf } from '../tenancy/trail.js';
import { addWebhook, failingSince, NOWHERE } from './webhooksFixtures.js';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

describe.each(breadth)('webhook endpoints on %s', (engine) => {
  let service: TestService;
  let own: OwnPlatform;

  beforeAll(async () => {
    service = await joinTestService(engine);
    own = await addedPlatform(service, 'Own');
  });
  afterAll(() => service.close());

  const add = (body = {}) => addWebhook(service, body, { key: own.live.key });
  const call = (method: string, path: string, body?: object) =>
    service.request(method, `/webhooks/${path}`, { key: own.live.key, body });
  const change = (id: string, body: object) => call('PATCH', id, body);

  test.each(['hooks', 'http://hooks.example/', 'https://user:word@hooks.example/', 'https://0x7f.1/'])(
    '%s is no public target and is refused, when adding and when changing',
    async (url) => {
      const refused = await add({ url });
      expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(refused.body.details).toEqual([{ path: 'url', code: 'custom', message: expect.any(String) }]);
      const { id } = (await add()).body;
      const unchanged = await change(id, { url });
      expect([unchanged.status, unchanged.body.details]).toEqual([400, refused.body.details]);
      expect((await call('GET', id)).body.url).toBe(NOWHERE);
    },
  );

  test('a host with a dot at its end is refused by that, not as a private one', async () => {
    const { body } = await add({ url: 'https://hooks.example.com./in' });
    const message = 'The host name must not end with a dot.';
    expect(body.details).toEqual([{ path: 'url', code: 'custom', message }]);
  });

  test.each(['http://localhost:4000/hook', 'https://192.168.1.5/hook', 'https://printer.local/hook'])(
    'the refusal of %s says how to receive events there',
    async (url) => {
      const { message } = (await add({ url })).body.details[0];
      expect(message).toContain('npx @reliability/cli listen --forward-to');
      expect(message).toContain('WEBHOOK_ALLOWED_PRIVATE_CIDRS');
    },
  );

  test('the activity log has a changed URL without its path', async () => {
    const { id } = (await add({ description: 'Desk' })).body;
    await change(id, { url: 'https://other.example/with?token=of-the-receiver', description: null });
    const [entry] = await trailOf(service, own.live.key, '&action=WEBHOOK_UPDATED');
    expect(entry).toMatchObject({
      target: id,
      details: {
        url: { from: 'https://hooks.example', to: 'https://other.example' },
        description: { from: 'Desk', to: null },
      },
    });
  });

  test.each([{ isActive: true }, { url: 'https://elsewhere.example/' }])(
    '%j restarts the count of failing days, which other changes do not',
    async (restarting) => {
      const { id } = (await add()).body;
      await service.db.execute('update webhook set failing_since = now() where webhook_id = $1', [id]);
      await change(id, { description: 'still' });
      expect(await failingSince(service, id)).toBeInstanceOf(Date);
      await change(id, restarting);
      expect(await failingSince(service, id)).toBeNull();
    },
  );

  test('a rotation returns a new secret and the end of the old one', async () => {
    const { secret: first, ...record } = (await add()).body;
    const before = Date.now();
    const rotated = await call('POST', `${record.id}/rotate-secret`);
    expect(rotated.status).toBe(200);
    const { secret, previousSecretExpiresAt, ...after } = rotated.body;
    for (const each of [first, secret]) expect(each).toMatch(SECRET);
    expect(secret).not.toBe(first);
    expect(after).toEqual({ ...record, updatedAt: after.updatedAt });
    const rotatedAtMs = Date.parse(previousSecretExpiresAt) - 24 * 60 * 60 * 1000;
    expect(rotatedAtMs).toBeGreaterThanOrEqual(before);
    expect(rotatedAtMs).toBeLessThanOrEqual(Date.now());
    const [entry] = await trailOf(service, own.live.key, '&action=WEBHOOK_UPDATED');
    expect(entry).toMatchObject({ target: record.id, details: { secret: 'rotated' } });
  });
});
