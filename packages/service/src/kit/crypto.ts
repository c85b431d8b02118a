import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** The length of each part is hashed before it, so two lists never hash the same bytes. */
export function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest();
}

export function hashOfSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/**
 * A UUIDv8 (RFC 9562) derived from its parts: the same parts always give the same id. It consists of the
 * first bytes of `sha256`, computed in one call on text, since every request about a subject needs one.
 */
export function derivedUuid(...parts: readonly string[]): string {
  const preceded = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  const hex = hash('sha256', preceded, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function randomSecret(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url');
}

/** Compares in constant time. Both texts are hashed first, so the lengths never differ. */
export function isSameSecret(left: string, right: string): boolean {
  return timingSafeEqual(hashOfSecret(left), hashOfSecret(right));
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a key from HKDF-SHA-256. Layout: nonce, tag, ciphertext. */
export function seal(plaintext: string, secret: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(secret, context), nonce);
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts the output of `seal`; null if the secret or the context differs. */
export function unseal(sealed: Buffer, secret: string, context: string): string | null {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(secret, context), nonce);
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function sealingKey(secret: string, context: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', context, 32));
}

/** Encrypts secrets that the service needs in clear text later, under the DATA_KEY of the installation. */
export interface Vault {
  /** @param context the kind of text, so that one sealed text cannot be used as another. */
  seal(text: string, context: string): Buffer;
  /** Throws if it was sealed under another key or in another context. */
  open(sealed: Buffer, context: string): string;
}

type KeyName = 'current' | 'previous';

export interface RotatingVault extends Vault {
  /** Texts sealed under DATA_KEY begin with it. It reveals nothing about the key. */
  readonly currentKeyId: Buffer;
  readonly hasPrevious: boolean;
  sealWith(name: KeyName): void;
  keyOf(sealed: Buffer, context: string): KeyName | null;
}

const KEY_ID_BYTES = 8;
/** Bytes that sealing adds: key id, nonce and tag. */
export const SEAL_BYTES = KEY_ID_BYTES + 28;

export function createVault(dataKey: string, previousKey?: string): RotatingVault {
  const current = keyFrom('current', dataKey);
  const previous = previousKey === undefined ? null : keyFrom('previous', previousKey);
  const keys = previous ? [current, previous] : [current];
  let sealing = current;

  function keyOf(sealed: Buffer) {
    return keys.find(({ id }) => id.equals(sealed.subarray(0, KEY_ID_BYTES)));
  }

  function opened(sealed: Buffer, context: string): string | null {
    const key = keyOf(sealed);
    return key ? unseal(sealed.subarray(KEY_ID_BYTES), key.secret, context) : null;
  }

  return {
    currentKeyId: current.id,
    hasPrevious: previous !== null,
    sealWith(name) {
      const key = name === 'current' ? current : previous;
      if (!key) throw new Error('DATA_KEY_PREVIOUS is not set');
      sealing = key;
    },
    keyOf: (sealed, context) => (opened(sealed, context) === null ? null : (keyOf(sealed)?.name ?? null)),
    seal: (text, context) => Buffer.concat([sealing.id, seal(text, sealing.secret, context)]),
    open(sealed, context) {
      const text = opened(sealed, context);
      if (text !== null) return text;
      throw new Error(
        `cannot decrypt ${context} with this DATA_KEY: set the DATA_KEY that it was encrypted with`,
      );
    },
  };
}

function keyFrom(name: KeyName, secret: string) {
  return { name, secret, id: Buffer.from(hkdfSync('sha256', secret, '', 'data key id', KEY_ID_BYTES)) };
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Base58 with Bitcoin's alphabet (multibase `z`). Leading zero bytes become leading `1`s. */
export function base58btc(bytes: Uint8Array): string {
  let text = '';
  for (let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`); rest > 0n; rest /= 58n) {
    text = ALPHABET.charAt(Number(rest % 58n)) + text;
  }
  const firstNonZero = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(firstNonZero === -1 ? bytes.length : firstNonZero) + text;
}

/** Null if it contains another character. The cost grows with the square of the length. */
export function bytesOfBase58btc(text: string): Buffer | null {
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit === -1) return null;
    value = value * 58n + BigInt(digit);
  }
  const hex = value === 0n ? '' : value.toString(16);
  const leadingZeros = /^1*/.exec(text)?.[0].length ?? 0;
  return Buffer.concat([
    Buffer.alloc(leadingZeros),
    Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'),
  ]);
}
