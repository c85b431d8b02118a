import { sign } from 'node:crypto';
import {
  consistencyNodes,
  consistencyProof,
  formatCheckpoint,
  formatNote,
  rootNodes,
  signNoteText,
  treeRoot,
  verifyConsistency,
} from '@reliability/proof';
import type { Database, Queryable, Tx } from '../../kit/db/database.js';
import { lockTree } from './batch.js';
import { blocksOf, hashReader, readBlocks } from './blocks.js';
import type { LogSigner } from './logKey.js';

/** A signed head of the log. */
export interface StoredCheckpoint {
  treeSize: number;
  root: Buffer;
  /** As published, without cosignatures. */
  note: string;
  signedAt: Date;
}

export interface Signing {
  /** False: another process is the sequencer now. */
  isSequencer: boolean;
  /** The new checkpoint; null: nothing is new. */
  checkpoint: StoredCheckpoint | null;
}

/** The log disagrees with a checkpoint that was signed before: signing would prove a fork. */
export class LogInconsistent extends Error {
  override readonly name = 'LogInconsistent';
}

/**
 * Signs the tree as it is, if it has grown since the last checkpoint. Reads the hashes from the
 * database again and proves that the last signed tree is a part of this one, with the functions
 * that a verifier uses. Throws LogInconsistent.
 * @param isFirst also proves a tree that has not grown
 */
export function signCheckpoint(
  db: Database,
  signer: LogSigner,
  now: Date,
  isFirst: boolean,
): Promise<Signing> {
  return db.transaction(async (tx) => {
    const [size, last] = await Promise.all([lockTree(tx), findLatestCheckpoint(tx)]);
    const isNews = size !== (last?.treeSize ?? 0);
    if (size === null) return { isSequencer: false, checkpoint: null };
    const nothing = { isSequencer: true, checkpoint: null };
    if (!(isNews || isFirst)) return nothing;
    const root = await provenRoot(tx, size, last);
    if (!isNews) return nothing;
    const checkpoint = await signed(signer, size, root, now);
    await insertCheckpoint(tx, checkpoint);
    return { isSequencer: true, checkpoint };
  });
}

async function provenRoot(tx: Tx, size: number, last: StoredCheckpoint | null): Promise<Buffer> {
  const from = last?.treeSize ?? 0;
  if (from > size)
    throw new LogInconsistent(`a checkpoint of ${from} leaves was signed, and the log has ${size}`);
  const leaves = await countLeaves(tx);
  if (leaves !== size) throw new LogInconsistent(`the log has ${leaves} leaves, and its tree ${size}`);
  const nodes = [...rootNodes(size), ...(from > 0 ? consistencyNodes(from, size) : [])];
  const hashOf = hashReader(await readBlocks(tx, blocksOf(nodes)));
  const root = Buffer.from(treeRoot(size, hashOf));
  if (!last) return root;
  const proof = consistencyProof(from, size, hashOf);
  if (verifyConsistency({ from, to: size, fromRoot: last.root, toRoot: root, proof })) return root;
  throw new LogInconsistent(`the log of ${size} leaves does not contain the log of ${from} that was signed`);
}

/** By the highest index, since the leaves are numbered without a gap. */
async function countLeaves(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ leaves: number }>(
    'select coalesce(max(leaf_index) + 1, 0) as leaves from log_fact',
  );
  return row?.leaves ?? 0;
}

async function signed(
  { key, privateKey }: LogSigner,
  treeSize: number,
  root: Buffer,
  signedAt: Date,
): Promise<StoredCheckpoint> {
  const text = formatCheckpoint({ origin: key.name, size: treeSize, root, extensions: [] });
  const signature = await signNoteText(text, key, (message) => sign(null, message, privateKey));
  return { treeSize, root, note: formatNote({ text, signatures: [signature] }), signedAt };
}

const COLUMNS = 'tree_size, root, note, signed_at';

export async function findLatestCheckpoint(db: Queryable): Promise<StoredCheckpoint | null> {
  const [row] = await db.query<StoredCheckpoint>(
    `select ${COLUMNS} from log_checkpoint order by tree_size desc limit 1`,
  );
  return row ?? null;
}

async function insertCheckpoint(tx: Tx, { treeSize, root, note, signedAt }: StoredCheckpoint): Promise<void> {
  await tx.execute(`insert into log_checkpoint (${COLUMNS}) values ($1, $2, $3, $4)`, [
    treeSize,
    root,
    note,
    signedAt,
  ]);
}
