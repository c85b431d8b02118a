import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { httpbis } from 'http-message-signatures';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verify as verifyBot } from 'web-bot-auth';
import { verifierFromJWK } from 'web-bot-auth/crypto';
import { type PublicJwk, type SigningKey, thumbprintOf } from '#ledger/signingKeys.js';
import { signMessage } from '../../../src/features/notify/webhooks/messageSignature.js';
import {
  messageSigner,
  signDelivery,
  standardSignature,
} from '../../../src/features/notify/webhooks/signDelivery.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const OLD_SECRET = 'whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=';
const ID = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';
const BODY = `{"id":"${ID}","type":"score.updated","data":{"name":"Zoë"}}`;
const URL_SENT_TO = 'https://Receiver.example:443/hooks/scores?tenant=7';
const ORIGIN = 'https://svc.example';

const key = newKey();
const agent = messageSigner(`${ORIGIN}/some/path`, key);

function newKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const publicJwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x };
  return { keyId: thumbprintOf(publicJwk), privateKey, publicJwk };
}

function delivered(change: Partial<Parameters<typeof signDelivery>[0]> = {}) {
  const given = { url: URL_SENT_TO, body: BODY, envelopeId: ID, at: new Date(), secrets: [SECRET] as const };
  return signDelivery({ ...given, agent, ...change });
}

describe('the headers of an attempt', () => {
  test('are complete, and contain no secret and no private key', () => {
    const headers = delivered({ at: new Date('2026-11-21T08:00:00.999Z') });
    expect(Object.keys(headers)).toEqual([
      'Content-Type',
      'X-Service-Timestamp',
      'X-Service-Signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'User-Agent',
      'Content-Digest',
      'Signature-Agent',
      'Signature-Input',
      'Signature',
    ]);
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'User-Agent': expect.stringContaining(ORIGIN),
      'X-Service-Timestamp': '1795248000',
      'webhook-id': ID,
      'webhook-timestamp': '1795248000',
    });
    const all = Object.values(headers).join('\n');
    expect(all).not.toContain(SECRET.slice(6, 20));
    expect(all).not.toContain(key.privateKey.export({ format: 'jwk' }).d);
  });
});

// Computed with openssl dgst and with Python's hmac.
describe('the two HMAC signatures', () => {
  const at = new Date('2026-11-21T08:00:00Z');
  const hex = '4474f9eab80cc0e87150bb81f46e7d84b43d947640dd8614fa33ebadde7d3dee';
  const oldHex = '5ff3804ae393944dcc77883595b15eb82963e82aded3137848a2675dd128d3c5';
  const base64 = 'WqdNcfe70am+kLyECef6rTY7jfx+9Xyid8IHCBOAsTE=';
  const oldBase64 = 'qbfa4aF8bpTx+qHT6l9KAXOo2kE66EtgZeP5/FcsW9U=';

  test('equal what other tools compute, one with the secret as text and one with it decoded', () => {
    const headers = delivered({ at });
    expect([headers['X-Service-Signature'], headers['webhook-signature']]).toEqual([hex, `v1,${base64}`]);
  });

  test('are both there for both secrets after a rotation, the new one first', () => {
    const headers = delivered({ at, secrets: [SECRET, OLD_SECRET] });
    expect(headers['X-Service-Signature']).toBe(`${hex},${oldHex}`);
    expect(headers['webhook-signature']).toBe(`v1,${base64} v1,${oldBase64}`);
  });

  test.each([
    ['c2VjcmV0', 'without prefix'],
    ['whsec_', 'empty'],
    ['whsec_?', 'not base64'],
  ])('are not made with the malformed secret "%s" (%s), and the error does not repeat it', (secret) => {
    const attempt = () => standardSignature([secret], ID, 1, Buffer.from(BODY));
    expect(attempt).toThrow(/^a webhook secret is malformed/);
  });
});

describe('a receiver with the standardwebhooks package', () => {
  test('accepts a delivery, with either secret while both sign', () => {
    const headers = delivered({ secrets: [SECRET, OLD_SECRET] });
    for (const secret of [SECRET, OLD_SECRET])
      expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
    expect(new Webhook(SECRET).verify(BODY, delivered())).toEqual(JSON.parse(BODY));
  });
});

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The message as it arrives. */
function arriving(change: Partial<Sent> = {}, headers: Record<string, string> = {}): Sent {
  return {
    method: 'POST',
    url: URL_SENT_TO,
    body: BODY,
    ...change,
    headers: { ...delivered(), ...headers },
  };
}

const published = createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' });

/**
 * A receiver with http-message-signatures. It checks the digest itself, as the library requires.
 */
async function libraryAccepts(sent: Sent): Promise<boolean> {
  const keyLookup = async ({ keyid }: { keyid?: string }) =>
    keyid === key.keyId
      ? {
          id: keyid,
          algs: ['ed25519'],
          verify: async (d: Buffer, s: Buffer) => verify(null, d, published, s),
        }
      : null;
  const isSigned = await httpbis.verifyMessage({ keyLookup, all: true }, sent).catch(() => false);
  return isSigned === true && digestHolds(sent);
}

