import { type PublicKey, verifyWebhook } from '@reliability/client/webhooks';

interface Sent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `all`: the three signatures hold. `secretOnly`: the two with the secret do. */
export interface Verdict {
  readonly result: 'all' | 'secretOnly' | 'noneFits' | 'needsHttps';
  /** Why a signature does not hold, as the client tells integrators. */
  readonly reason: string | null;
}

/**
 * Checks the signatures of an attempt with the code of the client, at the time of the attempt. The
 * secret does not leave the page.
 */
export async function checkSignature(sent: Sent, secret: string): Promise<Verdict> {
  // Browsers lack it on pages without https, except on localhost.
  if (!('subtle' in crypto)) return { result: 'needsHttps', reason: null };
  const now = new Date(Number(sent.headers['X-Service-Timestamp']) * 1000);
  const failure = (message?: { url: string; keys: readonly PublicKey[] }) =>
    verifyWebhook(sent.body, sent.headers, secret, { now, message }).then(() => null, String);
  const bySecret = await failure();
  if (bySecret !== null) return { result: 'noneFits', reason: bySecret };
  const byKey = await publishedKeys().then((keys) => failure({ url: sent.url, keys }), String);
  return byKey === null ? { result: 'all', reason: null } : { result: 'secretOnly', reason: byKey };
}

async function publishedKeys(): Promise<PublicKey[]> {
  const response = await fetch('/.well-known/http-message-signatures-directory');
  return ((await response.json()) as { keys: PublicKey[] }).keys;
}
