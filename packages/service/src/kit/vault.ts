import { hkdfSync } from 'node:crypto';
import { seal, unseal } from './crypto.js';

/** Encrypts secrets that the service needs in clear text later, under the DATA_KEY of the installation. */
export interface Vault {
  /** @param context the kind of text, so that one sealed text cannot be used as another. */
  seal(text: string, context: string): Buffer;
  /** Throws if it was sealed under another key or in another context. */
  open(sealed: Buffer, context: string): string;
}

/** Which of the two keys: DATA_KEY, or DATA_KEY_PREVIOUS while it is replaced. */
export type KeyName = 'current' | 'previous';

/** Opens what either key sealed. */
export interface RotatingVault extends Vault {
  /** Texts sealed under DATA_KEY begin with it. It reveals nothing about the key. */
  readonly currentKeyId: Buffer;
  readonly hasPrevious: boolean;
  /** Which key seals from now on. Default: the current one. */
  sealWith(name: KeyName): void;
  /** The key that opens the text; null: neither. */
  keyOf(sealed: Buffer, context: string): KeyName | null;
}

const KEY_ID_BYTES = 8;
/** Bytes that sealing adds: key id, nonce and tag. */
export const SEAL_BYTES = KEY_ID_BYTES + 28;

interface Key {
  name: KeyName;
  secret: string;
  id: Buffer;
}

export function createVault(dataKey: string, previousKey?: string): RotatingVault {
  const current = keyFrom('current', dataKey);
  const previous = previousKey === undefined ? null : keyFrom('previous', previousKey);
  const keys = previous ? [current, previous] : [current];
  let sealing = current;

  function keyOf(sealed: Buffer): Key | undefined {
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
      if (name === 'previous' && previous === null) throw new Error('DATA_KEY_PREVIOUS is not set');
      sealing = name === 'previous' && previous ? previous : current;
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

function keyFrom(name: KeyName, secret: string): Key {
  return { name, secret, id: Buffer.from(hkdfSync('sha256', secret, '', 'data key id', KEY_ID_BYTES)) };
}
