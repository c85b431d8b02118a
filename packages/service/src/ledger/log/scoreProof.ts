import type { Factor } from '@reliability/scoring';
import type { Queryable } from '../../kit/db/database.js';
import type { ReasonCodes } from '../reads/snapshots.js';
import { remainsOf, textOf } from '../text/eventText.js';
import { HASH_DIGITS } from './blocks.js';
import { findLatestCheckpoint } from './checkpoints.js';
import { LOGGED_EVENT_COLUMNS, SNAPSHOT_FACT_COLUMNS } from './factStore.js';
import { type EventFactRow, eventFactText, SALT_BYTES, type SnapshotFactRow, snapshotFact } from './facts.js';
import { inclusionTexts } from './inclusion.js';
import { factKinds } from './kinds.js';
import { type ClosedLeaf, type OtherLog, readCommitments, readOtherLogs } from './otherLogs.js';
import { isSigned, type OpenedLeaf } from './receipt.js';

/** Shows a published score with everything that it counts. What is as long as the ledger is JSON already. */
export interface ScoreProof {
  snapshot: OpenedLeaf & { proof: string[] };
  /** As they were when the score was published. */
  reasons: StatedReasons;
  /** The subject's own chain by position (OpenedLeaf), then the events of linked subjects (ClosedLeaf). ASCII. */
  events: string[];
  /** For each element of `events` a list of hashes. */
  eventProofs: string[];
  checkpoint: string;
  cosignatures: string[];
  /** Events of linked subjects in the logs of other ledger groups; left out if there are none. */
  otherLogs?: OtherLog[];
}

interface StatedReasons extends ReasonCodes {
  /** Points by which each factor moved the score. */
  factors: Record<Factor, number>;
}

/** The proof of the published score. Null: no score. 'pending': no checkpoint covers all of it yet. */
export async function findScoreProof(
  db: Queryable,
  subjectId: string,
): Promise<ScoreProof | 'pending' | null> {
  const [snapshot, checkpoint] = await Promise.all([readSnapshot(db, subjectId), findLatestCheckpoint(db)]);
  if (!snapshot) return null;
  const { leafIndex, salt, head, position, positions, factors, reasonCodes } = snapshot;
  if (leafIndex === null || salt === null || !isSigned(checkpoint, leafIndex)) return 'pending';
  const counted = readEvents(db, subjectId, position);
  counted.catch(() => {}); // awaited below, unless the proof is pending
  const linked = Object.entries(positions).filter(([id]) => id !== subjectId);
  const [own, others, otherLogs] = await Promise.all([
    readLeaves(db, subjectId, position),
    linked.length === 0 ? [] : readCommitments(db, linked),
    linked.length === 0 ? [] : readOtherLogs(db, linked),
  ]);
  if (otherLogs === 'pending') return 'pending';
  const elsewhere = otherLogs.reduce((sum, log) => sum + log.events.length, 0);
  const indexes = [leafIndex, ...own.leafIndexes, ...others.map((leaf) => leaf.leafIndex)];
  const isComplete =
    indexes.length - 1 + elsewhere === eventsOf(positions) && own.leafIndexes.length === position;
  if (!isComplete || indexes.some((index) => !isSigned(checkpoint, index))) return 'pending';
  const [[proof = '[]', ...eventProofs], opened] = await Promise.all([
    inclusionTexts(db, indexes, checkpoint.treeSize),
    // Facts are made while the database reads hashes.
    counted.then((events) => openedChain(events, own)),
  ]);
  const closed = others.map(({ leafIndex, d }): ClosedLeaf => ({ leafIndex, d: base64(d) }));
  const events = [...opened, ...closed.map((leaf) => JSON.stringify(leaf))];
  const fact = snapshotFact(snapshot, head);
  return {
    snapshot: { leafIndex, salt: base64(salt), fact, proof: JSON.parse(proof) },
    reasons: { factors, ...reasonCodes },
    events,
    eventProofs,
    checkpoint: checkpoint.note,
    cosignatures: checkpoint.cosignatures,
    ...(otherLogs.length > 0 && { otherLogs }),
  };
}

interface LoggedSnapshot extends SnapshotFactRow {
  leafIndex: number | null;
  salt: Buffer | null;
  head: Buffer | null;
  positions: Record<string, number>;
  factors: Record<Factor, number>;
  reasonCodes: ReasonCodes;
}

async function readSnapshot(db: Queryable, subjectId: string): Promise<LoggedSnapshot | null> {
  const [row] = await db.query<LoggedSnapshot>(
    `select ${SNAPSHOT_FACT_COLUMNS}, n.positions, n.factors, n.reason_codes, f.leaf_index, f.salt, h.d as head
     from score c join score_snapshot n using (subject_id, snapshot_no)
     left join log_fact f on f.subject_id = n.subject_id and f.kind = ${factKinds.snapshot} and f.ref = n.snapshot_no
     left join log_fact h on h.subject_id = n.subject_id and h.kind = ${factKinds.event}
       and h.ref = (n.positions ->> n.subject_id::text)::bigint
     where c.subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}

/**
 * The subject's events by position, and in `readLeaves` their leaves. As one join it was planned
 * without an index on positions: 160 ms for 1 000 events.
 */
function readEvents(db: Queryable, subjectId: string, position: number): Promise<EventFactRow[]> {
  return db.query<EventFactRow>(
    `select ${LOGGED_EVENT_COLUMNS} from event e ${textOf('e')} ${remainsOf('e')}
     where e.subject_id = $1 and e.position <= $2 order by e.position`,
    [subjectId, position],
  );
}

/** Leaves of a subject by column, since a thousand rows cost more than their contents. */
interface LoggedFacts {
  leafIndexes: number[];
  /** SALT_BYTES for each. */
  salts: Buffer;
  /** HASH_DIGITS of base64 for each. */
  commitments: string;
}

async function readLeaves(db: Queryable, subjectId: string, position: number): Promise<LoggedFacts> {
  const [row] = await db.query<LoggedFacts>(
    `select coalesce(array_agg(leaf_index order by ref), '{}') as leaf_indexes,
       coalesce(string_agg(salt, ''::bytea order by ref), '') as salts,
       coalesce(string_agg(encode(d, 'base64'), '' order by ref), '') as commitments
     from log_fact where subject_id = $1 and kind = ${factKinds.event} and ref <= $2 and salt is not null`,
    [subjectId, position],
  );
  if (!row) throw new Error('an aggregate without groups has one row');
  return row;
}

/** @param leaves of the same events, in the same order. */
function openedChain(
  events: readonly EventFactRow[],
  { leafIndexes, salts, commitments }: LoggedFacts,
): string[] {
  if (events.length !== leafIndexes.length) throw new Error('the log and the ledger of a subject differ');
  let previous: string | null = null;
  return events.map((event, index) => {
    const at = index * SALT_BYTES;
    const fact = eventFactText(event, previous, salts, at);
    previous = commitments.slice(index * HASH_DIGITS, (index + 1) * HASH_DIGITS);
    const salt = salts.toString('base64', at, at + SALT_BYTES);
    return `{"leafIndex":${leafIndexes[index]},"salt":"${salt}","fact":${fact}}`;
  });
}

function eventsOf(positions: Record<string, number>): number {
  return Object.values(positions).reduce((sum, each) => sum + each, 0);
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}
