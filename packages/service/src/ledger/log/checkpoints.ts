import { sign } from 'node:crypto';
import { formatCheckpoint, formatNote, openNote, parseNote, signNoteText } from '@reliability/proof';
import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { lockTree } from './batch.js';
import {
  type HeadFile,
  type KnownHead,
  knownHead,
  LogInconsistent,
  proveHeads,
  readAcceptedSizes,
} from './heads.js';
import { type LogSigner, readNamedKeys } from './logKey.js';
import { insertNote } from './queue.js';

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

export interface SigningOptions {
  /** Leaves it to the witnesses' cosignatures to publish the checkpoint. */
  needsWitnesses?: boolean;
  /** The newest note that this process has signed or seen signed. */
  remembered?: string | null;
  head?: HeadFile | null;
}

/**
 * Signs the tree as it is, if it has grown since the last checkpoint. Reads the hashes from the
 * database again and proves that every signed tree that anybody here knows is a part of this one, with
 * the functions that a verifier uses: the newest in the database, in the memory of this process and in
 * the head file. Throws LogInconsistent.
 * @param isFirst also proves a tree that has not grown
 * @returns `isSequencer` false: another process is it now. `checkpoint`: the new one. `newest`: in the database.
 */
export function signCheckpoint(
  db: Database,
  signer: LogSigner,
  now: Date,
  isFirst: boolean,
  { needsWitnesses = false, remembered = null, head = null }: SigningOptions = {},
) {
  return db.transaction(async (tx) => {
    const [tree, newest] = await Promise.all([lockTree(tx), findSignedCheckpoint(tx)]);
    if (tree === null) return { isSequencer: false, checkpoint: null, newest };
    const size = tree.treeSize;
    const nothing = { isSequencer: true, checkpoint: null, newest };
    const isNews = size !== (newest?.treeSize ?? 0);
    const isKnown = remembered === null || remembered === newest?.note;
    if (!isNews && isKnown && !isFirst) return nothing;
    const kept = (await head?.read()) ?? null;
    if (isFirst) await assertNamedKey(tx, newest);
    const root = await provenRoot(tx, size, newest, [
      ...headBy(tree.signedHead, 'the database'),
      ...headBy(remembered, 'this process'),
      ...headBy(kept, `the file ${head?.name}`),
    ]);
    if (!isNews) return nothing;
    const note = await signedNote(signer, size, root);
    await tx.execute(
      `with signed as (insert into log_checkpoint (${COLUMNS}, published_at) values ($1, $2, $3, $4, $5))
       update log_state set signed_head = $3`,
      [size, root, note, now, needsWitnesses ? null : now],
    );
    // Before the commit: nobody may see a checkpoint that the file does not know. Its leaves are committed.
    await head?.write(note);
    const checkpoint = { treeSize: size, root, note, signedAt: now };
    return { isSequencer: true, checkpoint, newest: checkpoint };
  });
}

function headBy(note: string | null, knownBy: string): KnownHead[] {
  return note === null ? [] : [knownHead(note, knownBy)];
}

/** The newest signed head that a process knew of; the database may lack its leaves. */
export async function readSignedHead(db: Queryable): Promise<string | null> {
  const [state] = await db.query<{ signedHead: string | null }>('select signed_head from log_state');
  return state?.signedHead ?? null;
}

async function provenRoot(
  tx: Tx,
  size: number,
  newest: StoredCheckpoint | null,
  known: readonly KnownHead[],
): Promise<Buffer> {
  const leaves = await countLeaves(tx);
  if (leaves !== size) throw new LogInconsistent(`the log has ${leaves} leaves, and its tree ${size}`);
  const stored = newest && { ...newest, size: newest.treeSize, knownBy: 'the database' };
  const { root, lost } = await proveHeads(tx, size, stored ? [stored, ...known] : known);
  if (stored && lost[0] === stored) throw new LogInconsistent(isNotIn(stored, size));
  const hidden = known.find((head) => head.knownBy === 'the database' && head.size > (newest?.treeSize ?? 0));
  const suspects = hidden ? [...lost, hidden] : lost;
  if (suspects.length === 0) return root;
  const accepted = await readAcceptedSizes(tx);
  const [worst] = suspects.filter((head) => !accepted.has(head.size)).sort((a, b) => b.size - a.size);
  if (!worst) return root;
  const reason = lost.includes(worst)
    ? isNotIn(worst, size)
    : `the checkpoint of ${worst.size} leaves was signed, and it is missing`;
  throw new LogInconsistent(reason, worst.note);
}

function isNotIn({ size: signed, knownBy }: KnownHead, size: number): string {
  return `the log of ${size} leaves does not contain the log of ${signed} that was signed (known by ${knownBy})`;
}

/** The log itself names the keys that may sign it. Throws LogInconsistent. */
async function assertNamedKey(tx: Tx, newest: StoredCheckpoint | null): Promise<void> {
  if (!newest) return;
  try {
    await openNote(parseNote(newest.note), await readNamedKeys(tx));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LogInconsistent(
      `the checkpoint of ${newest.treeSize} leaves is not signed by a key of the log: ${reason}`,
    );
  }
}

/** By the highest index, since the leaves are numbered without a gap. */
async function countLeaves(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ leaves: number }>(
    'select coalesce(max(leaf_index) + 1, 0) as leaves from log_fact',
  );
  return row?.leaves ?? 0;
}

async function signedNote({ key, privateKey }: LogSigner, size: number, root: Buffer): Promise<string> {
  const text = formatCheckpoint({ origin: key.name, size, root, extensions: [] });
  const signature = await signNoteText(text, key, (message) => sign(null, message, privateKey));
  return formatNote({ text, signatures: [signature] });
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

/** A signed head that the database does not contain: a backup was restored, or rows were changed. */
export type LostHead = Pick<KnownHead, 'size' | 'knownBy'>;

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
    for (const size of new Set(lost.map((each) => each.size))) {
      await insertNote(tx, { kind: 'rollback', lostFrom, size }, now);
    }
  });
}
