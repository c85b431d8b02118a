import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { activityActions } from '../../src/ledger/activity.js';
import { subjectIdOf } from '../../src/ledger/subjectId.js';
import { engines } from '../harness/engines.js';
import { startTestService, type TestService } from '../harness/service.js';
import { outcome, report, reportBatch } from './eventFixtures.js';
import { addedPlatform, type Entry, type OwnPlatform, trailOf } from './trail.js';

const MAX_PER_HOUR = 5;

interface World {
  service: TestService;
  own: OwnPlatform;
}

/** Does the thing over HTTP, and says what the newest entry of its action must then hold. */
type Deed = (world: World) => Promise<Partial<Entry>>;

const deeds: Record<string, Deed> = {
  async EVENT_CREATED({ service, own }) {
    const { eventId } = (await report(service, outcome(), { key: own.live.key })).body;
    return { actor: 'platform', target: eventId, livemode: true };
  },
  async PLATFORM_CREATED({ own }) {
    return { actor: 'operator', target: own.id, livemode: true, details: { name: 'Own trail' } };
  },
  async PLATFORM_UPDATED({ service, own }) {
    const body = { trustTier: 'GROWTH' };
    await service.request('PATCH', `/admin/platforms/${own.id}`, { admin: true, body });
    const details = { trustTier: { from: 'STARTER', to: 'GROWTH' } };
    return { actor: 'operator', target: own.id, livemode: true, details };
  },
  async API_KEY_GENERATED(world) {
    return { actor: `key:${world.own.live.id}`, target: await spareKey(world), livemode: true };
  },
  async API_KEY_ROTATED(world) {
    const spare = await spareKey(world);
    await withOwnKey(world, 'POST', `/platform/keys/${spare}/rotate`);
    return { actor: `key:${world.own.live.id}`, livemode: true };
  },
  async API_KEY_REVOKED(world) {
    const spare = await spareKey(world, { isTest: true });
    await withOwnKey(world, 'DELETE', `/platform/keys/${spare}`);
    return { actor: `key:${world.own.live.id}`, target: spare, livemode: false };
  },
  async API_KEY_SCOPES_UPDATED(world) {
    const spare = await spareKey(world);
    const path = `/admin/platforms/${world.own.id}/keys/${spare}`;
    await world.service.request('PATCH', path, { admin: true, body: { scopes: ['events:write'] } });
    return { actor: 'operator', target: spare, livemode: true, details: { to: ['events:write'] } };
  },
  async TEST_DATA_SEEDED({ service, own }) {
    await service.request('POST', '/test/seed', { key: own.test.key });
    return { actor: `key:${own.test.id}`, livemode: false };
  },
  async TEST_DATA_RESET({ service, own }) {
    await service.request('POST', '/test/seed', { key: own.test.key });
    await service.request('DELETE', '/test/data', { key: own.test.key });
    return { actor: `key:${own.test.id}`, livemode: false, details: { subjects: 5 } };
  },
  async VELOCITY_FLAG_SET(world) {
    return { ...(await flaggedSubject(world, 'fast')), actor: 'service' };
  },
  async VELOCITY_FLAG_CLEARED(world) {
    const entry = await flaggedSubject(world, 'cleared');
    const path = `/admin/users/${entry.target}/resolve-velocity-flag`;
    await world.service.request('POST', path, { admin: true });
    return { ...entry, actor: 'operator' };
  },
};

/** Their operations come with later parts of the interface, and leave this list with them. */
const stillToCome =
  /^(SHARE_TOKEN|CREDENTIAL_OFFER|WEBHOOK|MONITOR|POLICY|NOTIFICATION_CHANNEL|CONFIRMATION_REQUEST|SUBJECT)_/;

describe.each(engines)('what the audit trail tells of on %s', (engine) => {
  let world: World;

  beforeAll(async () => {
    const env = { VELOCITY_MAX_PER_HOUR: String(MAX_PER_HOUR) };
    const service = await startTestService(engine, { env });
    world = { service, own: await addedPlatform(service) };
  });

  afterAll(() => world.service.close());

  test('every action it knows is done here, or still to come', () => {
    const known = ['EVENT_CREATED', ...activityActions].filter((action) => !stillToCome.test(action));
    expect(Object.keys(deeds).sort()).toEqual(known.sort());
  });

  test.each(Object.entries(deeds))('%s is told of by whoever did it', async (action, deed) => {
    const expected = await deed(world);
    const { live, test: inTest } = world.own;
    const key = expected.livemode === false ? inTest.key : live.key;
    const [newest] = await trailOf(world.service, key, `&action=${action}`);
    expect(newest).toMatchObject({ action, ...expected });
  });

  test('a deed that is refused leaves no trace', async () => {
    const before = await trailOf(world.service, world.own.live.key);
    const refused = await withOwnKey(world, 'POST', '/platform/keys', { expiresInDays: 0 });
    expect(refused.status).toBe(400);
    expect((await withOwnKey(world, 'DELETE', `/platform/keys/${world.own.id}`)).status).toBe(404);
    expect(await trailOf(world.service, world.own.live.key)).toEqual(before);
  });
});

function withOwnKey({ service, own }: World, method: string, path: string, body?: object) {
  return service.request(method, path, { key: own.live.key, body });
}

async function spareKey(world: World, body: object = {}): Promise<string> {
  return (await withOwnKey(world, 'POST', '/platform/keys', body)).body.id;
}

async function flaggedSubject({ service, own }: World, userId: string): Promise<Partial<Entry>> {
  await reportBatch(service, Array(MAX_PER_HOUR + 1).fill(outcome({ userId })), { key: own.live.key });
  await service.settle();
  return { target: subjectIdOf(own.id, true, userId), livemode: true, details: { userId } };
}
