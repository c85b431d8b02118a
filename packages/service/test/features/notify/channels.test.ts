import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { breadth, mainEngine } from '#harness/engines.js';
import { joinTestService, startTestService, TEST_KEYS, type TestService } from '#harness/service.js';
import { createVault } from '#kit/crypto.js';
import { newPlatform } from '../tenancy/keyFixtures.js';
import { addChannel, EMAIL, EMAIL_MASK, SLACK_MASK, SLACK_SECRET, SLACK_URL } from './channelFixtures.js';

describe.each(breadth)('notification channels on %s', (engine) => {
  let service: TestService;
  let own: Awaited<ReturnType<typeof newPlatform>>;

  beforeAll(async () => {
    // No server listens there: these tests send nothing.
    service = await startTestService(engine, { env: { SMTP_URL: 'smtp://127.0.0.1:1' } });
    own = await newPlatform(service);
  });
  afterAll(() => service.close());

  test('the target is never shown again, and the database has it only sealed', async () => {
    const { live } = await newPlatform(service);
    const made = await addChannel(service, { type: 'slack', target: SLACK_URL }, live);
    const mail = await addChannel(service, { type: 'email', target: EMAIL }, live);
    expect([made.body.target, mail.body.target]).toEqual([SLACK_MASK, EMAIL_MASK]);
    const path = `/notification-channels/${made.body.id}`;
    const texts = [made.text, mail.text];
    for (const each of [path, '/notification-channels', '/activity'])
      texts.push((await service.request('GET', each, live)).text);
    const [row] = await service.db.query<{ sealedTarget: Buffer }>(
      'select sealed_target from notification_channel where channel_id = $1',
      [made.body.id],
    );
    expect(texts.join()).not.toContain(SLACK_SECRET.slice(0, 8));
    expect(texts.join()).not.toContain(EMAIL);
    const sealed = row?.sealedTarget ?? Buffer.alloc(0);
    expect(sealed.toString('latin1')).not.toContain(SLACK_SECRET.slice(0, 8));
    expect(createVault(TEST_KEYS.data).open(sealed, 'channel target')).toBe(SLACK_URL);
  });

  test.each<[string, unknown]>([
    ['another type', { type: 'pager', target: SLACK_URL }],
    ['a type that is no text', { type: 5, target: SLACK_URL }],
    ['an address as a Slack hook', { type: 'slack', target: EMAIL }],
    ['a Slack hook as an address', { type: 'email', target: SLACK_URL }],
    ['a target that is no text', { type: 'slack', target: { href: SLACK_URL } }],
  ])('%s is refused', async (_what, body) => {
    const answer = await addChannel(service, body, { key: own.live.key });
    expect([answer.status, answer.body.code]).toEqual([400, 'NOTIFICATION_CHANNEL_INVALID']);
    expect(answer.body.details).toMatchObject([{ path: expect.stringMatching(/^(type|target)$/) }]);
    const listed = await service.request('GET', '/notification-channels', { key: own.live.key });
    expect(listed.body.notificationChannels).toEqual([]);
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
