import { createHmac } from 'node:crypto';

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
