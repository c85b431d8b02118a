import { beforeAll, describe, expect, test } from 'vitest';
import { trailActions } from '#domain/activityActions.js';
import { breadth } from '#harness/engines.js';
import { startReceiver } from '#harness/receiver.js';
import { startTestService, type TestService } from '#harness/service.js';
import { suiteService } from '#harness/suiteService.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { asConsole, FROM_CONSOLE, signedIn } from '../../console/consoleFixtures.js';
import { answered, ask, asking, type Made } from '../attestation/confirmationFixtures.js';
import { anotherPlatform, outcome, report, reportBatch } from '../intake/eventFixtures.js';
import { addWebhook, delivered, LOOPBACK_ALLOWED } from '../notify/webhooksFixtures.js';
import { addedPlatform, type Entry, type OwnPlatform, trailOf } from './trail.js';

const MAX_PER_HOUR = 5;

interface World {
  service: TestService;
  own: OwnPlatform;
}

/**
 * Performs the action over HTTP. Returns the expected newest entry of the action: by default, its actor is
 * the live key.
 */
type Deed = (world: World) => Promise<Partial<Entry>>;

const cases: Record<string, Deed> = {
  async EVENT_CREATED({ service, own }) {
    const { eventId } = (await report(service, outcome(), { key: own.live.key })).body;
    return { actor: 'platform', target: eventId };
  },
  async PLATFORM_CREATED({ own }) {
    return { actor: 'operator', target: own.id, details: { name: 'Own trail' } };
  },
  async PLATFORM_UPDATED(world) {
    await asOperator(world, 'PATCH', '', { trustTier: 'GROWTH' });
    const details = { trustTier: { from: 'STARTER', to: 'GROWTH' } };
    return { actor: 'operator', target: world.own.id, details };
  },
  async API_KEY_GENERATED(world) {
    return { target: await spareKey(world) };
  },
  async API_KEY_ROTATED(world) {
    const target = await spareKey(world);
    await withOwnKey(world, 'POST', `/platform/keys/${target}/rotate`);
    return { target };
  },
  async API_KEY_REVOKED(world) {
    const target = await spareKey(world, { isTest: true });
    await withOwnKey(world, 'DELETE', `/platform/keys/${target}`);
    return { target, livemode: false };
  },
  async API_KEY_SCOPES_UPDATED(world) {
    const target = await spareKey(world);
    await asOperator(world, 'PATCH', `/keys/${target}`, { scopes: ['events:write'] });
    return { actor: 'operator', target, details: { to: ['events:write'] } };
  },
  async CONSOLE_SIGNED_IN({ service, own }) {
    await signedIn(service, own.live.key);
    return { target: own.live.id };
  },
  async CONSOLE_SIGNED_OUT({ service, own }) {
    const headers = { Cookie: await signedIn(service, own.live.key) };
    await fetch(`${service.url}/console/session`, { method: 'DELETE', headers });
    return { target: own.live.id };
  },
  async CONSOLE_VIEWED_AS_PLATFORM({ service, own }) {
    const cookie = await signedIn(service, service.adminSecret);
    const headers = { ...FROM_CONSOLE, 'X-Console-Platform': own.id };
    await asConsole(service.url, cookie, '/users', { headers });
    return { actor: 'operator' };
  },
  async CONFIRMATION_REQUEST_CREATED(world) {
    const details = { userId: 'worker-1', eventType: 'CONTRACT_FULFILLED', counterpartyRef: 'customer-88' };
    return { target: (await asked(world)).confirmation.id, details };
  },
  async CONFIRMATION_REQUEST_CONFIRMED(world) {
    const made = await asked(world);
    const { eventId } = (await answered(world.service, made, 'confirm')).body;
    const details = { userId: 'worker-1', counterpartyRef: 'customer-88', eventId };
    return { actor: 'counterparty', target: made.confirmation.id, details };
  },
  async CONFIRMATION_REQUEST_DECLINED(world) {
    const made = await asked(world);
    await answered(world.service, made, 'decline');
    return { actor: 'counterparty', target: made.confirmation.id };
  },
  async CONFIRMATION_REQUEST_CANCELLED(world) {
    const { id } = (await asked(world)).confirmation;
    await withOwnKey(world, 'POST', `/confirmations/${id}/cancel`);
    return { target: id };
  },
  async NOTIFICATION_CHANNEL_CREATED(world) {
    const { id, type, target } = await slackChannel(world);
    return { target: id, details: { type, target } };
  },
  async NOTIFICATION_CHANNEL_DELETED(world) {
    const { id, type, target } = await slackChannel(world);
    await withOwnKey(world, 'DELETE', `/notification-channels/${id}`);
    return { target: id, details: { type, target } };
  },
  async MONITOR_CREATED(world) {
    const target = await watched(world, 'watched');
    const settings = { belowScore: 60, aboveScore: null, onBandChange: false, isActive: true };
    return { target, details: { userId: 'watched', ...settings } };
  },
  async MONITOR_UPDATED(world) {
    const target = await watched(world, 'watched-closer');
    await asOperator(world, 'PATCH', `/monitors/${target}`, { belowScore: 70 });
    const details = { userId: 'watched-closer', belowScore: { from: 60, to: 70 } };
    return { actor: 'operator', target, details };
  },
  async MONITOR_DELETED(world) {
    const target = await watched(world, 'watched-no-more');
    await withOwnKey(world, 'DELETE', `/monitors/${target}`);
    return { target, details: { userId: 'watched-no-more', belowScore: 60 } };
  },
  async POLICY_CREATED(world) {
    const { id, name, condition } = await policy(world);
    return { target: id, details: { name, condition, isActive: true } };
  },
  async POLICY_UPDATED(world) {
    const { id, name } = await policy(world);
    await withOwnKey(world, 'PATCH', `/policies/${id}`, { name: 'Renamed' });
    return { target: id, details: { name: { from: name, to: 'Renamed' } } };
  },
  async POLICY_DELETED(world) {
    const { id, name, condition } = await policy(world);
    await withOwnKey(world, 'DELETE', `/policies/${id}`);
    return { target: id, details: { name, condition } };
  },
  async WEBHOOK_CREATED(world) {
    const { id, events } = await webhook(world);
    return { target: id, details: { url: 'https://hooks.example', events } };
  },
  async WEBHOOK_UPDATED(world) {
    const { id } = await webhook(world);
    await withOwnKey(world, 'PATCH', `/webhooks/${id}`, { isActive: false });
    return { target: id, details: { isActive: { from: true, to: false } } };
  },
  async WEBHOOK_DELETED(world) {
    const { id } = await webhook(world);
    await asOperator(world, 'DELETE', `/webhooks/${id}`);
    return { actor: 'operator', target: id, details: { url: 'https://hooks.example' } };
  },
  async WEBHOOK_DISABLED(world) {
    const receiver = await startReceiver();
    receiver.react(() => ({ status: 410 }));
    const { id } = await webhook(world, { url: receiver.url, events: ['score.updated'] });
    await report(world.service, outcome({ userId: 'undelivered' }), { key: world.own.live.key });
    await receiver.waitFor(1);
    await delivered(world.service, id);
    await receiver.close();
    return { actor: 'service', target: id, details: { reason: 'gone' } };
  },
  async SHARE_TOKEN_MINTED(world) {
    const target = await sharingSubject(world, 'sharing');
    return { target, details: { userId: 'sharing', includeProfile: true } };
  },
  async SHARE_TOKEN_REVOKED(world) {
    const target = await sharingSubject(world, 'sharing-no-more');
    await withOwnKey(world, 'DELETE', '/users/sharing-no-more/share-token');
    return { target, details: { userId: 'sharing-no-more' } };
  },
  async CREDENTIAL_OFFER_CREATED(world) {
    const target = await sharingSubject(world, 'offered');
    const credentialType = 'ServiceProfessionalRecordCredential';
    await withOwnKey(world, 'POST', '/users/offered/credential-offers', { credentialType });
    return { target, details: { userId: 'offered', credentialType, txCode: false } };
  },
  async SUBJECT_DECLARED(world) {
    await withOwnKey(world, 'POST', '/agents', { userId: 'declared' });
    const changes = { platformIsOperator: { from: null, to: true } };
    return { details: { userId: 'declared', declaration: 1, changes } };
  },
  async DECLARATION_CHANGED(world) {
    for (const name of ['Bot', 'Robot'])
      await withOwnKey(world, 'POST', '/agents', { userId: 'redeclared', name });
    const changes = { name: { from: 'Bot', to: 'Robot' } };
    return { details: { userId: 'redeclared', declaration: 2, changes } };
  },
  async SUBJECT_LINKED(world) {
    return { target: await linkedSubject(world, 'linked'), details: { userId: 'linked', platforms: 2 } };
  },
  async SUBJECT_UNLINKED(world) {
    const target = await linkedSubject(world, 'linked-no-more');
    await withOwnKey(world, 'DELETE', '/users/linked-no-more/links');
    return { target, details: { userId: 'linked-no-more', platforms: 1 } };
  },
  async SUBJECT_ERASED(world) {
    await sharingSubject(world, 'erased');
    await withOwnKey(world, 'POST', '/users/erased/erasure');
    return { target: null, details: null };
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
    return { actor: 'service', target: await flaggedSubject(world, 'fast'), details: { userId: 'fast' } };
  },
  async VELOCITY_FLAG_CLEARED(world) {
    const target = await flaggedSubject(world, 'cleared');
    await world.service.request('POST', `/admin/users/${target}/resolve-velocity-flag`, { admin: true });
    return { actor: 'operator', target, details: { userId: 'cleared' } };
  },
};

