import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base58btc, bytesOfBase58btc } from '#kit/crypto.js';
import { didOfKey, keyOfDid } from '../../../src/features/sharing/wallets/holderKeys.js';
import { newHolder } from './walletFixtures.js';

describe('the keys of wallets', () => {
  test('are read from did:key as the specification’s examples say', () => {
    expect(keyOfDid('did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp')).toEqual({
      crv: 'Ed25519',
      kty: 'OKP',
      x: 'O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik',
    });
    expect(keyOfDid('did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169')).toEqual({
      crv: 'P-256',
      kty: 'EC',
      x: 'fyNYMN0976ci7xqiSdag3buk-ZCwgXU4kz9XNkBlNUI',
      y: 'hW2ojTNfH7Jbi8--CJUo3OCbH3y5n91g-IMA9MLMbTU',
    });
  });

  test.each(['EdDSA', 'ES256'] as const)('are the same from every DID form: %s', async (alg) => {
    for (let round = 0; round < 20; round += 1) {
      const { jwk, didKey, didJwk } = await newHolder(alg);
      const key = didKey.slice('did:key:'.length);
      for (const did of [didKey, `${didKey}#${key}`, didJwk, `${didJwk}#0`])
        expect(keyOfDid(did)).toEqual(jwk);
      expect(didOfKey(jwk as { kty: string })).toBe(didJwk);
    }
  });

  const LOW_ORDER_Y = [
    '00'.repeat(32),
    `01${'00'.repeat(31)}`,
    `ec${'ff'.repeat(30)}7f`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  ];
  /** All y from the prime of the field on: other spellings of small ones. */
  const NOT_CANONICAL_Y = Array.from(
    { length: 19 },
    (_, more) => `${(0xed + more).toString(16)}${'ff'.repeat(30)}7f`,
  );

  test.each([...LOW_ORDER_Y, ...NOT_CANONICAL_Y])(
    'are refused as a low-order point or a second spelling: %s',
    (y) => {
      for (const sign of [0, 0x80]) {
        const point = Buffer.from(y, 'hex');
        point.writeUInt8(point.readUInt8(31) | sign, 31);
        const jwk = { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') };
        expect(didOfKey(jwk)).toBeNull();
        expect(keyOfDid(`did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`)).toBeNull();
        expect(keyOfDid(`did:key:z${base58btc(Buffer.from([0xed, 0x01, ...point]))}`)).toBeNull();
      }
    },
  );

  test('are not read from any other text', () => {
    const encoded = (value: unknown) => `did:jwk:${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
    for (const text of [
      '',
      'did:key:',
      'did:key:z',
      'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp#other',
      'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooW0',
      `did:key:z${base58btc(Buffer.from([0xec, 0x01, ...Buffer.alloc(32, 1)]))}`, // X25519
      `did:key:z${base58btc(Buffer.from([0xed, 0x01, ...Buffer.alloc(31, 1)]))}`,
      `did:key:z${base58btc(Buffer.from([0x80, 0x24, 2, ...Buffer.alloc(32, 0xff)]))}`, // on no curve
      `did:key:z${'1'.repeat(5000)}`,
      'did:jwk:e30#1',
      'did:jwk:nonsense',
      encoded(null),
      encoded([]),
      encoded({ kty: 'oct', k: 'x' }),
      encoded({ kty: 'RSA', n: 'x', e: 'AQAB' }),
      encoded({ kty: 'OKP', crv: 'X25519', x: 'A'.repeat(43) }),
      encoded({ kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43), d: 'A'.repeat(43) }),
      encoded({ kty: 'EC', crv: 'P-256', x: 'A'.repeat(43) }),
      'did:web:elsewhere.example#key',
    ]) {
      expect(keyOfDid(text), text.slice(0, 80)).toBeNull();
    }
  });
});

describe('Base58', () => {
  test('decodes what it encodes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect([...(bytesOfBase58btc(base58btc(bytes)) ?? [])]).toEqual([...bytes]);
      }),
    );
  });
  test('refuses 0, O, I and l', () => {
    for (const letter of '0OIl+ ') expect(bytesOfBase58btc(`2${letter}`)).toBeNull();
  });
});
