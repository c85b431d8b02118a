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
  /** Without cosignatures. */
  note: string;
  signedAt: Date;
}

/** A head of the log as everybody may see it. */
export interface PublishedCheckpoint {
  treeSize: number;
  /** With the cosignatures as further signature lines. */
  note: string;
  /** Signature lines of witnesses, without newline. */
  cosignatures: string[];
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
 * @param needsWitnesses leaves it to the witnesses' cosignatures to publish the checkpoint
 */
export function signCheckpoint(
  db: Database,
  signer: LogSigner,
  now: Date,
  isFirst: boolean,
  needsWitnesses = false,
): Promise<Signing> {
  return db.transaction(async (tx) => {
    const [size, last] = await Promise.all([lockTree(tx), findSignedCheckpoint(tx)]);
    const isNews = size !== (last?.treeSize ?? 0);
    if (size === null) return { isSequencer: false, checkpoint: null };
    const nothing = { isSequencer: true, checkpoint: null };
    if (!(isNews || isFirst)) return nothing;
    const root = await provenRoot(tx, size, last);
    if (!isNews) return nothing;
    const checkpoint = await signed(signer, size, root, now);
    await insertCheckpoint(tx, checkpoint, needsWitnesses ? null : now);
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

/** The newest, published or not. */
export async function findSignedCheckpoint(db: Queryable): Promise<StoredCheckpoint | null> {
  const [row] = await db.query<StoredCheckpoint>(
    `select ${COLUMNS} from log_checkpoint order by tree_size desc limit 1`,
  );
  return row ?? null;
}

/** The newest published one: with LOG_WITNESS_QUORUM, enough witnesses have cosigned it. */
export async function findLatestCheckpoint(db: Queryable): Promise<PublishedCheckpoint | null> {
  const [row] = await db.query<CosignedNote & { treeSize: number }>(
    `select tree_size, note, cosignatures from log_checkpoint
     where published_at is not null order by tree_size desc limit 1`,
  );
  if (!row) return null;
  const cosignatures = row.cosignatures.map(({ line }) => line);
  return { treeSize: row.treeSize, note: publicNote(row), cosignatures };
}

/** As stored. */
export interface CosignedNote {
  note: string;
  cosignatures: { line: string }[];
}

/** The note with the cosignatures as further signature lines. */
export function publicNote({ note, cosignatures }: CosignedNote): string {
  return note + cosignatures.map(({ line }) => `${line}\n`).join('');
}

/** What was published once stays so, also if more witnesses are asked for later. */
export async function publish(db: Queryable, treeSize: number, now: Date): Promise<void> {
  await db.execute(
    'update log_checkpoint set published_at = $2 where tree_size = $1 and published_at is null',
    [treeSize, now],
  );
}

async function insertCheckpoint(
  tx: Tx,
  { treeSize, root, note, signedAt }: StoredCheckpoint,
  publishedAt: Date | null,
): Promise<void> {
  await tx.execute(`insert into log_checkpoint (${COLUMNS}, published_at) values ($1, $2, $3, $4, $5)`, [
    treeSize,
    root,
    note,
    signedAt,
    publishedAt,
  ]);
}
