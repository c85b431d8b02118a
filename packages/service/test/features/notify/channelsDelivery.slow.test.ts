import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelopeSchema } from '#domain/envelopes/catalogue.js';
import { breadth } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { startTestService, type TestService } from '#harness/service.js';
import { createVault } from '#kit/crypto.js';
import { createIdSource } from '#kit/ids.js';
import { outcome, report, reportBatch } from '../intake/eventFixtures.js';
import { HOUR_MS, newPlatform } from '../tenancy/keyFixtures.js';
import {
  addChannel,
  EMAIL,
  type MailServer,
  SLACK_SECRET,
  SLACK_URL,
  type SlackStandIn,
  slackUrl,
  startMailServer,
  startSlack,
} from './channelFixtures.js';
import { addWebhook, LOOPBACK_ALLOWED } from './webhooksFixtures.js';

const idSource = createIdSource();
const twoHoursAgo = () => new Date(Date.now() - 2 * HOUR_MS);

describe.each(breadth)('deliveries to channels on %s', (engine) => {
  let service: TestService;
  let slack: SlackStandIn;
  let mail: MailServer;
  const logged: string[] = [];

  beforeAll(async () => {
    slack = await startSlack();
    slack.receiver.react(({ path }) => {
      if (path.endsWith('-hanging')) return 'hang';
      return path.endsWith('-gone') ? { status: 404, body: 'no_service' } : { status: 200, body: 'ok' };
    });
    mail = await startMailServer({
      login: { user: 'mailer', pass: 'word-of-the-mailer' },
      onRcptTo({ address }, _session, callback) {
        callback(address.startsWith('nobody') ? new Error(`No mailbox ${address}`) : null);
      },
    });
    service = await startTestService(engine, {
      writesEnvelopes: true,
      env: { ...LOOPBACK_ALLOWED, SMTP_URL: mail.url, BASE_URL: 'https://scores.example.com' },
      log: pino({ level: 'debug' }, { write: (line: string) => logged.push(line) }),
      outbound: slack.outbound,
    });
  });
  afterAll(async () => {
    await service.close();
    await slack.close();
    await mail.close();
  });

  const textsAt = (target: string) =>
    slack.posts.filter(({ path }) => path === new URL(target).pathname).map(({ text }) => text);
  const read = async (key: string, id: string) =>
    (await service.request('GET', `/notification-channels/${id}`, { key })).body;
  const add = async (key: string, type: string, target: string): Promise<string> =>
    (await addChannel(service, { type, target }, { key })).body.id;
  const happen = (key: string, userId = 'worker-1') =>
    report(service, outcome({ userId, isVerified: true }), { key });

  test('Slack gets a score as one plain sentence, and the channel shows when', async () => {
    const { live } = await newPlatform(service);
    const id = await add(live.key, 'slack', SLACK_URL);
    await happen(live.key, 'a <b> & c');
    await eventually(async () => (await read(live.key, id)).lastSentAt !== null);
    expect(textsAt(SLACK_URL)).toEqual([
      expect.stringMatching(/^The first score of a &lt;b&gt; &amp; c is \d\d\.\d\d \(\w+\)\.$/),
    ]);
    expect(await read(live.key, id)).toMatchObject({ lastError: null, isActive: true });
  });

  test('a mailbox gets the same, with the envelope and how to stop it', async () => {
    const { test: inTest } = await newPlatform(service);
    const id = await add(inTest.key, 'email', EMAIL);
    await happen(inTest.key);
    await eventually(async () => (await read(inTest.key, id)).lastSentAt !== null);
    const [received] = mail.mails;
    expect(received).toMatchObject({
      from: 'reliability@scores.example.com',
      to: [EMAIL],
      user: 'mailer',
      headers: {
        'auto-submitted': 'auto-generated',
        subject: expect.stringMatching(/^\[test\] The first score of worker-1 is /),
      },
    });
    const text = received?.text ?? '';
    expect(text).toContain(received?.headers.subject);
    expect(text).toContain(`DELETE https://scores.example.com/api/v1/notification-channels/${id}`);
    const envelope = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
    expect(envelopeSchema('score.updated').parse(envelope)).toMatchObject({ livemode: false });
    expect(received?.headers['message-id']).toBe(`<${envelope.id}.${id}@scores.example.com>`);
  });

  test('a channel gets envelopes of its own platform and mode only', async () => {
    const own = await newPlatform(service);
    const other = await newPlatform(service);
    await add(own.live.key, 'slack', slackUrl('of-own-live'));
    await add(own.test.key, 'slack', slackUrl('of-own-test'));
    await happen(other.live.key, 'of-other');
    await happen(own.test.key, 'of-own');
    await eventually(() => textsAt(slackUrl('of-own-test')).length > 0);
    expect(textsAt(slackUrl('of-own-test'))).toEqual([expect.stringMatching(/^\[test\] .*of-own is/)]);
    expect(textsAt(slackUrl('of-own-live'))).toEqual([]);
  });

  test('many envelopes at once are few messages, without gaps and duplicates', async () => {
    const { live } = await newPlatform(service);
    await add(live.key, 'slack', slackUrl('digest'));
    const events = Array.from({ length: 90 }, (_, n) => outcome({ userId: `of-many-${n}.` }));
    await reportBatch(service, events, { key: live.key });
    const emitted = () => textsAt(slackUrl('digest')).flatMap((text) => text.match(/of-many-\d+\./g) ?? []);
    await eventually(() => emitted().length >= 90);
    expect(new Set(emitted()).size).toBe(90);
    expect(emitted()).toHaveLength(90);
    const texts = textsAt(slackUrl('digest'));
    expect(texts.length).toBeLessThanOrEqual(6);
    expect(texts.every((text) => (text.match(/•/g) ?? []).length <= 50)).toBe(true);
  });

  test('a message that fails is not sent again, and the channel shows why', async () => {
    const { live } = await newPlatform(service);
    const gone = await add(live.key, 'slack', slackUrl('is-gone'));
    const nobody = await add(live.key, 'email', 'nobody@example.com');
    await happen(live.key);
    await eventually(async () => (await read(live.key, gone)).lastError !== null);
    await eventually(async () => (await read(live.key, nobody)).lastError !== null);
    const shown = { lastError: 'Slack answered 404: no_service', lastSentAt: null, isActive: true };
    expect(await read(live.key, gone)).toMatchObject(shown);
    const lastError = 'The mail server refused the message: 550 No mailbox …';
    expect(await read(live.key, nobody)).toMatchObject({ lastError });
    expect(await queued(gone, nobody)).toBe(0);
    await happen(live.key, 'worker-2');
    await eventually(() => textsAt(slackUrl('is-gone')).length === 2);
    expect(textsAt(slackUrl('is-gone'))[1]).toContain('worker-2');
  });

  test('a channel that hangs does not delay others', async () => {
    const { live } = await newPlatform(service);
    const hanging = await add(live.key, 'slack', slackUrl('is-hanging'));
    await add(live.key, 'slack', slackUrl('is-well'));
    await add(live.key, 'email', 'also-well@example.com');
    await addWebhook(service, { url: `${slack.receiver.url}/webhook` }, live);
    const webhooks = () => slack.receiver.received.filter(({ path }) => path === '/webhook').length;
    for (const [round, userId] of ['first', 'second', 'third'].entries()) {
      await happen(live.key, userId);
      await eventually(() => textsAt(slackUrl('is-well')).length > round);
      await eventually(
        () => mail.mails.filter(({ to }) => to.includes('also-well@example.com')).length > round,
      );
      await eventually(() => webhooks() > round);
    }
    // One message at a time. On a busy machine the first ends, after ten seconds, before the rounds do.
    const sent = textsAt(slackUrl('is-hanging')).length;
    const isEnd = ({ channelId, result }: { channelId?: string; result?: string }) =>
      channelId === hanging && result === 'failed';
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThanOrEqual(1 + logged.map((line) => JSON.parse(line)).filter(isEnd).length);
  });

  test('envelopes older than an hour are counted, not listed', async () => {
    const { platformId, live } = await newPlatform(service);
    const id = await add(live.key, 'slack', slackUrl('stale'));
    await insertOld(platformId, id, 140);
    await happen(live.key, 'of-today');
    await eventually(() => textsAt(slackUrl('stale')).join().includes('of-today'));
    await eventually(async () => (await queued(id)) === 0);
    const texts = textsAt(slackUrl('stale')).join('\n');
    expect(texts).not.toContain('of-long-ago');
    const counted = [...texts.matchAll(/(\d+) notifications? had waited/g)].map(([, count]) => Number(count));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(140);
    expect(counted.length).toBeLessThanOrEqual(2);
  });

  test('a deleted channel gets nothing more, including what was queued', async () => {
    const { platformId, live } = await newPlatform(service);
    const id = await add(live.key, 'slack', slackUrl('deleted'));
    await service.request('DELETE', `/notification-channels/${id}`, { key: live.key });
    await insertOld(platformId, id, 3, new Date());
    await happen(live.key);
    await eventually(async () => (await queued(id)) === 0);
    expect(textsAt(slackUrl('deleted'))).toEqual([]);
  });

  test('a target that can no longer be decrypted is reported and does not block others', async () => {
    const { live } = await newPlatform(service);
    const broken = await add(live.key, 'slack', slackUrl('broken'));
    await add(live.key, 'slack', slackUrl('whole'));
    const sealed = createVault('another-data-key-of-thirty-two-characters').seal(SLACK_URL, 'channel target');
    await service.db.execute('update notification_channel set sealed_target = $2 where channel_id = $1', [
      broken,
      sealed,
    ]);
    await happen(live.key);
    await eventually(() => textsAt(slackUrl('whole')).length === 1);
    await eventually(async () => (await read(live.key, broken)).lastError !== null);
    expect((await read(live.key, broken)).lastError).toContain('DATA_KEY');
  });

  test('the log has every send, and no target, credential or subject', () => {
    const lines = logged.map((line) => JSON.parse(line)).filter(({ channelId }) => channelId !== undefined);
    for (const line of [
      { type: 'slack', count: 1, result: 'sent' },
      { type: 'email', count: 1, result: 'sent' },
      { result: 'failed', reason: 'Slack answered 404: no_service', code: 'http_404' },
    ])
      expect(lines).toContainEqual(expect.objectContaining(line));
    const whole = logged.join('');
    for (const secret of [SLACK_SECRET, 'secret-of-', EMAIL, 'nobody@', 'word-of-the-mailer', 'worker-1']) {
      expect(whole).not.toContain(secret);
    }
  });

  async function queued(...targets: string[]): Promise<number> {
    const [row] = await service.db.query<{ rows: number }>(
      'select count(*)::integer as rows from outbox_queue where target_id = any($1::uuid[])',
      [targets],
    );
    return row?.rows ?? 0;
  }

  /** Inserts envelopes as an outage leaves them: written long ago and still queued. */
  async function insertOld(platformId: string, channelId: string, count: number, at = twoHoursAgo()) {
    const ids = Array.from({ length: count }, () => idSource.at(at));
    const body = JSON.stringify({ type: 'score.updated', data: { user: { externalId: 'of-long-ago' } } });
    await service.db.transaction(async (tx) => {
      await tx.execute(
        `insert into envelope (platform_id, envelope_id, livemode, type, body, created_at)
         select $1::uuid, unnest($2::uuid[]), true, 'score.updated', $3::text, $4::timestamptz`,
        [platformId, ids, body, at],
      );
      await tx.execute(
        `insert into outbox_queue (kind, target_id, envelope_id, platform_id, due_at)
         select 'channel', $1::uuid, unnest($2::uuid[]), $3::uuid, $4::timestamptz`,
        [channelId, ids, platformId, at],
      );
    });
  }
});
