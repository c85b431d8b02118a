import { createKeyRing, type KeyRing } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../serviceDeps.js';
import { logRoutes } from './log/routes.js';
import { witnessRoutes } from './witness/routes.js';

/** The transparency log in public: its files, receipts, proofs, and this service as a witness. */
export function transparencyRoom(given: ServiceDeps & { logKeys: KeyRing }) {
  const deps = { ...given, witnessKeys: createKeyRing(given.db, given.vault, given.clock, 'witness') };
  return { routes: [logRoutes(deps), witnessRoutes(deps)] };
}
