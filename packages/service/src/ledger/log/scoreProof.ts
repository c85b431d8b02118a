import type { Factor } from '@reliability/scoring';
import type { Queryable } from '../../kit/db/database.js';
import type { ReasonCodes } from '../reads/snapshots.js';
import { remainsOf, textOf } from '../text/eventText.js';
import { HASH_DIGITS } from './blocks.js';
import { findLatestCheckpoint, type PublishedCheckpoint } from './checkpoints.js';
import { AT_START } from './cursors.js';
import { type CountedSubject, LOGGED_EVENT_COLUMNS, SNAPSHOT_FACT_COLUMNS } from './factStore.js';
import {
  base64,
  type EventFactRow,
  eventFactText,
  SALT_BYTES,
  type SnapshotFact,
  type SnapshotFactRow,
  snapshotFactText,
} from './facts.js';
import { inclusionTexts } from './inclusion.js';
import { factKinds } from './kinds.js';
import { countedBy } from './leaves.js';
import { type OtherLog, type ProvenMember, readCommitted, readOtherLogs } from './otherLogs.js';
import { isSigned } from './receipt.js';

/** Shows a published score with everything that it counts. What is as long as the ledger is JSON already. */
export interface ScoreProof {
  snapshot: { leafIndex: number; salt: string; fact: SnapshotFact; proof: string[] };
  /** As they were when the score was published. */
  reasons: StatedReasons;
  /** In the order of the snapshot's fact. */
  members: ProofMember[];
  /** For each event of `members`, in their order, a list of hashes. */
  eventProofs: string[];
  checkpoint: string;
  cosignatures: string[];
  /** Logs of other ledger groups with events of linked subjects; left out if there are none. */
  otherLogs?: OtherLog[];
}

/** A subject that the score counts, with its events by position. */
export interface ProofMember {
  /** Absent: of another platform. */
  subject?: string;
  /** The number of the other log that holds its events; absent: the log of the proof. */
  log?: number;
  /** Opened leaves of the subject's own, closed ones of others. ASCII. */
  events: string[];
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
  const { leafIndex, salt, positions, factors, reasonCodes } = snapshot;
  if (leafIndex === null || salt === null || !isSigned(checkpoint, leafIndex)) return 'pending';
  const position = positions[subjectId] ?? 0;
  const counted = readEvents(db, subjectId, position);
  counted.catch(() => {}); // awaited below, unless the proof is pending
  const linked = Object.entries(positions).filter(([id]) => id !== subjectId);
  const [own, others] = await Promise.all([
    readLeaves(db, subjectId, position),
    readLinked(db, linked, checkpoint),
  ]);
  if (others === 'pending' || own.leafIndexes.length !== position) return 'pending';
  const indexes = [leafIndex, ...own.leafIndexes];
  if (indexes.some((index) => !isSigned(checkpoint, index))) return 'pending';
  const [[proof = '[]', ...ownProofs], events] = await Promise.all([
    inclusionTexts(db, indexes, checkpoint.treeSize),
    // Facts are made while the database reads hashes.
    counted.then((rows) => openedChain(rows, own)),
  ]);
  const { chain } = own;
  const members = [
    { chain, of: { subject: subjectId, events }, proofs: ownProofs },
    ...others.members.map((member) => ({
      chain: member.chain,
      of: closedMember(member),
      proofs: member.eventProofs,
    })),
  ].sort((a, b) => (a.chain < b.chain ? -1 : 1));
  const chains = new Map([[subjectId, chain], ...others.chains]);
  const counts = countedBy(snapshot, (id) => chains.get(id));
  if (!counts) return 'pending';
  const fact: SnapshotFact = JSON.parse(snapshotFactText(snapshot, counts));
  return {
    snapshot: { leafIndex, salt: salt.toString('base64'), fact, proof: JSON.parse(proof) },
    reasons: { factors, ...reasonCodes },
    members: members.map(({ of }) => of),
    eventProofs: members.flatMap(({ proofs }) => proofs),
    checkpoint: checkpoint.note,
    cosignatures: checkpoint.cosignatures,
    ...(others.logs.length > 0 && { otherLogs: others.logs }),
  };
}

interface LoggedSnapshot extends SnapshotFactRow {
  leafIndex: number | null;
  salt: Buffer | null;
  factors: Record<Factor, number>;
  reasonCodes: ReasonCodes;
}