describe.each(breadth)('the actions of the audit trail on %s', (engine) => {
  const env = { VELOCITY_MAX_PER_HOUR: String(MAX_PER_HOUR), ...LOOPBACK_ALLOWED };
  const service = suiteService(() => startTestService(engine, { env }));
  let world: World;
  beforeAll(async () => {
    world = { service, own: await addedPlatform(service) };
  });

  test('every known action has a case here', () => {
    expect(Object.keys(cases).sort()).toEqual([...trailActions].sort());
  });

  test.each(Object.entries(cases))('%s is recorded with its actor', async (action, perform) => {
    const { live, test: inTest } = world.own;
    const expected = { actor: `key:${live.id}`, livemode: true, ...(await perform(world)) };
    const key = expected.livemode ? live.key : inTest.key;
    const [newest] = await trailOf(service, key, `&action=${action}`);
    expect(newest).toMatchObject({ action, ...expected });
  });

  test('a refused action leaves no entry', async () => {
    const before = await trailOf(service, world.own.live.key);
    const refused = await withOwnKey(world, 'POST', '/platform/keys', { expiresInDays: 0 });
    expect(refused.status).toBe(400);
    expect((await withOwnKey(world, 'DELETE', `/platform/keys/${world.own.id}`)).status).toBe(404);
    expect(await trailOf(service, world.own.live.key)).toEqual(before);
  });
});

