import { createHmac, randomBytes } from 'node:crypto';
import type { SigningKey } from '#ledger/signingKeys.js';
import { contentDigest, signMessage } from './messageSignature.js';

/** The current secret of an endpoint, and the previous one for a day after a rotation. */
export type SigningSecrets = readonly [current: string, previous?: string];

/**
 * Value of X-Service-Signature (RULES H2): for each secret 64 hex digits, an HMAC-SHA256 over
 * `<timestamp>.<body>`. The key is the text of the secret, with its prefix. The newer secret comes
 * first.
 * @param timestamp Unix seconds of the attempt.
 */
export function serviceSignature(secrets: SigningSecrets, timestamp: number, body: Buffer): string {
  return each(secrets, (secret) =>
    createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex'),
  ).join(',');
}

/**
 * Value of `webhook-signature` of Standard Webhooks: for each secret `v1,` and base64 of an
 * HMAC-SHA256 over `<id>.<timestamp>.<body>`. The key is the base64-decoded secret. The newer
 * secret comes first.
 */
export function standardSignature(
  secrets: SigningSecrets,
  id: string,
  timestamp: number,
  body: Buffer,
): string {
  return each(secrets, (secret) => {
    const digest = createHmac('sha256', bytesOf(secret)).update(`${id}.${timestamp}.`).update(body);
    return `v1,${digest.digest('base64')}`;
  }).join(' ');
}

function each<T>([current, previous]: SigningSecrets, sign: (secret: string) => T): T[] {
  return previous === undefined ? [sign(current)] : [sign(current), sign(previous)];
}

const PREFIX = 'whsec_';

function bytesOf(secret: string): Buffer {
  const bytes = Buffer.from(secret.slice(PREFIX.length), 'base64');
  // createHmac accepts an empty key, with which anybody could sign.
  if (!secret.startsWith(PREFIX) || bytes.length === 0) throw new Error('a webhook secret is malformed');
  return bytes;
}

/** Signs what this installation sends. */
export interface MessageSigner extends Pick<SigningKey, 'keyId' | 'privateKey'> {
  /** The origin of its key directory: `https://svc.example`. */
  readonly origin: string;
}

/**
 * @param baseUrl BASE_URL. The web-bot-auth profile requires https; a development server may have
 * http.
 */
export function messageSigner(baseUrl: string, { keyId, privateKey }: SigningKey): MessageSigner {
  return { origin: new URL(baseUrl).origin, keyId, privateKey };
}

interface DeliveryToSign extends HmacDelivery {
  readonly url: string;
  readonly agent: MessageSigner;
}

interface HmacDelivery {
  /** The exact text that is sent. */
  readonly body: string;
  readonly envelopeId: string;
  /**
   * When this attempt is made. Each attempt needs new signatures, since receivers refuse those
   * older than five minutes.
   */
  readonly at: Date;
  readonly secrets: SigningSecrets;
}

/**
 * The headers of one attempt to deliver an envelope, with three signatures (RULES H2): the
 * service's own, Standard Webhooks, and RFC 9421 in the web-bot-auth profile.
 */
export function signDelivery({ url, agent, ...delivery }: DeliveryToSign): Record<string, string> {
  return {
    ...hmacHeaders(delivery),
    'User-Agent': `ReliabilityScore-Webhooks/1.0 (+${agent.origin})`,
    ...messageHeaders(new URL(url), Buffer.from(delivery.body), secondsOf(delivery.at), agent),
  };
}

/** The headers with the two signatures by a secret. `reliability listen` sends them, too. */
export function hmacHeaders({ body, envelopeId, at, secrets }: HmacDelivery): Record<string, string> {
  const bytes = Buffer.from(body);
  const timestamp = secondsOf(at);
  return {
    'Content-Type': 'application/json',
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature': serviceSignature(secrets, timestamp, bytes),
    'webhook-id': envelopeId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignature(secrets, envelopeId, timestamp, bytes),
  };
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

const LABEL = 'sig1';
const VALID_SECONDS = 300;
const NONCE_BYTES = 64;

function messageHeaders(
  url: URL,
  body: Buffer,
  created: number,
  { origin, keyId, privateKey }: MessageSigner,
): Record<string, string> {
  const digest = contentDigest(body);
  const { input, signature } = signMessage(
    privateKey,
    LABEL,
    [
      ['"@method"', 'POST'],
      ['"@authority"', url.host],
      ['"@path"', url.pathname],
      ['"content-digest"', digest],
      [`"signature-agent";key="${LABEL}"`, `"${origin}"`],
    ],
    {
      created,
      expires: created + VALID_SECONDS,
      keyid: keyId,
      alg: 'ed25519',
      nonce: randomBytes(NONCE_BYTES).toString('base64'),
      tag: 'web-bot-auth',
    },
  );
  return {
    'Content-Digest': digest,
    'Signature-Agent': `${LABEL}="${origin}"`,
    'Signature-Input': input,
    Signature: signature,
  };
}
