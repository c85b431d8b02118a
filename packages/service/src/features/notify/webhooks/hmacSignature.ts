import { createHmac } from 'node:crypto';

/** The secrets of an endpoint: the one that holds, and the one before while it signs along after a rotation. */
export type SigningSecrets = readonly [current: string, previous?: string];

/**
 * Value of X-Service-Signature (RULES H2): for each secret 64 hex digits, an HMAC-SHA256 over
 * `<timestamp>.<body>`, keyed with the secret as it is written, prefix and all. The newer secret's comes first.
 * @param timestamp Unix seconds of the attempt.
 */
export function serviceSignature(secrets: SigningSecrets, timestamp: number, body: Buffer): string {
  return each(secrets, (secret) =>
    createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex'),
  ).join(',');
}

/**
 * Value of `webhook-signature` by Standard Webhooks: for each secret `v1,` and base64 of an HMAC-SHA256 over
 * `<id>.<timestamp>.<body>`, keyed with the bytes that the secret's text stands for. The newer secret's comes first.
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
  // An empty key would sign as well, and anyone could.
  if (!secret.startsWith(PREFIX) || bytes.length === 0) throw new Error('a webhook secret is malformed');
  return bytes;
}
