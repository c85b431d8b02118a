import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  appendLeaves,
  edgeRoot,
  HASH_BYTES,
  leafHash,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  type TreeEdge,
} from '@reliability/proof';
import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { type AuditOptions, beginAudit, guarded, PAGE_ROWS, pagedReader } from '../../audit/report.js';
import { addToBlocks, type Block, type Blocks, openOf, readBlocks } from '../blocks.js';
import { findSignedCheckpoint, readSignedHead, type StoredCheckpoint } from '../checkpoints.js';
import { knownHead, LogInconsistent } from '../heads.js';
import { assertKeyIsStored } from '../logKey.js';
import { auditFacts } from './facts.js';
import type { LogAudit, LogAuditSummary } from './store.js';

const NOTHING = { leaves: 0, checkpoints: 0, facts: 0, thinned: 0, erased: 0, waiting: 0, differences: 0 };

/**
 * Audits the transparency log (RULES E15 to E17): the leaves give every stored hash and every signed
 * root, every fact in the tables gives the commitment of its leaf, and nothing is missing on either
 * side. Read-only and safe beside a running service: each page is read from one database snapshot.
 */
export async function auditLog(db: Database, options: AuditOptions<LogAuditSummary>) {
  const audit = beginAudit(NOTHING, options);
  const auditTree = async (tx: Tx) => {
    const [state] = await tx.query<{ treeSize: number; leaves: number }>(
      `select tree_size, coalesce((select max(leaf_index) + 1 from log_fact), 0) as leaves from log_state`,
    );
    const { treeSize, leaves } = state ?? { treeSize: 0, leaves: 0 };
    if (treeSize !== leaves) audit.report(`the tree has ${treeSize} leaves, and ${leaves} are stored`);
    await auditLeaves(tx, leaves, audit);
    await auditSigning(tx, leaves, audit);
  };
  const leavesAudited = guarded(audit.report, () => db.view(auditTree), 'the tree');
  await Promise.all([leavesAudited, auditFacts(db, audit)]);
  return audit.summary;
}

/** A log that has just begun may have leaves and no checkpoint yet. */
const SIGNED_WITHIN_MS = 10 * 60_000;

/** What must be there if the log was ever signed: its newest checkpoint, and the key that signs. */
async function auditSigning(tx: Tx, leaves: number, audit: LogAudit): Promise<void> {
  try {
    const newest = await findSignedCheckpoint(tx);
    const note = await readSignedHead(tx);
    const size = note === null ? 0 : knownHead(note, 'log_state').size;
    if (size > (newest?.treeSize ?? 0))
      audit.report(`the checkpoint of ${size} leaves was signed, and it is missing`);
    else if (!newest && leaves > 0 && (await isOld(tx, audit.now)))
      audit.report(`the log has ${leaves} leaves and no signed checkpoint`);
    await assertKeyIsStored(tx);
  } catch (error) {
    if (!(error instanceof LogInconsistent)) throw error;
    audit.report(error.message);
  }
}

async function isOld(tx: Tx, now: Date): Promise<boolean> {
  const [note] = await tx.query<{ at: Date }>(
    `select (fact ->> 'at')::timestamptz as at from log_note where number = 1`,
  );
  return !note || now.getTime() - note.at.getTime() > SIGNED_WITHIN_MS;
}

const PAGE_LEAVES = 5000;

/**
 * Rebuilds the tree from the commitments, and compares every stored hash and every signed
 * checkpoint with it. One pass in the order of leaves, in bounded memory.
 * @param size the leaves that are audited; later ones may be arriving
 */
async function auditLeaves(db: Queryable, size: number, audit: LogAudit): Promise<void> {
  let edge: TreeEdge = { size: 0, hashes: [] };
  let open: Blocks = new Map();
  const checkpoints = pagedReader<StoredCheckpoint>((last) =>
    db.query<StoredCheckpoint>(
      'select tree_size, root, note, signed_at from log_checkpoint where tree_size > $1 order by tree_size limit $2',
      [last?.treeSize ?? 0, PAGE_ROWS],
    ),
  );
  const keys = await readKeys(db, audit);
  let complete = new Date(0);
  while (edge.size < size) {
    const { all, nextIndex, completeUntil, goesBack } = await readLeaves(db, edge.size, size, complete);
    if (goesBack) audit.report(`the time until which the log is complete goes back near leaf ${edge.size}`);
    complete = completeUntil;
    await addLeaves(all);
    audit.onProgress();
    if (nextIndex === null && all.length > 0) continue;
    const next = nextIndex ?? size;
    audit.report(`leaves ${edge.size} to ${next - 1} are missing; later ones cannot be audited`);
    break;
  }
  await compareBlocks(open);
  for (let left = await checkpoints.peek(); left; left = await checkpoints.peek()) {
    audit.report(`a checkpoint of ${left.treeSize} leaves was signed, and the log has ${edge.size}`);
    checkpoints.skip();
  }

  /** @param commitments of successive leaves, one after another. */
  async function addLeaves(commitments: Buffer): Promise<void> {
    const hashes = Array.from({ length: commitments.length / HASH_BYTES }, (_, nth) =>
      leafHash(commitments.subarray(nth * HASH_BYTES, (nth + 1) * HASH_BYTES)),
    );
    const blocks = new Map(open);
    for (let done = 0; done < hashes.length; ) {
      const checkpoint = await checkpoints.peek();
      const upTo = checkpoint ? checkpoint.treeSize - edge.size : Number.POSITIVE_INFINITY;
      const part = hashes.slice(done, done + upTo);
      const grown = appendLeaves(edge, part);
      for (const [key, block] of addToBlocks(blocks, grown.added)) blocks.set(key, block);
      edge = grown.edge;
      done += part.length;
      if (checkpoint?.treeSize !== edge.size) continue;
      auditCheckpoint(checkpoint, edge, keys, audit);
      audit.summary.checkpoints += 1;
      checkpoints.skip();
    }
    audit.summary.leaves += hashes.length;
    open = openOf(blocks);
    await compareBlocks(new Map([...blocks].filter(([key]) => !open.has(key))));
  }

  /** Stored blocks may hold more hashes by now. */
  async function compareBlocks(rebuilt: Blocks): Promise<void> {
    const stored = await readBlocks(db, [...rebuilt.values()]);
    for (const [key, block] of rebuilt)
      if (!holds(stored.get(key), block))
        audit.report(`the stored hashes of block ${key} do not follow from the leaves`);
  }
}

