import { isIP } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import { derivedUuid } from '#kit/crypto.js';
import { OutboundError, type OutboundFetch } from '#kit/outboundFetch.js';
import type { Digest } from './digest.js';

export type SendResult =
  | { readonly isSent: true }
  | {
      readonly isSent: false;
      /** For the owner of the channel, without secrets, addresses and internals of the service. */
      readonly reason: string;
      /** For the operator's log. */
      readonly code: string;
    };

/** Time limit of one message, including the connection. */
const SEND_TIMEOUT_MS = 10_000;

const MAX_QUOTE = 200;

/** The answer of a receiver for display: one short line without secrets and addresses. */
function quoted(answer: string, secrets: readonly string[]): string {
  const line = answer.replace(/[\s\p{C}]+/gu, ' ').trim();
  // Secrets are removed before the text is cut, since half a secret would not be found.
  const safe = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line).replace(EMAIL, '…');
  return safe.length <= MAX_QUOTE ? safe : `${safe.slice(0, MAX_QUOTE)}…`;
}

const EMAIL = /(?<![^\s<>"'(),:;@])[^\s<>"'(),:;@]+@[^\s<>"'(),:;@]+/g;

/** Posts a digest to an incoming webhook of Slack. Never throws. */
export async function sendToSlack(
  outbound: Pick<OutboundFetch, 'post'>,
  url: string,
  digest: Digest,
  signal: AbortSignal,
): Promise<SendResult> {
  try {
    const { status, text } = await outbound.post({
      url,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ text: slackText(digest), ...PLAIN }),
      timeoutMs: SEND_TIMEOUT_MS,
      keepBytes: 1024,
      signal,
    });
    if (status >= 200 && status < 300) return { isSent: true };
    const answerText = quoted(text, secretsOf(url));
    return {
      isSent: false,
      reason: `Slack answered ${status}${answerText === '' ? '' : `: ${answerText}`}`,
      code: `http_${status}`,
    };
  } catch (error) {
    if (error instanceof OutboundError) return { isSent: false, reason: error.message, code: error.reason };
    return { isSent: false, reason: 'The message could not be sent to Slack.', code: 'unexpected' };
  }
}

/** Texts of platforms are shown literally: no markup, no links, no previews. */
const PLAIN = { mrkdwn: false, unfurl_links: false, unfurl_media: false };

/** Slack truncates messages at 40 000 characters. */
const MAX_TEXT_LENGTH = 38_000;

/** The text of a message, escaped for Slack. */
export function slackText({ title, sentences, leftOut }: Digest): string {
  if (sentences.length === 1 && leftOut === null) return escaped(title);
  const lines = [escaped(title)];
  let length = 0;
  for (const [listed, sentence] of sentences.entries()) {
    const line = `• ${escaped(sentence)}`;
    length += line.length + 1;
    if (length > MAX_TEXT_LENGTH) {
      lines.push(`…and ${sentences.length - listed} more`);
      break;
    }
    lines.push(line);
  }
  return (leftOut === null ? lines : [...lines, escaped(leftOut)]).join('\n');
}

/** Prevents links and mentions such as `<!channel>`, which notifies a whole channel. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Parts of the URL that an answer could repeat. */
function secretsOf(url: string): string[] {
  const { pathname, search } = new URL(url);
  return [url, ...`${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= 8)];
}

/** A digest as a plain-text mail: the sentences, the envelopes, and how to unsubscribe. */
export function emailMessage(digest: Digest, { channelId, to, envelopeIds, baseUrl }: EmailTerms): Mail {
  const { title, sentences, bodies, leftOut } = digest;
  const lines = sentences.length > 1 ? sentences.map((sentence) => `- ${sentence}`) : sentences;
  return {
    to,
    subject: subjectOf(title),
    text: [
      [...lines, ...(leftOut === null ? [] : [leftOut])].join('\n'),
      ...bodies.map(readable),
      `A notification channel of a platform at ${baseUrl} sent this mail. To stop it, delete the channel:\n` +
        `DELETE ${baseUrl}/api/v1/notification-channels/${channelId}\n`,
    ].join('\n\n'),
    messageName: `${nameOf(envelopeIds)}.${channelId}`,
  };
}

interface EmailTerms {
  channelId: string;
  to: string;
  /** The envelopes of the message, including those that it leaves out. */
  envelopeIds: readonly string[];
  baseUrl: string;
}

const MAX_SUBJECT_LENGTH = 150;

function subjectOf(title: string): string {
  const characters = [...title];
  if (characters.length <= MAX_SUBJECT_LENGTH) return title;
  return `${characters.slice(0, MAX_SUBJECT_LENGTH).join('')}…`;
}

function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Mailboxes drop a second message with the same name, so each set of envelopes has its own. */
function nameOf(envelopeIds: readonly string[]): string {
  const [first = 'none', ...others] = envelopeIds;
  return others.length === 0 ? first : derivedUuid('digest', ...envelopeIds);
}

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
