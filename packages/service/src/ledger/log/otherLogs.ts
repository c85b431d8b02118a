import type { Queryable } from '../../kit/db/database.js';
import { raw, sql } from '../../kit/db/rows.js';
import { findOthersOf } from '../links/recordReads.js';
import { findLatestCheckpoint } from './checkpoints.js';
import { type CountedSubject, countedSubjects } from './factStore.js';
import { inclusionTexts } from './inclusion.js';
import { factKinds } from './kinds.js';
import { isSigned } from './receipt.js';

/** A log of another ledger group with events of linked subjects. */
export interface OtherLog {
  checkpoint: string;
  cosignatures: string[];
}

/** The events of a linked subject, of which a proof shows the commitments alone. By position. */
export interface CommittedMember {
  subjectId: string;
  leafIndexes: number[];
  /** Base64. */
  commitments: string[];
  /** Base64; as the snapshot's fact names it. */
  chain: string;
}

/** The same with inclusion proofs, as JSON. `log`: the number of the other log that they lead to. */
export interface ProvenMember extends Omit<CommittedMember, 'subjectId'> {
  eventProofs: string[];
  log?: number;
}

/** Subjects all of whose events up to these positions are in the log of this group. */
export async function readCommitted(
  db: Queryable,
  counted: readonly CountedSubject[],
): Promise<Map<string, CommittedMember>> {
  if (counted.length === 0) return new Map();
  const rows =
    await sql`select f.subject_id, member.position, array_agg(f.leaf_index order by f.ref) as leaf_indexes,
       array_agg(encode(f.d, 'base64') order by f.ref) as commitments,
       max(encode(f.chain, 'base64')) filter (where f.ref = member.position) as chain
     from ${countedSubjects.as('member', counted)}
     join log_fact f on f.subject_id = member.subject_id and f.kind = ${raw(factKinds.event)} and f.ref <= member.position
     group by f.subject_id, member.position`.query<CommittedMember & { position: number }>(db);
  const whole = rows.filter(({ leafIndexes, position }) => leafIndexes.length === position);
  return new Map(whole.map((row) => [row.subjectId, row]));
}

/** Members in the logs of other groups. 'pending': a checkpoint does not cover them yet. */
export async function readOtherLogs(
  db: Queryable,
  counted: readonly CountedSubject[],
): Promise<{ logs: OtherLog[]; members: (ProvenMember & { subjectId: string })[] } | 'pending'> {
  const logs: OtherLog[] = [];
  const members: (ProvenMember & { subjectId: string })[] = [];
  const others = await findOthersOf(
    db,
    counted.map(([id]) => id),
  );
  for (const other of others) {
    const [committed, checkpoint] = await Promise.all([
      readCommitted(other, counted),
      findLatestCheckpoint(other),
    ]);
    if (committed.size === 0) continue;
    const found = [...committed.values()];
    const indexes = found.flatMap(({ leafIndexes }) => leafIndexes);
    if (!checkpoint || indexes.some((leafIndex) => !isSigned(checkpoint, leafIndex))) return 'pending';
    const texts = await inclusionTexts(other, indexes, checkpoint.treeSize);
    for (const member of found) {
      members.push({ ...member, eventProofs: texts.splice(0, member.leafIndexes.length), log: logs.length });
    }
    logs.push({ checkpoint: checkpoint.note, cosignatures: checkpoint.cosignatures });
  }
  return { logs, members };
}
