import type { Database, Queryable } from '../../kit/db/database.js';
import { findSignedCheckpoint, readSignedHead } from './checkpoints.js';
import type { HeadFile } from './headFile.js';
import { knownHead, proveHeads } from './heads.js';
import { insertNote, lockNotes } from './notes.js';

/** A signed head that the database does not contain: a backup was restored, or rows were changed. */
export interface LostHead {
  /** Leaves of the lost log. */
  size: number;
  /** Who knows it. */
  knownBy: string;
}

/** By the file. Null: nothing is lost. */
export async function findLossByFile(db: Database, head: HeadFile): Promise<LostHead | null> {
  const note = await head.read();
  return note === null ? null : lossOf(db, note, `the file ${head.name}`);
}

/** By a process that stopped the log, or the checkpoint was deleted. Null: nothing is lost. */
export async function findLossByDatabase(db: Database): Promise<LostHead | null> {
  const note = await readSignedHead(db);
  if (note === null) return null;
  const knownBy = 'an earlier process, which stopped the log';
  const { size } = knownHead(note, knownBy);
  const isStored = (await findSignedCheckpoint(db))?.treeSize === size;
  return isStored ? lossOf(db, note, knownBy) : { size, knownBy };
}

async function lossOf(db: Database, note: string, knownBy: string): Promise<LostHead | null> {
  const head = knownHead(note, knownBy);
  const { lost } = await proveHeads(db, await readTreeSize(db), [head]);
  return lost.length === 0 ? null : { size: head.size, knownBy };
}

export async function readTreeSize(db: Queryable): Promise<number> {
  const [state] = await db.query<{ treeSize: number }>('select tree_size from log_state');
  return state?.treeSize ?? 0;
}

/** Makes each loss a fact of the log, for everybody to see. The start then goes on without them. */
export async function acceptLosses(db: Database, lost: readonly LostHead[], now: Date): Promise<void> {
  const lostFrom = await readTreeSize(db);
  await db.transaction(async (tx) => {
    await lockNotes(tx);
    for (const size of new Set(lost.map((each) => each.size))) {
      await insertNote(tx, { kind: 'rollback', at: now.toISOString(), lostFrom, size }, now);
    }
  });
}
