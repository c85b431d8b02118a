import { ECDH } from 'node:crypto';
import type { Jwk, VerifyJwtCallback } from '@openid4vc/oauth2';
import { base64url, compactVerify, importJWK } from 'jose';
import { bytesOfBase58btc } from '#kit/crypto.js';

/** Accepted algorithms of holders: Ed25519, P-256. */
export const PROOF_ALGORITHMS = ['EdDSA', 'ES256'] as const;
type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number];

/** A public key without further members, in the order of RFC 7638. */
type HolderKey =
  | { readonly crv: 'Ed25519'; readonly kty: 'OKP'; readonly x: string }
  | { readonly crv: 'P-256'; readonly kty: 'EC'; readonly x: string; readonly y: string };

/**
 * Checks a proof with the key in its header: a DID that contains the key, or a JWK. Nothing is
 * fetched.
 */
export const verifyHolderSignature: VerifyJwtCallback = async (signer, { header, compact }) => {
  const key =
    signer.method === 'did'
      ? keyOfDid(signer.didUrl)
      : signer.method === 'jwk'
        ? holderKey(signer.publicJwk)
        : null;
  if (!key || algorithmOf(key) !== header.alg) return { verified: false };
  const isRight = await compactVerify(compact, await importJWK(key, header.alg), {
    algorithms: [header.alg],
  }).then(
    () => true,
    () => false,
  );
  return isRight ? { verified: true, signerJwk: { ...key } } : { verified: false };
};

function algorithmOf({ crv }: HolderKey): ProofAlgorithm {
  return crv === 'Ed25519' ? 'EdDSA' : 'ES256';
}

/** `did:jwk` of a JWK. */
export function didOfKey(jwk: Jwk): string | null {
  const key = holderKey(jwk);
  return key && `did:jwk:${base64url.encode(JSON.stringify(key))}`;
}

/**
 * The key in a `did:key` or `did:jwk`. Null for any other text. A fragment must name the same key.
 */
export function keyOfDid(didUrl: string): HolderKey | null {
  const [, method, value, fragment] = /^did:(key|jwk):([A-Za-z0-9_-]+)(?:#(.+))?$/.exec(didUrl) ?? [];
  if (value === undefined || value.length > MAX_DID_LENGTH) return null;
  if (fragment !== undefined && fragment !== (method === 'key' ? value : '0')) return null;
  return method === 'key' ? keyOfMultibase(value) : holderKey(jsonOf(value));
}

const MAX_DID_LENGTH = 1024;

function jsonOf(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

/** Null for anything but a public key of the two kinds. A key with a private part is rejected. */
function holderKey(jwk: unknown): HolderKey | null {
  if (typeof jwk !== 'object' || jwk === null || 'd' in jwk) return null;
  const { kty, crv, x, y } = jwk as Record<string, unknown>;
  if (!isCoordinate(x)) return null;
  if (kty === 'OKP' && crv === 'Ed25519') return ed25519Key(base64url.decode(x));
  return kty === 'EC' && crv === 'P-256' && isCoordinate(y) ? { crv, kty, x, y } : null;
}

/**
 * Null for points of low order, because forged signatures verify under them. Null also for
 * encodings that are not canonical (RFC 8032, 5.1.3), because they would give one key two DIDs.
 */
function ed25519Key(point: Uint8Array): HolderKey | null {
  const y = Buffer.from(point);
  y.writeUInt8(y.readUInt8(31) & 0x7f, 31); // without the sign of x
  if (LOW_ORDER_Y.has(y.toString('hex')) || y.reverse().compare(FIELD_PRIME) >= 0) return null;
  return { crv: 'Ed25519', kty: 'OKP', x: base64url.encode(point) };
}

/** 2^255 - 19, most significant byte first. */
const FIELD_PRIME = Buffer.from(`7f${'ff'.repeat(30)}ed`, 'hex');

/**
 * The y of all eight points whose order divides eight, little-endian: order 4, 1, 2, and 8 twice.
 */
const LOW_ORDER_Y = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/** 32 bytes, base64url without padding. */
function isCoordinate(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value);
}

/** Codes of the kinds of key as varints (multicodec): ed25519-pub, p256-pub. */
const ED25519 = [0xed, 0x01] as const;
const P256 = [0x80, 0x24] as const;

function keyOfMultibase(multibase: string): HolderKey | null {
  // Ed25519 takes 48 characters, P-256 49. Decoding takes quadratic time.
  if (!multibase.startsWith('z') || multibase.length > 60) return null;
  const bytes = bytesOfBase58btc(multibase.slice(1));
  if (!bytes) return null;
  const key = bytes.subarray(2);
  const isA = ([first, second]: readonly [number, number]) => bytes[0] === first && bytes[1] === second;
  if (isA(ED25519) && key.length === 32) return ed25519Key(key);
  return isA(P256) && key.length === 33 ? uncompressed(key) : null;
}

/** A point of P-256 is given by one coordinate and the sign of the other. */
function uncompressed(point: Uint8Array): HolderKey | null {
  try {
    const both = Buffer.from(
      ECDH.convertKey(point, 'prime256v1', undefined, undefined, 'uncompressed') as Buffer,
    );
    const [x, y] = [both.subarray(1, 33), both.subarray(33)].map((coordinate) =>
      base64url.encode(coordinate),
    );
    return x === undefined || y === undefined ? null : { crv: 'P-256', kty: 'EC', x, y };
  } catch {
    return null; // not a point of the curve
  }
}
