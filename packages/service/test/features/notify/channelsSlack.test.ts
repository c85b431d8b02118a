import { afterEach, describe, expect, test } from 'vitest';
import { exampleEnvelope } from '#domain/envelopes/catalogue.js';
import { SOON } from '#harness/eventually.js';
import { endsInTime } from '#kit/inTime.js';
import type { ClaimedItem } from '#outbox/channelAdapter.js';
import { type Digest, digestOf } from '../../../src/features/notify/channels/digest.js';
import { sendToSlack, slackText } from '../../../src/features/notify/channels/senders.js';
import { SLACK_SECRET, SLACK_URL, type SlackStandIn, startSlack } from './channelFixtures.js';

const NEVER = new AbortController().signal;

describe('a message to Slack', () => {
  let slack: SlackStandIn;
  afterEach(() => slack.close());

  test('goes to the webhook as plain text', async () => {
    slack = await startSlack();
    expect(await sendToSlack(slack.outbound, SLACK_URL, digest(1), NEVER)).toEqual({ isSent: true });
    const [request] = slack.receiver.received;
    expect(request).toMatchObject({
      method: 'POST',
      path: `/services/T0EXAMPLE/B0EXAMPLE/${SLACK_SECRET}`,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      text: 'The score of worker-0 rose from 63.87 (Fair) to 66.10 (Good).',
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  test.each([
    [404, 'no_service'],
    [302, ''],
    [500, ''],
  ])('that is answered with %i has failed, with the reason in the words of Slack', async (status, text) => {
    slack = await startSlack({ status, headers: { location: '/elsewhere' }, body: text });
    expect(await sendToSlack(slack.outbound, SLACK_URL, digest(1), NEVER)).toEqual({
      isSent: false,
      reason: `Slack answered ${status}${text === '' ? '' : `: ${text}`}`,
      code: `http_${status}`,
    });
    expect(slack.posts).toHaveLength(1);
  });

  test('does not reveal its secret if the answer repeats it', async () => {
    const body = `nothing at ${new URL(SLACK_URL).pathname}\r\n${SLACK_SECRET} ${SLACK_URL} ${'x'.repeat(900)}`;
    slack = await startSlack({ status: 404, body });
    const result = await sendToSlack(slack.outbound, SLACK_URL, digest(1), NEVER);
    expect(JSON.stringify(result)).not.toContain(SLACK_SECRET.slice(0, 8));
    expect(result).toMatchObject({
      reason: expect.stringMatching(/^Slack answered 404: nothing at [^\n]{1,250}$/),
    });
  });

  test('fails when the connection breaks and when the service stops', async () => {
    slack = await startSlack('hang up');
    const broken = await sendToSlack(slack.outbound, SLACK_URL, digest(1), NEVER);
    expect(broken).toMatchObject({ isSent: false, code: 'connection' });
    await slack.close();
    slack = await startSlack('hang');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 50);
    const halted = sendToSlack(slack.outbound, SLACK_URL, digest(1), stop.signal);
    expect(await endsInTime(halted, SOON.timeout)).toBe(true);
    expect(await halted).toMatchObject({ isSent: false, code: 'aborted' });
  });
});

describe('the text of a message to Slack', () => {
  test('lists several sentences under a heading', () => {
    expect(slackText(digest(2))).toBe(
      '2 notifications\n' +
        '• The score of worker-0 rose from 63.87 (Fair) to 66.10 (Good).\n' +
        '• The score of worker-1 rose from 63.87 (Fair) to 66.10 (Good).',
    );
    expect(slackText(digestOf([], 1200, false))).toBe(
      '[test] 1,200 notifications left out\n1,200 notifications had waited for more than an hour and are not listed.',
    );
    expect(slackText(digestOf([item('worker-1')], 1, true)).split('\n')).toEqual([
      '1 notification, and 1 older left out',
      '• The score of worker-1 rose from 63.87 (Fair) to 66.10 (Good).',
      '1 notification had waited for more than an hour and is not listed.',
    ]);
  });

  test('contains no mention and no link, whatever the name of a subject', () => {
    const text = slackText(digestOf([item('<!channel> & <https://evil.example|score>')], 0, true));
    expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|score&gt;');
    expect(text).not.toMatch(/[<>]/);
  });

  test('stays below the limit at which Slack truncates', () => {
    const long = Array.from({ length: 50 }, () => item('&'.repeat(255)));
    const text = slackText(digestOf(long, 3, true));
    expect(text.length).toBeLessThan(40_000);
    const emitted = text.split('\n').filter((line) => line.startsWith('•')).length;
    expect(text).toContain(`…and ${50 - emitted} more\n3 notifications had waited`);
  });
});

function digest(count: number): Digest {
  return digestOf(
    Array.from({ length: count }, (_, n) => item(`worker-${n}`)),
    0,
    true,
  );
}

function item(externalId: string): ClaimedItem {
  const envelope = exampleEnvelope('score.updated');
  return {
    kind: 'channel',
    targetId: 'channel',
    claim: 'claim',
    platformId: 'platform',
    envelopeId: envelope.id,
    type: envelope.type,
    body: JSON.stringify({ ...envelope, data: { ...envelope.data, user: { externalId } } }),
    envelopeCreatedAt: new Date(envelope.createdAt),
    attempt: 1,
  };
}
