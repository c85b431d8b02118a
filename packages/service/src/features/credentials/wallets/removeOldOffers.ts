import type { Database } from '../../../kit/db/database.js';
import { inSlices, SLICE_ROWS, type Sweep } from '../../../ledger/sweep.js';
import { ACCESS_MS } from './redeemCode.js';
import { deleteNonces, deleteOffers } from './store.js';

/** Part of the retention sweep: offers whose code and access token have ended, and nonces that would be refused for their age anyway. */
export function removeOldOffers(db: Database): Sweep {
  return async (now, until) => {
    // Nonces as late as offers: the clock of another process may be behind.
    const ended = new Date(now.getTime() - ACCESS_MS);
    const offers = await inSlices(db, 'credential offers', until, async (tx) => {
      const affected = await deleteOffers(tx, ended, SLICE_ROWS);
      return { affected, isLast: affected < SLICE_ROWS };
    });
    const nonces = await inSlices(db, 'wallet nonces', until, async (tx) => {
      const affected = await deleteNonces(tx, ended, SLICE_ROWS);
      return { affected, isLast: affected < SLICE_ROWS };
    });
    return offers + nonces;
  };
}
