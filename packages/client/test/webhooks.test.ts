import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { messageSigner, signDelivery } from '../../service/src/features/notify/webhooks/signDelivery.js';
import { thumbprintOf } from '../../service/src/ledger/signingKeys.js';
import { verifyWebhook, WebhookVerificationError } from '../src/index.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const OTHER = 'whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=';
const URL_SENT_TO = 'https://receiver.example/hooks/scores?tenant=7';
const id = randomUUID();
const body = JSON.stringify({ id, type: 'score.updated', livemode: true, data: { name: 'Zoë' } });

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const { x = '' } = publicKey.export({ format: 'jwk' });
const publicJwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
const keyId = thumbprintOf(publicJwk);
const keys = [{ ...publicJwk, kid: keyId }];
const agent = messageSigner('https://svc.example', { keyId, privateKey, publicJwk });

function sent(change: Partial<Parameters<typeof signDelivery>[0]> = {}): Record<string, string> {
  const given = { url: URL_SENT_TO, body, envelopeId: id, at: new Date(), secrets: [SECRET] as const };
  return signDelivery({ ...given, agent, ...change });
}

const message = { url: URL_SENT_TO, keys };

describe('verifyWebhook', () => {
  test('returns the envelope if all three signatures hold', async () => {
    expect(await verifyWebhook(body, sent(), SECRET, { message })).toEqual(JSON.parse(body));
    expect(await verifyWebhook(Buffer.from(body), new Headers(sent()), SECRET)).toEqual(JSON.parse(body));
  });

  test('accepts either secret while one is being rotated', async () => {
    const headers = sent({ secrets: [OTHER, SECRET] });
    for (const secret of [SECRET, OTHER]) {
      await expect(verifyWebhook(body, headers, secret)).resolves.toMatchObject({ id });
    }
  });

  test('is content with one of the two signatures of the secret, but needs one', async () => {
    const { 'X-Service-Signature': service, 'webhook-signature': standard, ...rest } = sent();
    const withService = { ...rest, 'X-Service-Signature': service };
    const withStandard = { ...rest, 'webhook-signature': standard };
    await expect(verifyWebhook(body, withService, SECRET)).resolves.toMatchObject({ id });
    await expect(verifyWebhook(body, withStandard, SECRET)).resolves.toMatchObject({ id });
    await expect(verifyWebhook(body, rest, SECRET)).rejects.toThrow('has no signature');
  });

  const forged: [string, () => Record<string, string>, string?][] = [
    ['another secret', () => sent({ secrets: [OTHER] })],
    ['a changed body', () => sent({ body: body.replace('Zoë', 'Eve') })],
    ['a changed service signature', () => ({ ...sent(), 'X-Service-Signature': '0'.repeat(64) })],
    [
      'a changed standard signature',
      () => ({ ...sent(), 'webhook-signature': `v1,${btoa('0'.repeat(32))}` }),
    ],
    ['another id', () => ({ ...sent(), 'webhook-id': randomUUID() })],
    ['an old time', () => sent({ at: new Date(Date.now() - 301_000) })],
    ['a future time', () => sent({ at: new Date(Date.now() + 302_000) })],
    ['a time that is no number', () => ({ ...sent(), 'X-Service-Timestamp': 'NaN' })],
    ['no message signature', () => ({ ...sent(), Signature: '' })],
    ['a changed message signature', () => ({ ...sent(), Signature: `sig1=:${btoa('0'.repeat(64))}:` })],
    ['a message signed for another address', () => sent({ url: 'https://other.example/hooks/scores' })],
    ['a message signed over less', () => withoutBody(sent())],
    [
      'a key that is not of the service',
      () => ({ ...sent(), 'Signature-Input': sent()['Signature-Input']?.replace(keyId, 'k') ?? '' }),
    ],
  ];
  test.each([
    ['a parsed body', JSON.parse(body), SECRET, 'rawBody must be the body as it arrived'],
    ['an empty secret', body, '', 'The secret of the webhook is missing'],
    ['an undefined secret', body, undefined, 'The secret of the webhook is missing'],
  ])('says what is wrong with %s', async (_what, given, secret, message) => {
    await expect(verifyWebhook(given, sent(), secret as string)).rejects.toThrow(message);
  });

  test.each(forged)('refuses %s', async (_what, headers) => {
    const verified = verifyWebhook(body, headers(), SECRET, { message });
    await expect(verified).rejects.toThrow(WebhookVerificationError);
  });
});

function withoutBody(headers: Record<string, string>): Record<string, string> {
  return {
    ...headers,
    'Signature-Input': headers['Signature-Input']?.replace('"content-digest" ', '') ?? '',
  };
}
