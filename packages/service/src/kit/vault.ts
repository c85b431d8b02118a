import { seal, unseal } from './crypto.js';

/** Keeps secrets that the service needs again in the clear: at rest they are sealed under the installation's DATA_KEY. */
export interface Vault {
  /** @param context what the text is, so that one sealed thing can never be passed off as another. */
  seal(text: string, context: string): Buffer;
  /** Throws when it was sealed under another key or in another context. */
  open(sealed: Buffer, context: string): string;
}

export function createVault(dataKey: string): Vault {
  return {
    seal: (text, context) => seal(text, dataKey, context),
    open(sealed, context) {
      const text = unseal(sealed, dataKey, context);
      if (text === null) throw new Error(`what is sealed as ${context} does not open with this DATA_KEY`);
      return text;
    },
  };
}