function withOwnKey({ service, own }: World, method: string, path: string, body?: object) {
  return service.request(method, path, { key: own.live.key, body });
}

function asOperator({ service, own }: World, method: string, path: string, body?: object) {
  return service.request(method, `/admin/platforms/${own.id}${path}`, { admin: true, body });
}

async function asked({ service, own }: World): Promise<Made> {
  return (await ask(service, asking(), { key: own.live.key })).body;
}

async function spareKey(world: World, body: object = {}): Promise<string> {
  return (await withOwnKey(world, 'POST', '/platform/keys', body)).body.id;
}

async function sharingSubject(world: World, userId: string): Promise<string> {
  await report(world.service, outcome({ userId }), { key: world.own.live.key });
  await withOwnKey(world, 'POST', `/users/${userId}/share-token`, { includeProfile: true });
  return subjectIdOf(world.own.id, true, userId);
}

/** Linked with a subject of another platform. */
async function linkedSubject(world: World, userId: string): Promise<string> {
  const { service, own } = world;
  const { liveKey: key } = await anotherPlatform(service);
  await report(service, outcome({ userId: 'theirs' }), { key });
  const { linkToken } = (await service.request('POST', '/users/theirs/link-token', { key })).body;
  await report(service, outcome({ userId }), { key: own.live.key });
  await withOwnKey(world, 'POST', `/users/${userId}/links`, { linkToken });
  return subjectIdOf(own.id, true, userId);
}

async function slackChannel(world: World): Promise<{ id: string; type: string; target: string }> {
  const target = 'https://hooks.slack.com/services/T0EXAMPLE/B0EXAMPLE/of-the-audit-trail-tests';
  return (await withOwnKey(world, 'POST', '/notification-channels', { type: 'slack', target })).body;
}

async function watched(world: World, userId: string): Promise<string> {
  await report(world.service, outcome({ userId }), { key: world.own.live.key });
  return (await withOwnKey(world, 'POST', '/monitors', { userId, belowScore: 60 })).body.id;
}

async function policy(world: World): Promise<{ id: string; name: string; condition: object }> {
  const condition = { metric: 'band', direction: 'enter', band: 'High Risk' };
  return (await withOwnKey(world, 'POST', '/policies', { name: 'Call them', condition })).body;
}

/** Default: subscribed to a type that the tests never emit. */
async function webhook(world: World, body: object = {}): Promise<{ id: string; events: string[] }> {
  const whole = { events: ['screening.completed'], ...body };
  return (await addWebhook(world.service, whole, { key: world.own.live.key })).body;
}

async function flaggedSubject({ service, own }: World, userId: string): Promise<string> {
  await reportBatch(service, Array(MAX_PER_HOUR + 1).fill(outcome({ userId })), { key: own.live.key });
  await service.settle();
  return subjectIdOf(own.id, true, userId);
}
