import { createRunningRecord, type Score, type Tally } from '@reliability/scoring';
import type { LedgerCursor } from './cursor.js';

/** The score of a record as its members' ledgers are folded. */
export interface ReplayedRecord {
  /** Takes each change of a tally of a member. */
  onCount(change: Tally): void;
  /** The score of these members at their present positions. Null: none has an event. */
  scoreOn(members: ReadonlyMap<string, LedgerCursor>, asOf: number): Score | null;
}

/**
 * Replays a record, so that a snapshot costs its new events and not the whole record. Adds up all
 * tallies again where the members of the record have changed.
 */
export function createReplayedRecord(): ReplayedRecord {
  let record = createRunningRecord();
  let memberIds = '';
  return {
    onCount: (change) => record.add(change),
    scoreOn(members, asOf) {
      const ids = [...members.keys()].sort().join();
      if (ids !== memberIds) {
        record = createRunningRecord();
        for (const member of members.values()) {
          for (const tally of member.tallies.values()) record.add({ ...tally });
        }
        memberIds = ids;
      }
      return record.scoreOn(asOf);
    },
  };
}
