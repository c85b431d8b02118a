import { beforeAll, describe, expect, test } from 'vitest';
import { trailActions } from '#domain/activityActions.js';
import { breadth } from '#harness/engines.js';
import { givenService } from '#harness/givenService.js';
import { startReceiver } from '#harness/receiver.js';
import type { TestService } from '#harness/service.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { asConsole, FROM_CONSOLE, signedIn } from '../../console/consoleFixtures.js';
import { answered, ask, asking, type Made } from '../attestation/confirmationFixtures.js';
import {
  ANSWER,
  answerReview,
  objected,
  recordToken,
  withdrawReview,
} from '../attestation/reviewFixtures.js';
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
    const { eventId: id, event } = (await report(service, outcome(), { key: own.live.key })).body;
    const details = { userId: event.userId, eventType: event.eventType };
    return { id, at: event.createdAt, actor: 'platform', target: id, details };
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
    const target = await spareKey(world, { isTest: true });
    const { id, previousExpiresAt } = (await withOwnKey(world, 'POST', `/platform/keys/${target}/rotate`))
      .body;
    return { target, livemode: false, details: { replacedBy: id, previousExpiresAt } };
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
  async CONSOLE_USER_ADDED(world) {
    const { id, email, role } = await consoleUser(world, 'added');
    return { target: id, details: { email, role } };
  },
  async CONSOLE_USER_CHANGED(world) {
    const { id, email, role } = await consoleUser(world, 'changed');
    await withOwnKey(world, 'PATCH', `/platform/users/${id}`, { role: 'admin' });
    return { target: id, details: { email, role: { from: role, to: 'admin' } } };
  },
  async CONSOLE_USER_REMOVED(world) {
    const { id, email, role } = await consoleUser(world, 'removed');
    await withOwnKey(world, 'DELETE', `/platform/users/${id}`);
    return { target: id, details: { email, role } };
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
  async REVIEW_REQUESTED(world) {
    const { id, eventId, respondBy } = await opened(world, 'objecting');
    return { actor: 'subject', target: id, details: { userId: 'objecting', eventId, respondBy } };
  },
  async REVIEW_WITHDRAWN(world) {
    const { id, token } = await opened(world, 'objecting-no-more');
    await withdrawReview(world.service, token, id);
    return { actor: 'subject', target: id, details: { userId: 'objecting-no-more' } };
  },
  async REVIEW_ANSWERED(world) {
    const { id } = await opened(world, 'answered');
    await answerReview(world.service, id, ANSWER, world.own.live.key);
    return { target: id, details: { userId: 'answered', outcome: 'UPHELD', inTime: true } };
  },
  ...settings('NOTIFICATION_CHANNEL', {
    path: '/notification-channels',
    body: { type: 'slack', target: 'https://hooks.slack.com/services/T0EXAMPLE/B0EXAMPLE/of-the-trail' },
    shown: ({ type, target }) => ({ type, target }),
  }),
  ...settings('MONITOR', {
    path: '/monitors',
    body: { userId: 'worker-1', belowScore: 60 },
    shown: ({ userId, belowScore }) => ({ userId, belowScore }),
    change: { belowScore: 70 },
    isOperators: true,
  }),
  ...settings('POLICY', {
    path: '/policies',
    body: { name: 'Call them', condition: { metric: 'band', direction: 'enter', band: 'High Risk' } },
    shown: ({ name, condition }) => ({ name, condition }),
    change: { name: 'Renamed' },
  }),
  ...settings('WEBHOOK', {
    path: '/webhooks',
    body: { url: 'https://hooks.example/of-the-trail', events: ['screening.completed'] },
    shown: () => ({ url: 'https://hooks.example' }),
    change: { isActive: false },
    isOperators: true,
  }),
  async WEBHOOK_DISABLED(world) {
    const receiver = await startReceiver();
    receiver.react(() => ({ status: 410 }));
    const hook = { url: receiver.url, events: ['score.updated'] };
    const { id } = (await addWebhook(world.service, hook, { key: world.own.live.key })).body;
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
  async RECORD_LINK_CREATED(world) {
    const { recordLinkId, expiresAt } = await linkedRecord(world, 'reading');
    return { target: recordLinkId, details: { userId: 'reading', expiresAt } };
  },
  async RECORD_LINK_WITHDRAWN(world) {
    const { recordLinkId } = await linkedRecord(world, 'reading-no-more');
    await withOwnKey(world, 'DELETE', `/users/reading-no-more/record-links/${recordLinkId}`);
    return { target: recordLinkId, details: { userId: 'reading-no-more' } };
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
  async SUBJECT_NAMED(world) {
    await withOwnKey(world, 'POST', '/agents', { userId: 'named' });
    await withOwnKey(world, 'PATCH', '/users/named', { displayName: 'Bot 7' });
    return { details: { userId: 'named', named: true } };
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
  const service = givenService(engine, { env });
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

async function opened({ service, own }: World, userId: string) {
  await report(service, outcome({ userId }), { key: own.live.key });
  const token = await recordToken(service, userId, own.live.key);
  return { token, ...(await objected(service, token)) };
}

interface Setting {
  path: string;
  body: Record<string, unknown>;
  /** What its entries have of it. */
  shown: (made: Record<string, unknown>) => Record<string, unknown>;
  change?: Record<string, unknown>;
  /** The operator changes and deletes it. */
  isOperators?: true;
}

/** The deeds of something that a platform adds, changes and deletes. */
function settings(name: string, { path, body, shown, change, isOperators }: Setting): Record<string, Deed> {
  const add = async (world: World) => {
    await report(world.service, outcome(), { key: world.own.live.key });
    const made = (await withOwnKey(world, 'POST', path, body)).body;
    return { made, expected: { target: made.id, details: shown(made) } };
  };
  const [actor, call] = isOperators ? [{ actor: 'operator' }, asOperator] : [{}, withOwnKey];
  const [field = '', to] = Object.entries(change ?? {})[0] ?? [];
  return {
    [`${name}_CREATED`]: async (world) => (await add(world)).expected,
    ...(change && {
      [`${name}_UPDATED`]: async (world) => {
        const { made, expected } = await add(world);
        await call(world, 'PATCH', `${path}/${made.id}`, change);
        return { ...actor, target: expected.target, details: { [field]: { from: made[field], to } } };
      },
    }),
    [`${name}_DELETED`]: async (world) => {
      const { made, expected } = await add(world);
      await call(world, 'DELETE', `${path}/${made.id}`);
      return { ...actor, ...expected };
    },
  };
}

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

async function consoleUser(world: World, name: string) {
  const body = { email: `${name}@example.com`, role: 'viewer' };
  return (await withOwnKey(world, 'POST', '/platform/users', body)).body;
}

async function sharingSubject(world: World, userId: string): Promise<string> {
  await report(world.service, outcome({ userId }), { key: world.own.live.key });
  await withOwnKey(world, 'POST', `/users/${userId}/share-token`, { includeProfile: true });
  return subjectIdOf(world.own.id, true, userId);
}

async function linkedRecord(world: World, userId: string) {
  await report(world.service, outcome({ userId }), { key: world.own.live.key });
  return (await withOwnKey(world, 'POST', `/users/${userId}/record-links`)).body;
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

async function flaggedSubject({ service, own }: World, userId: string): Promise<string> {
  await reportBatch(service, Array(MAX_PER_HOUR + 1).fill(outcome({ userId })), { key: own.live.key });
  await service.settle();
  return subjectIdOf(own.id, true, userId);
}
