import { isIP } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import { quoted, SEND_TIMEOUT_MS, type SendResult } from './sendResult.js';

export interface Mail {
  /** One validated address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Left side of the Message-ID, the same if the same message is sent twice. */
  readonly messageName: string;
}

export interface Mailer {
  /** Makes one attempt within the time limit. Never throws. On `signal` it ends at once. */
  send(mail: Mail, signal: AbortSignal): Promise<SendResult>;
  /** Closes every connection. */
  close(): void;
}

interface MailerOptions {
  /** As in SMTP_URL. */
  smtpUrl: string;
  /** The sender. Default: `reliability@` the host of `baseUrl`. */
  from?: string | undefined;
  baseUrl: string;
  /** Default: ten seconds. */
  timeoutMs?: number;
}

const MAX_CONNECTIONS = 10;
const IDLE_TIMEOUT_MS = 30_000;

export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, baseUrl, from, timeoutMs = SEND_TIMEOUT_MS } = options;
  const host = mailHostOf(baseUrl);
  const sender = from ?? `reliability@${host}`;
  let opened: ReturnType<typeof openTransport> | undefined;

  return {
    send: (mail, signal) =>
      withinDeadline(signal, timeoutMs, async (until) => {
        opened ??= openTransport(smtpUrl, timeoutMs);
        const transport = await opened;
        await transport.sendMail({
          from: sender,
          to: { name: '', address: mail.to },
          envelope: { from: sender, to: mail.to },
          subject: mail.subject,
          text: mail.text,
          messageId: `<${mail.messageName}@${host}>`,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
          signal: until,
        });
      }),
    close: () => {
      // `send` has reported a transport that could not be opened.
      opened?.then((transport) => transport.close({ force: true })).catch(() => undefined);
    },
  };
}

/** Loads the library with the first mail, since most installations send none. */
async function openTransport(smtpUrl: string, timeoutMs: number) {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    pool: true,
    url: smtpUrl,
    maxConnections: MAX_CONNECTIONS,
    idleTimeout: IDLE_TIMEOUT_MS,
    // For a pooled connection that the server has just closed. The deadline covers both attempts.
    maxRequeues: 1,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

async function withinDeadline(
  signal: AbortSignal,
  timeoutMs: number,
  work: (until: AbortSignal) => Promise<void>,
): Promise<SendResult> {
  const deadline = new AbortController();
  const end = (): void => deadline.abort();
  const timer = setTimeout(end, timeoutMs);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    await work(deadline.signal);
    return { isSent: true };
  } catch (error) {
    return failureOf(error as NodemailerError);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/**
 * Server names and credentials belong to the operator. The platform learns who has to act, and what
 * the server said of its mail.
 */
function failureOf({ code = '', originalCode = '', response, command }: NodemailerError): SendResult {
  const isAboutTrust = /CERT|SSL|TLS/.test(originalCode);
  return {
    isSent: false,
    reason: wordsFor(isAboutTrust ? 'ETLS' : code, response),
    code: [code, originalCode, command].filter(Boolean).join(' '),
  };
}

function wordsFor(code: string, response: string | undefined): string {
  switch (code) {
    case 'EENVELOPE':
    case 'EMESSAGE':
      return response ? `The mail server refused the message: ${quoted(response, [])}` : REFUSED;
    case 'EABORT':
    case 'ETIMEDOUT':
      return 'The mail server did not take the message in time.';
    case 'EAUTH':
    case 'ENOAUTH':
    case 'EOAUTH2':
      return 'The mail server refused the credentials of this service. Its operator has to correct SMTP_URL.';
    case 'ETLS':
    case 'EREQUIRETLS':
      return 'No secure connection to the mail server could be established. The operator of this service has to check SMTP_URL.';
    case 'ECONNECTION':
    case 'ESOCKET':
    case 'EDNS':
    case 'EPROTOCOL':
      return 'The mail server of this service could not be reached.';
    default:
      return 'The message could not be sent by mail.';
  }
}

const REFUSED = 'The mail server refused the message.';

/** The host of a URL as an e-mail domain: an IP address in brackets (RFC 5321 4.1.3). */
function mailHostOf(url: string): string {
  const { hostname } = new URL(url);
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1)}`;
  return isIP(hostname) === 0 ? hostname : `[${hostname}]`;
}