async function readSnapshot(db: Queryable, subjectId: string): Promise<LoggedSnapshot | null> {
  const [row] = await db.query<LoggedSnapshot>(
    `select ${SNAPSHOT_FACT_COLUMNS}, n.factors, n.reason_codes, f.leaf_index, f.salt
     from score c join score_snapshot n using (subject_id, snapshot_no)
     left join log_fact f on f.subject_id = n.subject_id and f.kind = ${factKinds.snapshot} and f.ref = n.snapshot_no
     where c.subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}

interface Linked {
  members: ProvenMember[];
  chains: Map<string, string>;
  logs: OtherLog[];
}

/** Linked subjects, in the log of this group or of others. */
async function readLinked(
  db: Queryable,
  linked: readonly CountedSubject[],
  checkpoint: PublishedCheckpoint,
): Promise<Linked | 'pending'> {
  const members: ProvenMember[] = [];
  const chains = new Map<string, string>();
  const counting = linked.filter(([, position]) => position > 0);
  for (const [id, position] of linked) {
    if (position > 0) continue;
    chains.set(id, AT_START.chain);
    members.push({ leafIndexes: [], commitments: [], chain: AT_START.chain, eventProofs: [] });
  }
  if (counting.length === 0) return { members, chains, logs: [] };
  const here = await readCommitted(db, counting);
  const indexes = [...here.values()].flatMap(({ leafIndexes }) => leafIndexes);
  if (indexes.some((index) => !isSigned(checkpoint, index))) return 'pending';
  const texts = await inclusionTexts(db, indexes, checkpoint.treeSize);
  for (const [id, member] of here) {
    chains.set(id, member.chain);
    members.push({ ...member, eventProofs: texts.splice(0, member.leafIndexes.length) });
  }
  const rest = counting.filter(([id]) => !here.has(id));
  if (rest.length === 0) return { members, chains, logs: [] };
  const elsewhere = await readOtherLogs(db, rest);
  if (elsewhere === 'pending' || elsewhere.members.length < rest.length) return 'pending';
  for (const member of elsewhere.members) chains.set(member.subjectId, member.chain);
  return { members: [...members, ...elsewhere.members], chains, logs: elsewhere.logs };
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
  /** In milliseconds since 1970. */
  completeUntil: number[];
  /** SALT_BYTES for each. */
  salts: Buffer;
  /** HASH_DIGITS of base64 for each. */
  commitments: string;
  /** Behind the last of them, as base64. */
  chain: string;
}

async function readLeaves(db: Queryable, subjectId: string, position: number): Promise<LoggedFacts> {
  const [row] = await db.query<Omit<LoggedFacts, 'chain'> & { chain: string | null }>(
    `select coalesce(array_agg(leaf_index order by ref), '{}') as leaf_indexes,
       coalesce(array_agg((extract(epoch from complete_until) * 1000)::bigint order by ref), '{}') as complete_until,
       coalesce(string_agg(salt, ''::bytea order by ref), '') as salts,
       coalesce(string_agg(encode(d, 'base64'), '' order by ref), '') as commitments,
       max(encode(chain, 'base64')) filter (where ref = $2) as chain
     from log_fact where subject_id = $1 and kind = ${factKinds.event} and ref <= $2 and salt is not null`,
    [subjectId, position],
  );
  if (!row) throw new Error('an aggregate without groups has one row');
  return { ...row, chain: row.chain ?? AT_START.chain };
}

/** @param leaves of the same events, in the same order. */
function openedChain(
  events: readonly EventFactRow[],
  { leafIndexes, completeUntil, salts, commitments }: LoggedFacts,
): string[] {
  if (events.length !== leafIndexes.length) throw new Error('the log and the ledger of a subject differ');
  let previous: string | null = null;
  return events.map((event, index) => {
    const salt = salts.subarray(index * SALT_BYTES, (index + 1) * SALT_BYTES);
    const place = { previous, completeUntil: completeUntil[index] ?? 0 };
    const fact = eventFactText(event, place, salt);
    previous = commitments.slice(index * HASH_DIGITS, (index + 1) * HASH_DIGITS);
    return `{"leafIndex":${leafIndexes[index]},"salt":"${base64(salt)}","fact":${fact}}`;
  });
}

function closedMember({ leafIndexes, commitments, log }: ProvenMember): ProofMember {
  const events = leafIndexes.map((leafIndex, nth) => `{"leafIndex":${leafIndex},"d":"${commitments[nth]}"}`);
  return { ...(log !== undefined && { log }), events };
}
