import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth, mainEngine } from '#harness/engines.js';
import { joinTestService, startTestService, TEST_KEYS, type TestService } from '#harness/service.js';
import { createVault } from '#kit/crypto.js';
import { newPlatform, trailOf } from '../tenancy/keyFixtures.js';
import {
  addChannel,
  EMAIL,
  EMAIL_MASK,
  SLACK_MASK,
  SLACK_SECRET,
  SLACK_URL,
  slackUrl,
} from './channelFixtures.js';

describe.each(breadth)('notification channels on %s', (engine) => {
  let service: TestService;
  let own: Awaited<ReturnType<typeof newPlatform>>;

  beforeAll(async () => {
    // No server listens there: these tests send nothing.
    service = await startTestService(engine, { env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
    own = await newPlatform(service, { plan: 'growth' });
  });
  afterAll(() => service.close());

  const slack = (name: string, key: string, headers?: Record<string, string>) =>
    addChannel(service, { type: 'slack', target: slackUrl(name) }, { key, headers });
  const list = async (key: string, query = '') =>
    (await service.request('GET', `/notification-channels${query}`, { key })).body;

  test('a channel is added, read, listed and deleted, and its target is never shown again', async () => {
    const { live, platformId } = await newPlatform(service);
    const made = await addChannel(service, { type: 'slack', target: SLACK_URL }, live);
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'slack',
        target: SLACK_MASK,
        isActive: true,
        createdAt: expect.stringMatching(/Z$/),
        lastSentAt: null,
        lastError: null,
      },
    ]);
    const mail = await addChannel(service, { type: 'email', target: EMAIL }, live);
    expect(mail.body).toMatchObject({ type: 'email', target: EMAIL_MASK });
    const path = `/notification-channels/${made.body.id}`;
    const read = await service.request('GET', path, live);
    expect([read.status, read.body]).toEqual([200, made.body]);
    const listed = await service.request('GET', '/notification-channels', live);
    expect(listed.body).toEqual({ notificationChannels: [mail.body, made.body], nextCursor: null });
    const deleted = await service.request('DELETE', path, live);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await service.request('GET', path, live)).status).toBe(404);
    expect((await service.request('DELETE', path, live)).status).toBe(404);
    const trail = await trailOf(service, platformId);
    expect(trail.filter(({ target }) => target === made.body.id)).toMatchObject(
      ['NOTIFICATION_CHANNEL_CREATED', 'NOTIFICATION_CHANNEL_DELETED'].map((action) => ({
        action,
        actor: `key:${live.id}`,
        livemode: true,
        details: { type: 'slack', target: SLACK_MASK },
      })),
    );
    const answers = JSON.stringify([made.text, mail.text, read.text, listed.text, trail]);
    expect(answers).not.toContain(SLACK_SECRET.slice(0, 8));
    expect(answers).not.toContain(EMAIL);
  });

  test('the database has the target only sealed', async () => {
    const { live } = await newPlatform(service);
    const { id } = (await addChannel(service, { type: 'slack', target: SLACK_URL }, live)).body;
    const [row] = await service.db.query<{ sealedTarget: Buffer; maskedTarget: string }>(
      'select sealed_target, masked_target from notification_channel where channel_id = $1',
      [id],
    );
    expect(row?.maskedTarget).toBe(SLACK_MASK);
    expect(row?.sealedTarget.toString('latin1')).not.toContain(SLACK_SECRET.slice(0, 8));
    expect(createVault(TEST_KEYS.data).open(row?.sealedTarget ?? Buffer.alloc(0), 'channel target')).toBe(
      SLACK_URL,
    );
  });

  test.each<[string, unknown]>([
    ['another type', { type: 'pager', target: SLACK_URL }],
    ['a type that is no text', { type: 5, target: SLACK_URL }],
    ['a type in capitals', { type: 'SLACK', target: SLACK_URL }],
    ['an address as a Slack hook', { type: 'slack', target: EMAIL }],
    ['a Slack hook as an address', { type: 'email', target: SLACK_URL }],
    ['a target that is no text', { type: 'slack', target: { href: SLACK_URL } }],
    ['no target to speak of', { type: 'slack', target: null }],
  ])('%s is refused', async (_what, body) => {
    const answer = await addChannel(service, body, { key: own.live.key });
    expect([answer.status, answer.body.code]).toEqual([400, 'NOTIFICATION_CHANNEL_INVALID']);
    expect(answer.body.details).toMatchObject([{ path: expect.stringMatching(/^(type|target)$/) }]);
    expect(await list(own.live.key)).toMatchObject({ notificationChannels: [] });
  });

  test('a missing body, and one without type or target, do not fit the schema', async () => {
    for (const [body, path] of [
      [{ target: SLACK_URL }, 'type'],
      [{ type: 'slack' }, 'target'],
      [[], ''],
    ] as const) {
      const answer = await addChannel(service, body, { key: own.live.key });
      expect([answer.status, answer.body.code, answer.body.details[0].path]).toEqual([
        400,
        'VALIDATION_ERROR',
        path,
      ]);
    }
    expect((await service.request('POST', '/notification-channels', { key: own.live.key })).status).toBe(400);
  });

  test.each([
    ['starter', 3],
    ['growth', 10],
  ])('the cap of the %s plan, %i in each mode, holds against simultaneous requests', async (plan, limit) => {
    const { live, test: inTest } = await newPlatform(service, { plan });
    const calls = Array.from({ length: limit + 4 }, (_, n) => slack(`cap-${n}`, live.key));
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.code, body.details]).toEqual([
        409,
        'NOTIFICATION_CHANNEL_LIMIT_REACHED',
        { limit },
      ]);
    }
    expect((await slack('other-mode', inTest.key)).status).toBe(201);
    const [{ id }] = (await list(live.key)).notificationChannels;
    await service.request('DELETE', `/notification-channels/${id}`, { key: live.key });
    expect((await slack('room-again', live.key)).status).toBe(201);
    expect((await slack('one-too-many', live.key)).status).toBe(409);
  });
});

describe('a service without a mail server', () => {
  test('refuses e-mail channels and says what the operator has to do', async () => {
    const service = await joinTestService(mainEngine);
    try {
      const answer = await addChannel(service, { type: 'email', target: EMAIL });
      expect([answer.status, answer.body.code]).toEqual([400, 'NOTIFICATION_CHANNEL_INVALID']);
      expect(answer.body.error).toContain('SMTP_URL');
      expect((await addChannel(service, { type: 'slack', target: SLACK_URL })).status).toBe(201);
    } finally {
      await service.close();
    }
  });
});
