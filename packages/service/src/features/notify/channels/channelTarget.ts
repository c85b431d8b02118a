import { channelTypes } from '#domain/catalogues/enums.js';
import { assertNever, fail } from '#domain/errors.js';
import { parsedUrl } from '#domain/parsedUrl.js';

export type ChannelType = (typeof channelTypes)[number];

/** The context under which targets are sealed; see Vault. */
export const TARGET_CONTEXT = 'channel target';

/** Where messages of a channel go. */
export interface ChannelTarget {
  readonly type: ChannelType;
  /** The complete target, stored only sealed: a Slack URL is a secret. */
  readonly address: string;
  /** The form that answers show. */
  readonly masked: string;
}

/**
 * Validates the type and target of a request. Throws NOTIFICATION_CHANNEL_INVALID.
 * @param sendsEmail whether the operator has configured a mail server.
 */
export function channelTargetOf(type: unknown, target: unknown, sendsEmail: boolean): ChannelTarget {
  if (!isChannelType(type)) return refuse('type', `must be one of ${channelTypes.join(', ')}`);
  if (typeof target !== 'string') return refuse('target', 'must be a text');
  switch (type) {
    case 'slack':
      return slackTarget(target);
    case 'email':
      if (!sendsEmail) return refuse('type', NO_MAIL_SERVER);
      return emailTarget(target);
    default:
      return assertNever(type);
  }
}

const NO_MAIL_SERVER =
  'email needs a mail server, and this installation has none. Its operator has to set SMTP_URL.';

function isChannelType(type: unknown): type is ChannelType {
  return channelTypes.some((known) => known === type);
}

const SLACK_HOST = 'hooks.slack.com';
const SLACK_EXPECTED = `must be the URL of a Slack incoming webhook, https://${SLACK_HOST}/services/…`;
const MAX_URL_LENGTH = 2048;

/** Checks and stores what the URL parser returns, since that is the URL that is called. */
function slackTarget(text: string): ChannelTarget {
  // The parser silently removes line breaks.
  const isUrl = text.length <= MAX_URL_LENGTH && !/[\s\p{Cc}]/u.test(text);
  const url = isUrl ? parsedUrl(text) : null;
  if (url === null || !isSlackHook(url)) return refuse('target', SLACK_EXPECTED);
  url.hash = '';
  return { type: 'slack', address: url.href, masked: maskedHook(url) };
}

function isSlackHook({ protocol, hostname, port, username, password, pathname }: URL): boolean {
  const isPlain = username === '' && password === '' && port === '';
  return protocol === 'https:' && hostname === SLACK_HOST && isPlain && /[^/]/.test(pathname);
}

/** Kinds of hook. Any other first part of a path could be the secret itself. */
const HOOK_KINDS = ['services', 'workflows', 'triggers'];
const VISIBLE_END = 4;
/** A shorter secret is masked completely. */
const MIN_SECRET_LENGTH = 16;

function maskedHook({ pathname }: URL): string {
  const parts = pathname.split('/').filter((part) => part !== '');
  const kind = HOOK_KINDS.find((known) => known === parts[0]);
  const last = parts.at(-1) ?? '';
  const end = last.length >= MIN_SECRET_LENGTH ? last.slice(-VISIBLE_END) : '';
  return `https://${SLACK_HOST}/${kind === undefined ? '' : `${kind}/`}…/…${end}`;
}

const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** One address without name, quotes, comments or lists (RFC 5321, dot-string at a domain). */
const EMAIL =
  /^(?<local>[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*)@(?<domain>(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d]))$/i;

function emailTarget(text: string): ChannelTarget {
  const { local, domain } = (text.length <= MAX_EMAIL_LENGTH && EMAIL.exec(text)?.groups) || {};
  if (local === undefined || domain === undefined || local.length > MAX_LOCAL_LENGTH) {
    return refuse('target', 'must be a single e-mail address, such as alerts@example.com');
  }
  const end = domain.slice(domain.lastIndexOf('.'));
  return { type: 'email', address: text, masked: `${initial(local)}***@${initial(domain)}***${end}` };
}

/** The first letter of a short name would reveal too much of it. */
function initial(text: string): string {
  return text.length > 2 ? text.slice(0, 1) : '';
}

function refuse(path: 'type' | 'target', message: string): never {
  const details = [{ path, message, code: path === 'type' ? 'invalid_value' : 'invalid_format' }];
  return fail('NOTIFICATION_CHANNEL_INVALID', { message: `${path}: ${message}`, details });
}
