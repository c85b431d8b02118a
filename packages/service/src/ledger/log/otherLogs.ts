import type { Queryable } from '../../kit/db/database.js';
import { findGroupsOf } from '../links/recordReads.js';
import { findLatestCheckpoint } from './checkpoints.js';
import { inclusionProofs } from './inclusion.js';
import { factKinds } from './kinds.js';
import { isSigned } from './receipt.js';

/** An event of another platform: its commitment alone. */
export interface ClosedLeaf {
  leafIndex: number;
  /** Base64. */
  d: string;
}

/** Events of linked subjects that are in the transparency log of another ledger group. */
export interface OtherLog {
  events: ClosedLeaf[];
  /** One for each element of `events`. */
  eventProofs: string[][];
  checkpoint: string;
  cosignatures: string[];
}

export interface CommittedLeaf {
  leafIndex: number;
  d: Buffer;
}

/** Events up to these positions, in the order of the log: it says nothing about whose they are. */
export function readCommitments(
  db: Queryable,
  members: readonly (readonly [subjectId: string, position: number])[],
): Promise<CommittedLeaf[]> {
  return db.query<CommittedLeaf>(
    `select f.leaf_index, f.d from unnest($1::uuid[], $2::integer[]) as member (subject_id, position)
     join log_fact f on f.subject_id = member.subject_id and f.kind = ${factKinds.event} and f.ref <= member.position
     order by f.leaf_index`,
    [members.map(([id]) => id), members.map(([, position]) => position)],
  );
}

/** The logs of other groups with events of these members. 'pending': a checkpoint does not cover them yet. */
export async function readOtherLogs(
  db: Queryable,
  members: readonly (readonly [subjectId: string, position: number])[],
): Promise<OtherLog[] | 'pending'> {
  const logs: OtherLog[] = [];
  const groups = await findGroupsOf(
    db,
    members.map(([id]) => id),
  );
  for (const group of groups) {
    if (group === db.group) continue;
    const other = db.ofGroup(group);
    const [leaves, checkpoint] = await Promise.all([
      readCommitments(other, members),
      findLatestCheckpoint(other),
    ]);
    if (leaves.length === 0) continue;
    if (!checkpoint || leaves.some(({ leafIndex }) => !isSigned(checkpoint, leafIndex))) return 'pending';
    const indexes = leaves.map(({ leafIndex }) => leafIndex);
    logs.push({
      events: leaves.map(({ leafIndex, d }) => ({ leafIndex, d: d.toString('base64') })),
      eventProofs: await inclusionProofs(other, indexes, checkpoint.treeSize),
      checkpoint: checkpoint.note,
      cosignatures: checkpoint.cosignatures,
    });
  }
  return logs;
}
