import type { Envelope } from './stream.js';

/** Names are not case-sensitive. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the time of a signature may be from the clock here. Default: 300 s. */
  toleranceSeconds?: number | undefined;
  /**
   * Verifies the third signature (RFC 9421) too: the address of your endpoint as the service calls
   * it, and the public keys of the service, `(await client.listMessageSigningKeys()).keys`.
   */
  message?: { url: string; keys: readonly PublicKey[] } | undefined;
  /** Default: now. */
  now?: Date | undefined;
}

/** An Ed25519 key as JWK, with its id. */
export interface PublicKey {
  kty: string;
  crv?: string;
  x?: string;
  kid?: string;
}

/** A webhook whose signature does not hold: answer 400 and do not use it. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const DEFAULT_TOLERANCE_S = 300;
const PREFIX = 'whsec_';

/**
 * The envelope of a webhook, after its signatures were verified: the service's own and that of
 * Standard Webhooks, and with `message` the one of RFC 9421. At least one of the first two must be
 * there, and each that is there must hold.
 * @param rawBody The bytes as they arrived. JSON that was parsed and written again has another
 *   signature.
 * @param secret As it was returned when the endpoint was created, with `whsec_`.
 * Throws WebhookVerificationError. Throws TypeError if the body was parsed or the secret is empty.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  options: VerifyOptions = {},
): Promise<Envelope> {
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : rawBody;
  requireArguments(body, secret);
  const header = readerOf(headers);
  const verified = [
    await verifyService(body, header, secret, options),
    await verifyStandard(body, header, secret, options),
  ];
  if (!verified.includes(true)) throw new WebhookVerificationError('The webhook has no signature.');
  if (options.message) await verifyMessage(body, header, options.message, options);
  return JSON.parse(new TextDecoder().decode(body)) as Envelope;
}

/** For callers without types: a parsed body and an unset variable are the usual first mistakes. */
function requireArguments(body: unknown, secret: unknown): void {
  if (!(body instanceof Uint8Array)) {
    throw new TypeError(
      'rawBody must be the body as it arrived, a string or a Uint8Array. Read it before any JSON parser.',
    );
  }
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError(`The secret of the webhook is missing. It starts with ${PREFIX}.`);
  }
}

type Header = (name: string) => string | undefined;

function readerOf(headers: WebhookHeaders): Header {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = values.get(name);
    return typeof value === 'string' || value === undefined ? value : value.join(', ');
  };
}

/** False: there is no such signature. */
async function verifyService(body: Uint8Array, header: Header, secret: string, options: VerifyOptions) {
  const signature = header('x-service-signature');
  if (signature === undefined) return false;
  const timestamp = freshTimestamp(header('x-service-timestamp'), 'X-Service-Timestamp', options);
  const candidates = signature.split(',').map((hex) => bytesOfHex(hex.trim()));
  await requireHmac(
    new TextEncoder().encode(secret),
    `${timestamp}.`,
    body,
    candidates,
    'X-Service-Signature',
  );
  return true;
}

async function verifyStandard(body: Uint8Array, header: Header, secret: string, options: VerifyOptions) {
  const signature = header('webhook-signature');
  if (signature === undefined) return false;
  const timestamp = freshTimestamp(header('webhook-timestamp'), 'webhook-timestamp', options);
  const id = header('webhook-id');
  if (!id) throw new WebhookVerificationError('The header webhook-id is missing.');
  const candidates = signature
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => bytesOfBase64(part.slice('v1,'.length)));
  const key = secret.startsWith(PREFIX) ? bytesOfBase64(secret.slice(PREFIX.length)) : new Uint8Array();
  if (key.length === 0) throw new WebhookVerificationError(`A webhook secret starts with ${PREFIX}.`);
  await requireHmac(key, `${id}.${timestamp}.`, body, candidates, 'webhook-signature');
  return true;
}

function freshTimestamp(value: string | undefined, name: string, options: VerifyOptions): number {
  const seconds = Number(value);
  if (!value || !/^\d+$/.test(value)) throw new WebhookVerificationError(`The header ${name} is missing.`);
  requireFresh(seconds, name, options);
  return seconds;
}

