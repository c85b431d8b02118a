import type { Factor } from '@reliability/scoring';
import type { Queryable } from '#kit/db/database.js';
import { raw, sql } from '#kit/db/rows.js';
import { findOthersOf } from '../links/recordReads.js';
import type { ReasonCodes } from '../reads/publishedScores.js';
import { remainsOf, textOf } from '../text/eventText.js';
import { HASH_DIGITS } from './blocks.js';
import { findLatestCheckpoint } from './checkpoints.js';
import {
  type CountedSubject,
  countedSubjects,
  LOGGED_EVENT_COLUMNS,
  SNAPSHOT_FACT_COLUMNS,
  START_CHAIN,
} from './factStore.js';
import {
  base64,
  type EventFactRow,
  eventFactText,
  factKinds,
  SALT_BYTES,
  type SnapshotFact,
  type SnapshotFactRow,
  snapshotFactText,
} from './facts.js';
import { inclusionTexts } from './inclusion.js';
import { countedBy } from './leaves.js';
import { isSigned } from './receipt.js';

/** Shows a published score with everything that it counts. What is as long as the ledger is JSON already. */
export interface ScoreProof {
  snapshot: { leafIndex: number; salt: string; fact: SnapshotFact; proof: string[] };
  /** As they were when the score was published. Of factors: the points by which each moved the score. */
  reasons: ReasonCodes & { factors: Record<Factor, number> };
  /** In the order of the snapshot's fact. */
  members: ProofMember[];
  /** For each event of `members`, in their order, a list of hashes. */
  eventProofs: string[];
  checkpoint: string;
  cosignatures: string[];
  /** Logs of other ledger groups with events of linked subjects; left out if there are none. */
  otherLogs?: OtherLog[];
}

type OtherLog = Pick<ScoreProof, 'checkpoint' | 'cosignatures'>;

/** A subject that the score counts, with its events by position. */
export interface ProofMember {
  /** Absent: of another platform. */
  subject?: string;
  /** The number of the other log that holds its events; absent: the log of the proof. */
  log?: number;
  /** Opened leaves of the subject's own, closed ones of others. ASCII. */
  events: string[];
}

export const LOGGED_SNAPSHOT_COLUMNS = `${SNAPSHOT_FACT_COLUMNS}, n.factors, n.reason_codes, f.leaf_index, f.salt`;

/** The proof of the published score. Null: no score. 'pending': no checkpoint covers all of it yet. */
export async function findScoreProof(
  db: Queryable,
  subjectId: string,
): Promise<ScoreProof | 'pending' | null> {
  const [snapshot, checkpoint] = await Promise.all([readSnapshot(db, subjectId), findLatestCheckpoint(db)]);
  if (!snapshot) return null;
  const { leafIndex, salt, positions, factors, reasonCodes } = snapshot;
  if (leafIndex === null || salt === null) return 'pending';
  const rows = readEvents(db, subjectId, 0, positions[subjectId] ?? 0);
  rows.catch(() => {}); // awaited below, unless the proof is pending
  const counted = Object.entries(positions);
  const here = await readCommitted(db, counted);
  const own = here.get(subjectId);
  const indexes = [leafIndex, ...leavesOf(here)];
  if (!own || !isSigned(checkpoint, indexes)) return 'pending';
  const away = counted.filter(([id]) => !here.has(id));
  const [[proof = '[]', ...proofs], events, elsewhere] = await Promise.all([
    inclusionTexts(db, indexes, checkpoint.treeSize),
    // Facts are made while the database reads hashes.
    rows.then((of) => openedEvents(of, own)),
    readOtherLogs(db, away),
  ]);
  const members = [...proven(here, proofs), ...elsewhere.members].sort((a, b) =>
    a.chain < b.chain ? -1 : 1,
  );
  const chains = new Map(members.map((member) => [member.subjectId, member.chain]));
  const counts = countedBy(snapshot, (id) => chains.get(id));
  if (!counts) return 'pending';
  const fact: SnapshotFact = JSON.parse(snapshotFactText(snapshot, counts));
  return {
    snapshot: { leafIndex, salt: base64(salt), fact, proof: JSON.parse(proof) },
    reasons: { factors, ...reasonCodes },
    members: members.map((member) =>
      member.subjectId === subjectId ? { subject: subjectId, events } : closedMember(member),
    ),
    eventProofs: members.flatMap(({ eventProofs }) => eventProofs),
    checkpoint: checkpoint.note,
    cosignatures: checkpoint.cosignatures,
    ...(elsewhere.logs.length > 0 && { otherLogs: elsewhere.logs }),
  };
}

export interface LoggedSnapshot extends SnapshotFactRow {
  leafIndex: number | null;
  salt: Buffer | null;
  factors: Record<Factor, number>;
  reasonCodes: ReasonCodes;
}

