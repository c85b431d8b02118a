import { join } from 'node:path';
import { equalBytes, parseCheckpoint, parseNote, rootNodes, treeRoot } from '@reliability/proof';
import type { Database, Queryable } from '../../kit/db/database.js';
import { readWholeFile, writeWholeFile } from '../../kit/wholeFile.js';
import { blocksOf, hashReader, readBlocks } from './blocks.js';
import { insertNote, lockNotes } from './notes.js';

/**
 * The newest checkpoint, kept outside of the database: a restored backup that lost signed leaves is
 * found at the start. Null where no folder is known.
 */
export interface HeadFile {
  readonly name: string;
  read(): Promise<string | null>;
  write(note: string): Promise<void>;
}

/** The file `log-head` in a folder; `log-head-g1` for the log of ledger group 1. */
export function headFileIn(folder: string, group: number): HeadFile {
  const name = group === 0 ? 'log-head' : `log-head-g${group}`;
  const file = join(folder, name);
  return {
    name,
    read: () => readWholeFile(file),
    write: (note) => writeWholeFile(file, note),
  };
}

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
  if (note === null) return null;
  const { size, root } = parseCheckpoint(parseNote(note).text);
  return (await containsTree(db, size, root)) ? null : { size, knownBy: `the file ${head.name}` };
}

async function containsTree(db: Queryable, size: number, root: Uint8Array): Promise<boolean> {
  if ((await readTreeSize(db)) < size) return false;
  const nodes = rootNodes(size);
  const hashOf = hashReader(await readBlocks(db, blocksOf(nodes)));
  return equalBytes(treeRoot(size, hashOf), root);
}

export async function readTreeSize(db: Queryable): Promise<number> {
  const [state] = await db.query<{ treeSize: number }>('select tree_size from log_state');
  return state?.treeSize ?? 0;
}

/** Sizes of lost logs that the operator has accepted. */
export async function readAcceptedSizes(db: Queryable): Promise<Set<number>> {
  const rows = await db.query<{ size: number }>(
    `select (fact ->> 'size')::bigint as size from log_note where fact ->> 'kind' = 'rollback' and fact ->> 'origin' is null`,
  );
  return new Set(rows.map(({ size }) => size));
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
