import { createHash, type KeyObject, sign } from 'node:crypto';

/**
 * A component that a signature covers: its identifier, serialised as in RFC 9421, and its value.
 */
export type Component = readonly [identifier: string, value: string];

/** Parameters of a signature in the order of the header; numbers are times in Unix seconds. */
export type Parameters = Readonly<Record<string, string | number>>;

/**
 * An Ed25519 signature of a message (RFC 9421): the labelled members of `Signature-Input` and
 * `Signature`. Values are not escaped: they must not contain quotes, backslashes or control
 * characters.
 *
 * Why not a library: http-message-signatures takes 113 µs per delivery and is asynchronous; this
 * takes 43 µs, 36 of them for Ed25519. web-bot-auth 0.1 covers all of `Signature-Agent` instead of
 * a member. The tests compare with both.
 */
export function signMessage(
  privateKey: KeyObject,
  label: string,
  components: readonly Component[],
  parameters: Parameters,
): { input: string; signature: string } {
  const covered = components.map(([identifier]) => identifier).join(' ');
  const signatureParams = `(${covered})${Object.entries(parameters).map(serialised).join('')}`;
  const lines = components.map(([identifier, value]) => `${identifier}: ${value}`);
  const base = [...lines, `"@signature-params": ${signatureParams}`].join('\n');
  const signature = sign(null, Buffer.from(base), privateKey).toString('base64');
  return { input: `${label}=${signatureParams}`, signature: `${label}=:${signature}:` };
}

function serialised([name, value]: [string, string | number]): string {
  return typeof value === 'number' ? `;${name}=${value}` : `;${name}="${value}"`;
}

/** Value of `Content-Digest` (RFC 9530) for the bytes of a body. */
export function contentDigest(body: Buffer): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}