/**
 * A receiver with web-bot-auth 0.1.3. That version reads the whole field where a component with
 * `key` means one member (RFC 9421, 2.1.2), so it gets that member only.
 */
async function botLibraryAccepts(sent: Sent): Promise<boolean> {
  const member = sent.headers['Signature-Agent']?.replace('sig1=', '') ?? '';
  const message = { ...sent, headers: { ...sent.headers, 'Signature-Agent': member } };
  const verifier = await verifierFromJWK({ ...key.publicJwk });
  const isSigned = await verifyBot(message, verifier).then(
    () => true,
    () => false,
  );
  return isSigned && digestHolds(sent);
}

function digestHolds({ headers, body }: Sent): boolean {
  return headers['Content-Digest'] === `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}

const receivers: [string, (sent: Sent) => Promise<boolean>][] = [
  ['http-message-signatures', libraryAccepts],
  ['web-bot-auth', botLibraryAccepts],
];

describe.each(receivers)('a receiver that checks the message signature with %s', (_, accepts) => {
  test('accepts a delivery', async () => {
    expect(await accepts(arriving())).toBe(true);
  });

  test.each([
    ['body', arriving({ body: BODY.replace('Zoë', 'Zoe') })],
    ['path', arriving({ url: 'https://receiver.example/hooks/others' })],
    ['key', arriving({}, delivered({ agent: messageSigner(ORIGIN, { ...newKey(), keyId: key.keyId }) }))],
  ])('refuses a delivery with another %s', async (_what, sent) => {
    expect(await accepts(sent)).toBe(false);
  });

  test('refuses a delivery that is older than five minutes', async () => {
    const headers = delivered({ at: new Date(Date.now() - 302_000) });
    expect(await accepts({ ...arriving(), headers })).toBe(false);
  });
});

describe('the message signature', () => {
  test('has the members, components and parameters of the profile in its order', () => {
    const headers = delivered({ at: new Date('2026-11-21T08:00:00Z') });
    expect(headers['Signature-Agent']).toBe('sig1="https://svc.example"');
    expect(headers['Content-Digest']).toBe('sha-256=:Of+1W2r+oOdm6n0oCwWaBzIuUSfEvHXx+YbrxZjK1go=:'); // openssl's
    const [, nonce = ''] = /;nonce="([^"]*)"/.exec(headers['Signature-Input'] ?? '') ?? [];
    expect(headers['Signature-Input']).toBe(
      'sig1=("@method" "@authority" "@path" "content-digest" "signature-agent";key="sig1")' +
        `;created=1795248000;expires=1795248300;keyid="${key.keyId}";alg="ed25519";nonce="${nonce}";tag="web-bot-auth"`,
    );
    expect(Buffer.from(nonce, 'base64')).toHaveLength(64);
    expect(headers.Signature).toMatch(/^sig1=:[A-Za-z0-9+/]{86}==:$/);
  });

  test('names a development server without https', () => {
    const headers = delivered({ agent: messageSigner('http://localhost:3000', key) });
    expect(headers['Signature-Agent']).toBe('sig1="http://localhost:3000"');
  });

  const vectors: [string, string, [string, string][], Record<string, string | number>, string][] = [
    [
      'RFC 9421, B.2.6',
      'sig-b26',
      [
        ['"date"', 'Tue, 20 Apr 2021 02:07:55 GMT'],
        ['"@method"', 'POST'],
        ['"@path"', '/foo'],
        ['"@authority"', 'example.com'],
        ['"content-type"', 'application/json'],
        ['"content-length"', '18'],
      ],
      { created: 1_618_884_473, keyid: 'test-key-ed25519' },
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
    ],
    [
      "the profile's published directory",
      'binding0',
      [
        ['"@authority";req', 'signature-agent.test'],
        ['"content-digest"', 'sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:'],
      ],
      {
        created: 1_735_689_600,
        keyid: 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U',
        alg: 'ed25519',
        expires: 4_889_289_600,
        tag: 'http-message-signatures-directory',
      },
      'yiHq0TXrbpzbmlttAQMpYoAufitFJUWuNsakB7QQMoN0EHbo5o51bZRVR8az/ptTWCwllix9clrKXfGKwdPzBg==',
    ],
  ];
  test.each(vectors)(
    'equals that of %s, for its message and key',
    (_, label, components, parameters, made) => {
      const privateKey = createPrivateKey({ format: 'jwk', key: RFC_TEST_KEY });
      const { signature } = signMessage(privateKey, label, components, parameters);
      expect(signature).toBe(`${label}=:${made}:`);
    },
  );
});

// The test key of RFC 9421, B.1.4.
const RFC_TEST_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs',
  d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU',
};