interface LeafPage {
  /** The commitments of successive leaves from the first one on: thousands of rows cost more than these. */
  all: Buffer;
  /** The leaf after a gap. Null: there is none. */
  nextIndex: number | null;
  /** What its events say about the log before them: the latest, and whether it goes back between two. */
  completeUntil: Date;
  goesBack: boolean;
}

async function readLeaves(db: Queryable, from: number, to: number, complete: Date): Promise<LeafPage> {
  const [page] = await db.query<LeafPage>(
    `with page as materialized (
       select leaf_index, d, complete_until,
         max(complete_until) over (order by leaf_index rows between unbounded preceding and 1 preceding) as complete_before,
         length(d) = ${HASH_BYTES} and leaf_index = $1::bigint - 1 + row_number() over (order by leaf_index) as is_next
       from log_fact where leaf_index >= $1 and leaf_index < $2 order by leaf_index limit $3
     ), gap as (
       select min(leaf_index) as next_index from page where not is_next
     )
     select coalesce((
       select string_agg(d, ''::bytea order by leaf_index) from page where next_index is null or leaf_index < next_index
     ), '') as "all", next_index, complete.* from gap cross join (
       select greatest(max(complete_until), $4) as complete_until,
         coalesce(bool_or(complete_until < greatest(complete_before, $4)), false) as goes_back from page
     ) complete`,
    [from, to, PAGE_LEAVES, complete],
  );
  if (!page) throw new Error('an aggregate without groups has one row');
  return page;
}

const UNSET = Buffer.alloc(HASH_BYTES);

function holds(stored: Block | undefined, { hashes }: Block): boolean {
  if (!stored) return false;
  if (stored.hashes.equals(hashes)) return true;
  for (let at = 0; at < hashes.length; at += HASH_BYTES) {
    const hash = hashes.subarray(at, at + HASH_BYTES);
    if (!hash.equals(UNSET) && !stored.hashes.subarray(at, at + HASH_BYTES).equals(hash)) return false;
  }
  return true;
}

type LogKeys = ReadonlyMap<string, KeyObject>;

async function readKeys(db: Queryable, audit: LogAudit): Promise<Map<string, KeyObject>> {
  const rows = await db.query<{ vkey: string }>(
    `select distinct fact ->> 'vkey' as vkey from log_note where fact ->> 'kind' = 'logKey'`,
  );
  const keys = new Map<string, KeyObject>();
  for (const { vkey } of rows) {
    await guarded(
      audit.report,
      () => {
        const { name, id, publicKey } = parseVerifierKey(vkey);
        const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey).toString('base64url') };
        keys.set(`${name} ${id}`, createPublicKey({ key, format: 'jwk' }));
      },
      `the key ${vkey} of the log`,
    );
  }
  return keys;
}

function auditCheckpoint(
  { treeSize, root, note }: StoredCheckpoint,
  edge: TreeEdge,
  keys: LogKeys,
  audit: LogAudit,
): void {
  if (!root.equals(edgeRoot(edge))) {
    audit.report(`the checkpoint of ${treeSize} leaves has another root than its leaves give`);
  }
  const fault = faultOfNote(note, treeSize, root, keys);
  if (fault) audit.report(`the checkpoint of ${treeSize} leaves ${fault}`);
}

function faultOfNote(note: string, treeSize: number, root: Buffer, keys: LogKeys): string | null {
  try {
    const { text, signatures } = parseNote(note);
    const signed = parseCheckpoint(text);
    if (signed.size !== treeSize || !root.equals(signed.root)) return 'was signed for another tree';
    const [signature] = signatures;
    const key = signature && keys.get(`${signature.name} ${signature.keyId}`);
    if (!key) return 'is signed by a key that the log does not name';
    return verify(null, Buffer.from(text), key, signature.signature) ? null : 'has an invalid signature';
  } catch (error) {
    return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
