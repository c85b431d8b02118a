import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { equalBytes, parseCheckpoint, parseNote, rootNodes, treeRoot } from '@reliability/proof';
import type { Database, Queryable } from '../../kit/db/database.js';
import { codeOf } from '../../kit/db/errors.js';
import { blocksOf, hashReader, readBlocks } from './blocks.js';
import { findLatestCheckpoint } from './checkpoints.js';
import { insertNote, lockNotes } from './notes.js';

/**
 * The newest checkpoint, kept outside of the database: a restored backup that lost signed leaves is
 * found at the start. Null where no folder is known.
 */
export interface HeadFile {
  read(): Promise<string | null>;
  write(note: string): Promise<void>;
}

/** The file `log-head` in a folder. */
export function headFileIn(folder: string): HeadFile {
  const file = join(folder, 'log-head');
  return {
    async read() {
      try {
        return await readFile(file, 'utf8');
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return null;
        throw error;
      }
    },
    async write(note) {
      await mkdir(folder, { recursive: true });
      const draft = `${file}.${process.pid}.draft`;
      await writeFile(draft, note, { mode: 0o600 });
      await rename(draft, file);
    },
  };
}

/** The database does not contain the log that was signed. */
export class LogRolledBack extends Error {
  override readonly name = 'LogRolledBack';
}

/**
 * Compares the database with the newest checkpoint that was signed. Throws LogRolledBack, unless the
 * operator accepts the loss by the number of leaves of that checkpoint: then the loss becomes a fact
 * of the log.
 */
export async function checkHead(
  db: Database,
  head: HeadFile,
  { accepted, now }: { accepted: number | undefined; now: Date },
): Promise<void> {
  const note = await head.read();
  if (note === null) return;
  const { size, root } = parseCheckpoint(parseNote(note).text);
  const { treeSize, isContained } = await compareTree(db, size, root);
  if (isContained) return;
  if (accepted !== size) {
    throw new LogRolledBack(
      `The transparency log of the database has ${treeSize} leaves and does not contain the log of ${size} leaves that was ` +
        'signed before: a backup was restored, or rows were changed. Restore the database with all its rows, or start once ' +
        `with ACCEPT_LOG_ROLLBACK=${size}. The log then records the loss for everybody to see.`,
    );
  }
  await noteRollback(db, treeSize, size, now);
  await head.write((await findLatestCheckpoint(db))?.note ?? note);
}

async function compareTree(db: Queryable, size: number, root: Uint8Array) {
  const [state] = await db.query<{ treeSize: number }>('select tree_size from log_state');
  const treeSize = state?.treeSize ?? 0;
  if (treeSize < size) return { treeSize, isContained: false };
  const nodes = rootNodes(size);
  const hashOf = hashReader(await readBlocks(db, blocksOf(nodes)));
  return { treeSize, isContained: equalBytes(treeRoot(size, hashOf), root) };
}

async function noteRollback(db: Database, lostFrom: number, size: number, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    await lockNotes(tx);
    await insertNote(tx, { kind: 'rollback', at: now.toISOString(), lostFrom, size }, now);
  });
}