async function readSnapshot(db: Queryable, subjectId: string): Promise<LoggedSnapshot | null> {
  const [row] = await db.query<LoggedSnapshot>(
    `select ${LOGGED_SNAPSHOT_COLUMNS}
     from score c join score_snapshot n using (subject_id, snapshot_no)
     left join log_fact f on f.subject_id = n.subject_id and f.kind = ${factKinds.snapshot} and f.ref = n.snapshot_no
     where c.subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}

/**
 * The subject's events behind one position, up to another, and in `readCommitted` their leaves. As one
 * join it was planned without an index on positions: 160 ms for 1 000 events.
 */
export function readEvents(
  db: Queryable,
  subjectId: string,
  after: number,
  upTo: number,
): Promise<EventFactRow[]> {
  return db.query<EventFactRow>(
    `select ${LOGGED_EVENT_COLUMNS} from event e ${textOf('e')} ${remainsOf('e')}
     where e.subject_id = $1 and e.position > $2 and e.position <= $3 order by e.position`,
    [subjectId, after, upTo],
  );
}

/** The event leaves of a subject by column, since a thousand rows cost more than their contents. */
export interface CommittedMember {
  subjectId: string;
  leafIndexes: number[];
  /** In milliseconds since 1970. */
  completeUntil: number[];
  /** SALT_BYTES for each; fewer of an erased subject. */
  salts: Buffer;
  /** HASH_DIGITS of base64 for each. */
  commitments: string;
  /** Behind the last of them, as base64: as the snapshot's fact names it. */
  chain: string;
}

type ByMember = ReadonlyMap<string, CommittedMember>;

/** Subjects all of whose events up to these positions are in the log of this group. */
export async function readCommitted(db: Queryable, counted: readonly CountedSubject[]): Promise<ByMember> {
  const rows =
    await sql`select f.subject_id, member.position, array_agg(f.leaf_index order by f.ref) as leaf_indexes,
       array_agg((extract(epoch from f.complete_until) * 1000)::bigint order by f.ref) as complete_until,
       coalesce(string_agg(f.salt, ''::bytea order by f.ref), '') as salts,
       string_agg(encode(f.d, 'base64'), '' order by f.ref) as commitments,
       max(encode(f.chain, 'base64')) filter (where f.ref = member.position) as chain
     from ${countedSubjects.as('member', counted)}
     join log_fact f on f.subject_id = member.subject_id and f.kind = ${raw(factKinds.event)} and f.ref <= member.position
     group by f.subject_id, member.position`.query<CommittedMember & { position: number }>(db);
  const whole = rows.filter(({ leafIndexes, position }) => leafIndexes.length === position);
  const none = {
    leafIndexes: [],
    completeUntil: [],
    salts: Buffer.alloc(0),
    commitments: '',
    chain: START_CHAIN,
  };
  const without = counted.flatMap(([subjectId, position]) => (position === 0 ? { subjectId, ...none } : []));
  return new Map([...whole, ...without].map((member) => [member.subjectId, member]));
}

function leavesOf(members: ByMember): number[] {
  return [...members.values()].flatMap(({ leafIndexes }) => leafIndexes);
}

interface ProvenMember extends CommittedMember {
  eventProofs: string[];
  /** The number of the other log that they lead to. */
  log?: number;
}

/** @param proofs of `leavesOf` these members. */
function proven(members: ByMember, proofs: string[], log?: number): ProvenMember[] {
  return [...members.values()].map((member) => ({
    ...member,
    eventProofs: proofs.splice(0, member.leafIndexes.length),
    ...(log !== undefined && { log }),
  }));
}

/** Members in the logs of other groups, as far as checkpoints cover them. */
async function readOtherLogs(db: Queryable, counted: readonly CountedSubject[]) {
  const logs: OtherLog[] = [];
  const members: ProvenMember[] = [];
  const ids = counted.map(([id]) => id);
  for (const other of await findOthersOf(db, ids)) {
    const reads = [readCommitted(other, counted), findLatestCheckpoint(other)] as const;
    const [committed, checkpoint] = await Promise.all(reads);
    const indexes = leavesOf(committed);
    if (indexes.length === 0 || !isSigned(checkpoint, indexes)) continue;
    const texts = await inclusionTexts(other, indexes, checkpoint.treeSize);
    members.push(...proven(committed, texts, logs.length));
    logs.push({ checkpoint: checkpoint.note, cosignatures: checkpoint.cosignatures });
  }
  return { logs, members };
}

/** @param leaves `from` to `to` of them are of the same events, in the same order. */
export function openedEvents(
  events: readonly EventFactRow[],
  leaves: CommittedMember,
  from = 0,
  to = leaves.leafIndexes.length,
): string[] {
  const { leafIndexes, completeUntil, salts, commitments } = leaves;
  if (events.length !== to - from || salts.length !== leafIndexes.length * SALT_BYTES)
    throw new Error('the log and the ledger of a subject differ');
  let previous: string | null = from === 0 ? null : hashIn(commitments, from - 1);
  return events.map((event, nth) => {
    const index = from + nth;
    const salt = salts.subarray(index * SALT_BYTES, (index + 1) * SALT_BYTES);
    const place = { previous, completeUntil: completeUntil[index] ?? 0 };
    const fact = eventFactText(event, place, salt);
    previous = hashIn(commitments, index);
    return `{"leafIndex":${leafIndexes[index]},"salt":"${base64(salt)}","fact":${fact}}`;
  });
}

function closedMember({ log, ...leaves }: ProvenMember): ProofMember {
  return { ...(log !== undefined && { log }), events: closedEvents(leaves) };
}

export function closedEvents({ leafIndexes, commitments }: CommittedMember, from = 0, to?: number): string[] {
  return leafIndexes
    .slice(from, to)
    .map((leafIndex, nth) => `{"leafIndex":${leafIndex},"d":"${hashIn(commitments, from + nth)}"}`);
}

function hashIn(commitments: string, nth: number): string {
  return commitments.slice(nth * HASH_DIGITS, (nth + 1) * HASH_DIGITS);
}
