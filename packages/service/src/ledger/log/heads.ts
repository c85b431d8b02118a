import { join } from 'node:path';
import {
  consistencyNodes,
  consistencyProof,
  equalBytes,
  type HashReader,
  parseCheckpoint,
  parseNote,
  rootNodes,
  treeRoot,
  verifyConsistency,
} from '@reliability/proof';
import type { Queryable } from '#kit/db/database.js';
import { readWholeFile, writeWholeFile } from '#kit/wholeFile.js';
import { blocksOf, hashReader, readBlocks } from './blocks.js';

export interface KnownHead {
  size: number;
  root: Uint8Array;
  /** The signed note; it may have cosignatures. */
  note: string;
  knownBy: string;
}

/** Throws LogInconsistent if the note cannot be read: nothing may be signed over it. */
export function knownHead(note: string, knownBy: string): KnownHead {
  try {
    const { size, root } = parseCheckpoint(parseNote(note).text);
    return { size, root, note, knownBy };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LogInconsistent(`${knownBy} holds a checkpoint that cannot be read: ${reason}`);
  }
}

/** Sizes of lost logs that the operator has accepted. */
export async function readAcceptedSizes(db: Queryable): Promise<Set<number>> {
  const rows = await db.query<{ size: number }>(
    `select (fact ->> 'size')::bigint as size from log_note where fact ->> 'kind' = 'rollback' and fact ->> 'origin' is null`,
  );
  return new Set(rows.map(({ size }) => size));
}

/** The root of the first `size` leaves, and which of these heads they do not contain. */
export async function proveHeads(db: Queryable, size: number, heads: readonly KnownHead[]) {
  const possible = heads.filter((head) => head.size > 0 && head.size <= size);
  const nodes = [...rootNodes(size), ...possible.flatMap((head) => [...consistencyNodes(head.size, size)])];
  const hashOf = hashReader(await readBlocks(db, blocksOf(nodes)));
  try {
    const root = Buffer.from(treeRoot(size, hashOf));
    return { root, lost: heads.filter((head) => !isContained(head, size, root, hashOf)) };
  } catch (error) {
    throw new LogInconsistent(error instanceof Error ? error.message : String(error));
  }
}

function isContained(head: KnownHead, size: number, root: Uint8Array, hashOf: HashReader): boolean {
  if (head.size === 0) return true;
  if (head.size > size) return false;
  if (head.size === size) return equalBytes(head.root, root);
  const proof = consistencyProof(head.size, size, hashOf);
  return verifyConsistency({ from: head.size, to: size, fromRoot: head.root, toRoot: root, proof });
}

/**
 * The log does not contain what was signed before, or cannot show who signed it: signing would prove a
 * fork.
 */
export class LogInconsistent extends Error {
  override readonly name = 'LogInconsistent';

  /** @param lost the signed head that the database lacks, if it is known from outside. */
  constructor(
    message: string,
    readonly lost: string | null = null,
  ) {
    super(message);
  }
}

export type HeadFile = ReturnType<typeof headFileIn>;

/**
 * The newest checkpoint, kept outside of the database: a restored backup that lost signed leaves is found
 * at the start. In the file `log-head` of a folder; `log-head-g1` for the log of ledger group 1.
 */
export function headFileIn(folder: string, group: number) {
  const name = group === 0 ? 'log-head' : `log-head-g${group}`;
  const file = join(folder, name);
  return { name, read: () => readWholeFile(file), write: (note: string) => writeWholeFile(file, note) };
}