function requireFresh(
  seconds: number,
  name: string,
  { toleranceSeconds, now = new Date() }: VerifyOptions,
): void {
  const tolerance = toleranceSeconds ?? DEFAULT_TOLERANCE_S;
  const age = Math.abs(now.getTime() / 1000 - seconds);
  if (!(age <= tolerance)) {
    throw new WebhookVerificationError(
      `${name} is ${Math.round(age)} s from the clock here, more than ${tolerance} s.`,
    );
  }
}

/** `crypto.subtle.verify` compares in constant time. */
async function requireHmac(
  key: Uint8Array,
  prefix: string,
  body: Uint8Array,
  candidates: readonly (Uint8Array | undefined)[],
  name: string,
): Promise<void> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', bufferOf(key), algorithm, false, ['verify']);
  const signed = joined([new TextEncoder().encode(prefix), body]);
  for (const candidate of candidates) {
    if (candidate && (await crypto.subtle.verify('HMAC', imported, bufferOf(candidate), bufferOf(signed))))
      return;
  }
  throw new WebhookVerificationError(`${name} does not match: wrong secret, or a changed body.`);
}

/** What the service signs (RFC 9421 in the web-bot-auth profile): one signature by one of its keys. */
async function verifyMessage(
  body: Uint8Array,
  header: Header,
  { url, keys }: NonNullable<VerifyOptions['message']>,
  options: VerifyOptions,
): Promise<void> {
  const input = /^(\w+)=(\(([^)]*)\)(.*))$/.exec(header('signature-input') ?? '');
  const [, label, parameters = '', components = '', tail = ''] = input ?? [];
  const [, signed, signature] = /^(\w+)=:([A-Za-z0-9+/=]+):$/.exec(header('signature') ?? '') ?? [];
  if (!label || !signature || signed !== label)
    throw new WebhookVerificationError('The message signature (RFC 9421) is missing.');
  const { host, pathname } = new URL(url);
  const digest = await crypto.subtle.digest('SHA-256', bufferOf(body));
  const values: Record<string, string | undefined> = {
    '"@method"': 'POST',
    '"@authority"': host,
    '"@path"': pathname,
    '"content-digest"': `sha-256=:${base64(new Uint8Array(digest))}:`,
    [`"signature-agent";key="${label}"`]: memberOf(header('signature-agent'), label),
  };
  const names = components.split(' ');
  if (Object.keys(values).some((name) => !names.includes(name))) {
    throw new WebhookVerificationError(
      'The message signature does not cover method, address, body and agent.',
    );
  }
  const lines = names.map((name) => {
    const value = values[name];
    if (value === undefined)
      throw new WebhookVerificationError(`The message signature covers ${name}, which is unknown here.`);
    return `${name}: ${value}`;
  });
  const created = Number(/;created=(\d+)/.exec(tail)?.[1]);
  requireFresh(created, 'created of the message signature', options);
  const keyId = /;keyid="([^"]+)"/.exec(tail)?.[1];
  const jwk = keys.find(({ kid }) => kid === keyId);
  if (!jwk) throw new WebhookVerificationError(`The key ${keyId} is not among the keys of the service.`);
  const { kty, crv = '', x = '' } = jwk;
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify']);
  const base = new TextEncoder().encode([...lines, `"@signature-params": ${parameters}`].join('\n'));
  const bytes = bytesOfBase64(signature) ?? new Uint8Array();
  if (!(await crypto.subtle.verify({ name: 'Ed25519' }, key, bufferOf(bytes), bufferOf(base)))) {
    throw new WebhookVerificationError('The message signature (RFC 9421) does not match.');
  }
}

function memberOf(value: string | undefined, label: string): string | undefined {
  const members = (value ?? '').matchAll(/(?:^|, ?)(\w+)=("[^"]*")/g);
  return [...members].find(([, name]) => name === label)?.[2];
}

function bytesOfHex(text: string): Uint8Array | undefined {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function bytesOfBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/** WebCrypto takes bytes on an ArrayBuffer, not on shared memory. */
function bufferOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}
