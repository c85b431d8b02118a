import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeTypes } from '#domain/envelopes/catalogue.js';
import { breadth } from '#harness/engines.js';
import { joinTestService, type TestService } from '#harness/service.js';
import { once } from '../intake/eventFixtures.js';
import { addedPlatform, type OwnPlatform, trailOf } from '../tenancy/trail.js';
import { addWebhook, NOWHERE, UNKNOWN_ID } from './webhooksFixtures.js';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

describe.each(breadth)('webhook endpoints on %s', (engine) => {
  let service: TestService;
  let own: OwnPlatform;
  let other: OwnPlatform;

  beforeAll(async () => {
    service = await joinTestService(engine);
    own = await addedPlatform(service, 'Own');
    other = await addedPlatform(service, 'Other');
  });
  afterAll(() => service.close());

  const as = (key: string) => ({
    add: (body = {}, more = {}) => addWebhook(service, body, { key, ...more }),
    read: (id: string) => service.request('GET', `/webhooks/${id}`, { key }),
    list: (query = '') => service.request('GET', `/webhooks${query}`, { key }),
    change: (id: string, body: object) => service.request('PATCH', `/webhooks/${id}`, { key, body }),
    remove: (id: string) => service.request('DELETE', `/webhooks/${id}`, { key }),
    rotate: (id: string, more = {}) =>
      service.request('POST', `/webhooks/${id}/rotate-secret`, { key, ...more }),
  });
  const live = () => as(own.live.key);

  describe('adding one', () => {
    test('answers with the secret; duplicate types count once', async () => {
      const events = ['score.updated', 'monitor.triggered', 'score.updated'];
      const answer = await live().add({ events, description: 'Desk' });
      expect(answer.status).toBe(201);
      const { secret, ...record } = answer.body;
      expect(secret).toMatch(SECRET);
      expect(record).toEqual({
        id: expect.any(String),
        url: NOWHERE,
        events: ['score.updated', 'monitor.triggered'],
        description: 'Desk',
        isActive: true,
        disabledReason: null,
        createdAt: expect.any(String),
        updatedAt: record.createdAt,
      });
      expect((await live().read(record.id)).body).toEqual(record);
    });

    test.each([
      ['no types', { events: [] }, 'events', 'too_small'],
      ['a type that does not exist', { events: ['coffee.made'] }, 'events.0', 'invalid_value'],
      ['no URL', { url: undefined }, 'url', 'required'],
      ['a URL past 2048 characters', { url: `${NOWHERE}/${'x'.repeat(2048)}` }, 'url', 'too_big'],
      ['a description past 2000 characters', { description: 'x'.repeat(2001) }, 'description', 'too_big'],
      ['a URL that is none', { url: 'hooks' }, 'url', 'custom'],
    ])('with %s is refused', async (_, body, path, code) => {
      const answer = await live().add(body);
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.details[0]).toMatchObject({ path, code });
    });

    test.each([
      'http://hooks.example/',
      'ftp://hooks.example/',
      'https://user:word@hooks.example/',
      'https://localhost/',
      'https://127.0.0.1/',
      'https://2130706433/',
      'https://0x7f.1/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://169.254.169.254/latest/meta-data',
      'https://10.1.2.3/',
      'https://[fd00::1]/',
      'https://intranet/',
    ])('%s leads nowhere public and is refused, when adding and when changing', async (url) => {
      const refused = await live().add({ url });
      expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(refused.body.details).toEqual([{ path: 'url', code: 'custom', message: expect.any(String) }]);
      const { id } = (await as(own.test.key).add()).body;
      const unchanged = await as(own.test.key).change(id, { url });
      expect([unchanged.status, unchanged.body.details]).toEqual([400, refused.body.details]);
      expect((await as(own.test.key).read(id)).body.url).toBe(NOWHERE);
      await as(own.test.key).remove(id);
    });

    test('a host with a dot at its end is refused by that, not as a private one', async () => {
      const { body } = await live().add({ url: 'https://hooks.example.com./in' });
      const message = 'The host name must not end with a dot.';
      expect(body.details).toEqual([{ path: 'url', code: 'custom', message }]);
    });

    test.each(['http://localhost:4000/hook', 'https://192.168.1.5/hook', 'https://printer.local/hook'])(
      'the refusal of %s says how to receive events there',
      async (url) => {
        const { message } = (await live().add({ url })).body.details[0];
        expect(message).toContain('npx reliability listen --forward-to');
        expect(message).toContain('WEBHOOK_ALLOWED_PRIVATE_CIDRS');
      },
    );

    test('the cap of a mode holds against simultaneous requests and does not affect the other mode', async () => {
      const crowded = await addedPlatform(service, 'Crowded');
      const { add, list, remove } = as(crowded.live.key);
      for (let count = 0; count < 40; count += 1) await add();
      const answers = await Promise.all(Array.from({ length: 20 }, () => add()));
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array(10).fill(201),
        ...Array(10).fill(409),
      ]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.body).toMatchObject({ code: 'CONFLICT', details: { limit: 50 } });
      const { webhooks, nextCursor } = (await list('?limit=100')).body;
      expect([webhooks.length, nextCursor]).toEqual([50, null]);
      expect((await as(crowded.test.key).add()).status).toBe(201);
      const path = `/admin/platforms/${crowded.id}/webhooks`;
      const body = { url: NOWHERE, events: ['score.updated'] };
      expect((await service.request('POST', path, { admin: true, body })).body.code).toBe('CONFLICT');
      await remove(webhooks[0].id);
      expect((await service.request('POST', path, { admin: true, body })).status).toBe(201);
    });
  });

  describe('changing one', () => {
    test('changes the given fields only; the activity log has them without the path of the URL', async () => {
      const { secret: _, ...before } = (await live().add({ description: 'Desk' })).body;
      const url = 'https://other.example/with?token=of-the-receiver';
      const { status, body } = await live().change(before.id, { url, description: null });
      expect(status).toBe(200);
      expect(body).toEqual({ ...before, url, description: null, updatedAt: body.updatedAt });
      const [entry] = await trailOf(service, own.live.key, '&action=WEBHOOK_UPDATED');
      expect(entry).toMatchObject({
        actor: `key:${own.live.id}`,
        target: before.id,
        details: {
          url: { from: 'https://hooks.example', to: 'https://other.example' },
          description: { from: 'Desk', to: null },
        },
      });
      const events = ['monitor.triggered', 'monitor.triggered'];
      expect((await live().change(before.id, { events, isActive: false })).body).toMatchObject({
        url,
        events: ['monitor.triggered'],
        isActive: false,
        disabledReason: null,
      });
    });

    test('a body that changes nothing is not in the activity log', async () => {
      const { secret: _, ...record } = (await live().add()).body;
      const before = await trailOf(service, own.live.key);
      expect((await live().change(record.id, {})).body).toEqual(record);
      expect((await live().change(record.id, { url: NOWHERE, isActive: true })).body).toEqual(record);
      expect(await trailOf(service, own.live.key)).toEqual(before);
    });

    test('enabling clears the reason and the count of failures', async () => {
      const { id } = (await live().add()).body;
      await service.db.execute(
        `update webhook set is_active = false, disabled_reason = 'failing', failing_since = now() where webhook_id = $1`,
        [id],
      );
      expect((await live().read(id)).body).toMatchObject({ isActive: false, disabledReason: 'failing' });
      expect((await live().change(id, { description: 'mended' })).body.disabledReason).toBe('failing');
      expect((await live().change(id, { isActive: true })).body).toMatchObject({
        isActive: true,
        disabledReason: null,
      });
      expect(await failingSince(id)).toBeNull();
    });

    test.each([{ isActive: true }, { url: 'https://elsewhere.example/' }])(
      '%j restarts the count of failing days',
      async (change) => {
        const { id } = (await live().add()).body;
        await service.db.execute('update webhook set failing_since = now() where webhook_id = $1', [id]);
        await live().change(id, { description: 'still' });
        expect(await failingSince(id)).not.toBeNull();
        await live().change(id, change);
        expect(await failingSince(id)).toBeNull();
      },
    );

    async function failingSince(id: string): Promise<Date | null | undefined> {
      const [row] = await service.db.query<{ failingSince: Date | null }>(
        'select failing_since from webhook where webhook_id = $1',
        [id],
      );
      return row?.failingSince;
    }

    test.each([{ events: [] }, { url: null }, { isActive: 'yes' }, { events: ['*'] }])(
      '%j is refused',
      async (change) => {
        const { id } = (await live().add()).body;
        expect((await live().change(id, change)).body.code).toBe('VALIDATION_ERROR');
        await live().remove(id);
      },
    );
  });

  test('deleting one also empties its queue and answers 204, then 404', async () => {
    const { id } = (await live().add()).body;
    await service.db.execute(
      `insert into outbox_queue (target_id, envelope_id, platform_id, kind, due_at)
       values ($1, $2, $3, 'webhook', now() + interval '1 hour')`,
      [id, UNKNOWN_ID, own.id],
    );
    const answer = await live().remove(id);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await service.db.query('select 1 from outbox_queue where target_id = $1', [id])).toEqual([]);
    for (const gone of [await live().remove(id), await live().read(id), await live().change(id, {})]) {
      expect([gone.status, gone.body.code]).toEqual([404, 'NOT_FOUND']);
    }
    const [entry] = await trailOf(service, own.live.key, '&action=WEBHOOK_DELETED');
    expect(entry).toMatchObject({ target: id, actor: `key:${own.live.id}` });
  });

  test('a rotation returns a new secret and the end of the old one; a retry with the same key repeats this answer', async () => {
    const { secret: first, ...record } = (await live().add()).body;
    const before = Date.now();
    const rotated = await live().rotate(record.id, once('rotate-webhook'));
    expect(rotated.status).toBe(200);
    const { secret, previousSecretExpiresAt, ...after } = rotated.body;
    expect(secret).toMatch(SECRET);
    expect(secret).not.toBe(first);
    expect(after).toEqual({ ...record, updatedAt: after.updatedAt });
    const rotatedAtMs = Date.parse(previousSecretExpiresAt) - 24 * 60 * 60 * 1000;
    expect(rotatedAtMs).toBeGreaterThanOrEqual(before);
    expect(rotatedAtMs).toBeLessThanOrEqual(Date.now());
    expect((await live().rotate(record.id, once('rotate-webhook'))).body).toEqual(rotated.body);
    const [entry] = await trailOf(service, own.live.key, '&action=WEBHOOK_UPDATED');
    expect(entry).toMatchObject({ target: record.id, details: { secret: 'rotated' } });
    expect((await live().read(record.id)).text).not.toMatch(/secret/i);
  });

  describe('by the operator', () => {
    const asOperator = (method: string, rest = '', body?: object, more = {}) =>
      service.request(method, `/admin/platforms/${other.id}/webhooks${rest}`, { admin: true, body, ...more });

    test('a live endpoint is added, listed, changed and deleted as the platform itself would', async () => {
      const body = { url: NOWHERE, events: [...envelopeTypes] };
      const { secret, ...record } = (await asOperator('POST', '', body, once('by-the-operator'))).body;
      expect(secret).toMatch(SECRET);
      expect((await asOperator('POST', '', body, once('by-the-operator'))).body.secret).toBe(secret);
      expect((await as(other.live.key).read(record.id)).body).toEqual(record);
      expect((await asOperator('GET')).body).toEqual({ webhooks: [record], nextCursor: null });
      const changed = await asOperator('PATCH', `/${record.id}`, { isActive: false });
      expect([changed.status, changed.body.isActive]).toEqual([200, false]);
      expect((await asOperator('GET', `/${record.id}/deliveries`)).body).toEqual({
        deliveries: [],
        nextCursor: null,
      });
      expect((await asOperator('DELETE', `/${record.id}`)).status).toBe(204);
      const trail = await trailOf(service, other.live.key);
      const ofIt = trail.filter(({ target }) => target === record.id);
      expect(ofIt.map(({ action, actor }) => [action, actor])).toEqual([
        ['WEBHOOK_DELETED', 'operator'],
        ['WEBHOOK_UPDATED', 'operator'],
        ['WEBHOOK_CREATED', 'operator'],
      ]);
    });

    test('the same is refused', async () => {
      const refused = await asOperator('POST', '', { url: 'https://10.0.0.1/', events: ['score.updated'] });
      expect([refused.status, refused.body.details[0].path]).toEqual([400, 'url']);
      const nobody = await service.request('GET', `/admin/platforms/${UNKNOWN_ID}/webhooks`, { admin: true });
      expect([nobody.status, nobody.body.code]).toEqual([404, 'NOT_FOUND']);
      const withKey = await service.request('GET', `/admin/platforms/${other.id}/webhooks`);
      expect(withKey.status).toBe(401);
    });
  });
});
