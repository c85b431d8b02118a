import { seal, unseal } from './crypto.js';

/**
 * Encrypts secrets that the service needs in clear text later, under the DATA_KEY of the
 * installation.
 */
export interface Vault {
  /** @param context the kind of text, so that one sealed text cannot be used as another. */
  seal(text: string, context: string): Buffer;
  /** Throws if it was sealed under another key or in another context. */
  open(sealed: Buffer, context: string): string;
}

export function createVault(dataKey: string): Vault {
  return {
    seal: (text, context) => seal(text, dataKey, context),
    open(sealed, context) {
      const text = unseal(sealed, dataKey, context);
      if (text === null)
        throw new Error(
          `cannot decrypt ${context} with this DATA_KEY: set the DATA_KEY that it was encrypted with`,
        );
      return text;
    },
  };
}
