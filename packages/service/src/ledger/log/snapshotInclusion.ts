import type { Queryable } from '../../kit/db/database.js';
import { type CosignedNote, publicNote } from './checkpoints.js';
import { inclusionProofs } from './inclusion.js';
import { factKinds } from './kinds.js';

/** Shows that the log holds a snapshot. Its commitment does not say what it contains. */
export interface LogInclusion {
  /** Name of the log. */
  readonly origin: string;
  readonly leafIndex: number;
  /** The commitment of the snapshot, base64. */
  readonly d: string;
  /** Base64, from the leaf to the root. */
  readonly proof: readonly string[];
  /** The first published checkpoint that covers the leaf, with cosignatures. */
  readonly checkpoint: string;
  /** When that checkpoint was signed, by the clock of this service. */
  readonly since: Date;
}

/**
 * A snapshot of a subject in the log, by the first published checkpoint that covers it and is not older
 * than every key: nobody can check the signature of a key that was removed as compromised. Of the
 * result only the cosignatures may still grow. Null: none covers it yet.
 * @param snapshotNo default: the published snapshot
 */
export async function findSnapshotInclusion(
  db: Queryable,
  subjectId: string,
  snapshotNo: number | null = null,
): Promise<LogInclusion | null> {
  const [keys] = await db.shared.query<{ since: Date | null }>(
    "select min(created_at) as since from signing_key where purpose = 'log'",
  );
  const [row] = await db.query<InclusionRow>(
    `select f.leaf_index, f.d, signed.tree_size, signed.note, signed.cosignatures, signed.signed_at
     from log_fact f
     cross join lateral (
       select * from log_checkpoint where tree_size > f.leaf_index and published_at is not null
         and signed_at >= $3
       order by tree_size limit 1
     ) signed
     where f.subject_id = $1 and f.kind = ${factKinds.snapshot}
       and f.ref = coalesce($2::bigint, (select snapshot_no from score where subject_id = $1))`,
    [subjectId, snapshotNo, keys?.since ?? null],
  );
  if (!row) return null;
  const { leafIndex, d, treeSize, signedAt } = row;
  const [proof = []] = await inclusionProofs(db, [leafIndex], treeSize);
  const checkpoint = publicNote(row);
  const [origin = ''] = checkpoint.split('\n', 1);
  return { origin, leafIndex, d: d.toString('base64'), proof, checkpoint, since: signedAt };
}

interface InclusionRow extends CosignedNote {
  leafIndex: number;
  d: Buffer;
  treeSize: number;
  signedAt: Date;
}

/** The same from a cache. */
export type LoadInclusion = (subjectId: string, snapshotNo: number) => Promise<LogInclusion | null>;

/** Up to two kilobytes each. */
const MAX_CACHED = 4_000;

/** Readers of shared records ask for the same snapshots again and again. */
export function createInclusionLoader(db: Queryable): LoadInclusion {
  const cached = new Map<string, LogInclusion>();
  return async (subjectId, snapshotNo) => {
    const key = `${subjectId} ${snapshotNo}`;
    const known = cached.get(key);
    if (known) return known;
    const found = await findSnapshotInclusion(db, subjectId, snapshotNo);
    if (!found) return null;
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(key, found);
    return found;
  };
}
