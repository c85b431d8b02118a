import type { Queryable, Tx } from '../../kit/db/database.js';
import { hasSubject } from '../groups/store.js';
import { othersOf } from '../links/recordReads.js';
import { createLedgerCursor, type LedgerCursor } from './cursor.js';
import { eventReader } from './reader.js';

/** Reads the ledgers of the members of a record. */
export interface MemberReads {
  /** Reads the tables of the ledger group in which this member lives. */
  of(memberId: string): Promise<Queryable>;
  /** Its ledger, at the start. What cannot be read is reported where the member itself is audited. */
  ledgerOf(memberId: string): Promise<LedgerCursor>;
}

export function createMemberReads(tx: Tx): MemberReads {
  const known = new Map<string, Queryable>();
  return {
    of,
    ledgerOf: async (memberId) =>
      createLedgerCursor(memberId, eventReader(await of(memberId), [memberId]), { onUnreadable: null }),
  };

  async function of(memberId: string): Promise<Queryable> {
    const found = known.get(memberId) ?? (await find(memberId));
    known.set(memberId, found);
    return found;
  }

  async function find(memberId: string): Promise<Queryable> {
    if (tx.ledgers.all.length === 1 || (await hasSubject(tx, memberId))) return tx;
    for (const other of othersOf(tx)) if (await hasSubject(other, memberId)) return other;
    return tx;
  }
}
