import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { type Reaction, startReceiver } from '#harness/receiver.js';
import type { RequestOptions, TestAnswer, TestService } from '#harness/service.js';
import { parseNetworks } from '#kit/addressGuard.js';
import { createOutboundFetch, type OutboundFetch } from '#kit/outboundFetch.js';

export const SLACK_SECRET = 'AbCdEfGhIjKlMnOpQrStXv3q';
export const SLACK_URL = `https://hooks.slack.com/services/T0EXAMPLE/B0EXAMPLE/${SLACK_SECRET}`;
export const SLACK_MASK = 'https://hooks.slack.com/services/…/…Xv3q';
export const EMAIL = 'watcher@alerts.example.com';
export const EMAIL_MASK = 'w***@a***.com';

/** POST /notification-channels. */
export function addChannel(
  service: TestService,
  body: unknown,
  options: RequestOptions = {},
): Promise<TestAnswer> {
  return service.request('POST', '/notification-channels', { ...options, body });
}

/** A Slack webhook URL with a secret of its own. */
export function slackUrl(name: string): string {
  return `https://hooks.slack.com/services/T0EXAMPLE/B0EXAMPLE/secret-of-${name}`;
}

/** A mail as the server received it. */
interface ReceivedMail {
  from: string;
  to: string[];
  user: string | undefined;
  /** Headers by lower-case name, unfolded. */
  headers: Record<string, string>;
  text: string;
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

interface MailServerOptions extends SMTPServerOptions {
  /** The only credentials that it accepts. */
  login?: { user: string; pass: string };
}

/** A real SMTP server on loopback. */
export async function startMailServer({ login, ...options }: MailServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    closeTimeout: 10,
    disableReverseLookup: true,
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    onAuth({ username, password }, _session, callback) {
      if (username === login?.user && password === login?.pass) callback(null, { user: username });
      else callback(new Error('Wrong user or password'));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          user: typeof session.user === 'string' ? session.user : undefined,
          ...parsedMail(Buffer.concat(chunks).toString('utf8')),
        });
        callback();
      });
    },
    ...options,
  });
  server.on('error', () => {}); // a client that hangs up is part of some tests
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const userInfo = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}@` : '';
  return {
    url: `smtp://${userInfo}127.0.0.1:${port}`,
    mails,
    /** Since its start. */
    connections: () => connections,
    /** Closes the open connections, and waits until their clients have noticed. */
    async hangUp() {
      const ends = [...sockets].map((socket) => once(socket, 'close'));
      for (const socket of sockets) socket.end();
      await Promise.all(ends);
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

function parsedMail(raw: string): { headers: Record<string, string>; text: string } {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = rest.join('\r\n\r\n');
  const encoding = headers['content-transfer-encoding'];
  return { headers, text: encoding === 'quoted-printable' ? unquoted(body) : body };
}

function unquoted(text: string): string {
  const joined = text.replace(/=\r\n/g, '');
  return Buffer.from(
    joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');
}

export type SlackStandIn = Awaited<ReturnType<typeof startSlack>>;

/**
 * A local server in the place of Slack. By default it answers "ok". Other loopback addresses can be
 * reached as well.
 */
export async function startSlack(reaction: Reaction = { status: 200, body: 'ok' }) {
  const receiver = await startReceiver();
  receiver.react(() => reaction);
  const real = createOutboundFetch({ allowed: parseNetworks('127.0.0.0/8') });
  const moved = <Request extends { url: string }>(request: Request): Request => {
    return { ...request, url: request.url.replace(/^https:\/\/hooks\.slack\.com/, receiver.url) };
  };
  /** The service's own client, with the host of Slack on loopback. */
  const outbound: OutboundFetch = {
    ...real,
    post: (request) => real.post(moved(request)),
    send: (request) => real.send(moved(request)),
  };
  return {
    receiver,
    outbound,
    /** The messages to Slack in the order of arrival. */
    get posts() {
      return receiver.received.map(({ path, body }) => ({ path, text: JSON.parse(body).text as string }));
    },
    async close() {
      await real.close();
      await receiver.close();
    },
  };
}
