import type { Database } from '#kit/db/database.js';
import { removeExpired, type Sweep } from '#ledger/sweep.js';
import { ACCESS_MS } from './accessToken.js';

const OFFERS = { table: 'credential_offer', key: 'offer_hash', time: 'expires_at' };
const NONCES = { table: 'wallet_nonce', key: 'nonce_hash', time: 'expires_at' };

/** Part of the retention sweep: offers with expired code and access token, and expired nonces. */
export function removeOldOffers(db: Database): Sweep {
  return async (now, until) => {
    // Nonces are kept as long as offers, because the clock of another process may be behind.
    const ended = new Date(now.getTime() - ACCESS_MS);
    const offers = await removeExpired(db, OFFERS, ended, until);
    return db === db.shared ? offers + (await removeExpired(db, NONCES, ended, until)) : offers;
  };
}
