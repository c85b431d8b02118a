import type { Database } from '#kit/db/database.js';
import { inSlices, SLICE_ROWS, type Sweep } from '#ledger/sweep.js';
import { ACCESS_MS } from './redeemCode.js';
import { deleteNonces, deleteOffers } from './store.js';

/** Part of the retention sweep: offers with expired code and access token, and expired nonces. */
export function removeOldOffers(db: Database): Sweep {
  return async (now, until) => {
    // Nonces are kept as long as offers, because the clock of another process may be behind.
    const ended = new Date(now.getTime() - ACCESS_MS);
    const offers = await inSlices(db, 'credential offers', until, async (tx) => {
      const affected = await deleteOffers(tx, ended, SLICE_ROWS);
      return { affected, isLast: affected < SLICE_ROWS };
    });
    if (db !== db.shared) return offers;
    const nonces = await inSlices(db, 'wallet nonces', until, async (tx) => {
      const affected = await deleteNonces(tx, ended, SLICE_ROWS);
      return { affected, isLast: affected < SLICE_ROWS };
    });
    return offers + nonces;
  };
}
