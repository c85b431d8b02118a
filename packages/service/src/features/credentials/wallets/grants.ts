import type { Vault } from '../../../kit/vault.js';
import type { Grant } from './protocol.js';

const CONTEXT = 'credential offer';

export function sealGrant(vault: Vault, grant: Grant): Buffer {
  return vault.seal(JSON.stringify(grant), CONTEXT);
}

export function openGrant(vault: Vault, sealed: Buffer): Grant {
  return JSON.parse(vault.open(sealed, CONTEXT));
}
