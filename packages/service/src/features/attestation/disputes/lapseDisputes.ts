import type { Database } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import type { Ledger } from '../../../ledger/append/append.js';
import type { RecomputeSignal } from '../../../ledger/recompute/signal.js';
import { inSlices, type Sweep } from '../../../ledger/sweep.js';
import type { OutboxSignal } from '../../../outbox/outboxSignal.js';
import { settleDisputes } from './settleDisputes.js';
import { findDueDisputes } from './store.js';

interface LapseDeps {
  db: Database;
  ids: IdSource;
  ledger: Ledger;
  signal: RecomputeSignal;
  outbox: OutboxSignal;
}

/** Appends to their subjects wait for a slice, so it is short. */
const DISPUTES_PER_SLICE = 100;

/** The sweep `disputes`: ends what nobody resolved within its window, for the subject (RULES D3). */
export function lapseDisputes(deps: LapseDeps): Sweep {
  return async (now, until) => {
    const affected = await inSlices(deps.db, 'disputes', until, async (tx) => {
      const due = await findDueDisputes(tx, now, DISPUTES_PER_SLICE);
      const lapsed = await settleDisputes(tx, deps, now, due);
      // Where nothing of a full slice could be ended, another look at it would end nothing either.
      const isLast = due.length < DISPUTES_PER_SLICE || lapsed.length === 0;
      return { affected: lapsed.length, isLast };
    });
    if (affected > 0) {
      deps.signal.queued();
      deps.outbox.written();
    }
    return affected;
  };
}
