import { setMaxListeners } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually, SOON } from '#harness/eventually.js';
import { endsInTime } from '#kit/inTime.js';
import {
  createMailer,
  emailMessage,
  type Mail,
  type Mailer,
} from '../../../src/features/notify/channels/senders.js';
import { EMAIL, type MailServer, startMailServer } from './channelFixtures.js';

const NEVER = new AbortController().signal;
setMaxListeners(0, NEVER);
const MAIL: Mail = { to: EMAIL, subject: 'A score has moved', text: 'It rose.\n', messageName: 'one.two' };

describe('a mail', () => {
  let server: MailServer | undefined;
  let mailer: Mailer | undefined;
  const sender = (smtpUrl: string, more: object = {}) => {
    mailer = createMailer({ smtpUrl, baseUrl: 'https://scores.example.com', ...more });
    return mailer;
  };
  afterEach(async () => {
    mailer?.close();
    await server?.close();
    server = undefined;
  });

  test('reaches a server without login, from the host of the service', async () => {
    server = await startMailServer();
    expect(await sender(server.url).send(MAIL, NEVER)).toEqual({ isSent: true });
    expect(server.mails).toMatchObject([
      {
        from: 'reliability@scores.example.com',
        to: [EMAIL],
        user: undefined,
        headers: {
          from: 'reliability@scores.example.com',
          to: EMAIL,
          subject: 'A score has moved',
          'auto-submitted': 'auto-generated',
          'message-id': '<one.two@scores.example.com>',
          'content-type': 'text/plain; charset=utf-8',
        },
        text: 'It rose.\r\n',
      },
    ]);
  });

  test.each([
    ['http://192.0.2.7:3000', 'reliability@[192.0.2.7]'],
    ['http://[2001:db8::7]', 'reliability@[ipv6:2001:db8::7]'],
  ])('of a service at %s comes from %s', async (baseUrl, from) => {
    server = await startMailServer();
    expect(await sender(server.url, { baseUrl }).send(MAIL, NEVER)).toEqual({ isSent: true });
    expect(server.mails[0]?.headers.from).toBe(`<${from}>`);
  });

  test('logs in if needed, and has the sender that the operator configured', async () => {
    const login = { user: 'mailer@example.com', pass: 'p@ss/w:rd?&#%' };
    server = await startMailServer({ login });
    const result = await sender(server.url, { from: 'scores@example.com' }).send(MAIL, NEVER);
    expect(result).toEqual({ isSent: true });
    expect(server.mails).toMatchObject([
      { user: 'mailer@example.com', from: 'scores@example.com', headers: { from: 'scores@example.com' } },
    ]);
  });

  test('with a wrong login is reported without credentials, as a task for the operator', async () => {
    server = await startMailServer({ login: { user: 'right', pass: 'right' } });
    const wrong = server.url.replace('right:right', 'wrong-user:wrong-word');
    const result = await sender(wrong).send(MAIL, NEVER);
    expect(result).toMatchObject({ isSent: false, reason: expect.stringContaining('operator') });
    expect(JSON.stringify(result)).not.toMatch(/wrong-|right/);
    expect(server.mails).toEqual([]);
  });

  test('that the server refuses is reported in the words of the server, without the address', async () => {
    server = await startMailServer({
      onRcptTo: ({ address }, _session, callback) => callback(new Error(`No mailbox <${address}> here`)),
    });
    const result = await sender(server.url).send(MAIL, NEVER);
    expect(result).toMatchObject({
      isSent: false,
      reason: 'The mail server refused the message: 550 No mailbox <…> here',
    });
    expect(server.mails).toEqual([]);
  });

  test.each(['smtp', 'smtps'])(
    'over %s to a server with an untrusted certificate is not sent',
    async (scheme) => {
      server = await startMailServer({ disabledCommands: [], secure: scheme === 'smtps', logger: false });
      const result = await sender(server.url.replace('smtp:', `${scheme}:`)).send(MAIL, NEVER);
      expect(result).toMatchObject({
        isSent: false,
        reason: expect.stringContaining('No secure connection to the mail server could be established'),
      });
      const trusting = `${server.url.replace('smtp:', `${scheme}:`)}?tls.rejectUnauthorized=false`;
      expect(await sender(trusting).send(MAIL, NEVER)).toEqual({ isSent: true });
    },
  );

  test('to a missing server is reported as unreachable, without its address', async () => {
    const { url, close } = await startMailServer();
    await close();
    const result = await sender(url).send(MAIL, NEVER);
    expect(result).toMatchObject({
      isSent: false,
      reason: 'The mail server of this service could not be reached.',
    });
    expect(JSON.stringify(result)).not.toContain('127.0.0.1');
  });

  test.each([
    ['never greets', (socket: Socket) => void socket],
    [
      'drips its greeting',
      (socket: Socket) => {
        const timer = setInterval(() => socket.write('2'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('to a server that %s ends at the deadline', async (_what, onConnection) => {
    const sockets = new Set<Socket>();
    const hanging = createServer((socket) => {
      sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
      onConnection(socket);
    });
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = hanging.address() as AddressInfo;
    const sent = sender(`smtp://127.0.0.1:${port}`, { timeoutMs: 300 }).send(MAIL, NEVER);
    expect(await endsInTime(sent, 300 + SOON.timeout)).toBe(true);
    expect(await sent).toMatchObject({
      isSent: false,
      reason: 'The mail server did not take the message in time.',
    });
    await eventually(() => sockets.size === 0);
    hanging.close();
  });

  test('ends at once when the service stops', async () => {
    server = await startMailServer({ onData() {} });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const sent = sender(server.url).send(MAIL, stop.signal);
    expect(await endsInTime(sent, SOON.timeout)).toBe(true);
    expect(await sent).toMatchObject({ isSent: false });
  });

  test('many at once share a few connections, and one that hangs does not delay the others', async () => {
    server = await startMailServer({
      onRcptTo({ address }, _session, callback) {
        if (!address.startsWith('hanging')) callback();
      },
    });
    const shared = sender(server.url);
    const stop = new AbortController();
    const hanging = shared.send({ ...MAIL, to: 'hanging@example.com' }, stop.signal);
    const results = await Promise.all(Array.from({ length: 60 }, () => shared.send(MAIL, NEVER)));
    expect(results.every(({ isSent }) => isSent)).toBe(true);
    expect(server.connections()).toBeLessThanOrEqual(10);
    stop.abort();
    expect(await hanging).toMatchObject({ isSent: false });
  });

  test('is sent although the server has closed the pooled connection', async () => {
    server = await startMailServer();
    const shared = sender(server.url);
    for (let round = 0; round < 3; round += 1) {
      expect(await shared.send(MAIL, NEVER)).toEqual({ isSent: true });
      await server.hangUp();
    }
    expect(server.connections()).toBe(3);
    expect(server.mails).toHaveLength(3);
  });

  test('gets no header from the texts that it contains', async () => {
    server = await startMailServer();
    const nasty = { ...MAIL, subject: 'Hello\r\nBcc: other@example.com\r\n\r\nbody', text: '.\r\nQUIT\r\n.' };
    await sender(server.url).send(nasty, NEVER);
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]?.to).toEqual([EMAIL]);
    expect(server.mails[0]?.headers).not.toHaveProperty('bcc');
    expect(server.mails[0]?.text).toBe('.\r\nQUIT\r\n.\r\n');
  });
});

describe('a digest as a mail', () => {
  const terms = { channelId: 'c1', to: EMAIL, baseUrl: 'https://scores.example.com' };

  test('of several envelopes lists them, with a Message-ID that another set does not have', () => {
    const digest = {
      title: '2 notifications',
      sentences: ['It rose.', 'It fell.'],
      bodies: ['{}', '{}'],
      leftOut: 'One more.',
    };
    const named = (...envelopeIds: string[]) => emailMessage(digest, { ...terms, envelopeIds }).messageName;
    expect(emailMessage(digest, { ...terms, envelopeIds: ['e1', 'e2'] }).text).toMatch(
      /^- It rose\.\n- It fell\.\nOne more\.\n\n\{\}\n\n\{\}\n\n/,
    );
    expect(named('e1', 'e2')).toBe(named('e1', 'e2'));
    expect(new Set([named('e1', 'e2'), named('e1', 'e3'), named('e1')]).size).toBe(3);
  });
});
