import { setTimeout as pause } from 'node:timers/promises';
import type { Queryable } from '#kit/db/database.js';
import { findOthersOf } from '../links/recordReads.js';
import { findLatestCheckpoint, type PublishedCheckpoint } from './checkpoints.js';
import type { CountedSubject } from './factStore.js';
import { base64, factKinds, type SnapshotFact, snapshotFactText } from './facts.js';
import { inclusionTexts } from './inclusion.js';
import { countedBy } from './leaves.js';
import { isSigned } from './receipt.js';
import {
  type CommittedMember,
  closedEvents,
  LOGGED_SNAPSHOT_COLUMNS,
  type LoggedSnapshot,
  openedEvents,
  readCommitted,
  readEvents,
} from './scoreProof.js';

/** What the log holds of a subject, as JSON in pieces: a long ledger is never in memory as a whole. */
export interface HeldProof {
  /** The origins of the logs in it. */
  readonly origins: readonly string[];
  /** As the answer of `GET /users/{id}/score/proof`; `null` if no logged score has a checkpoint. */
  scoreProof(userId: string): AsyncGenerator<string>;
  /** The elements of a list: receipts of the events that the proof does not count. */
  receipts(): AsyncGenerator<string>;
}

/** A log with a published checkpoint. */
interface Log {
  readonly db: Queryable;
  readonly checkpoint: PublishedCheckpoint;
  /** The number of an other log; null: that of the subject. */
  readonly number: number | null;
}

/** A counted subject and the log that holds its events. */
interface Member extends CommittedMember {
  readonly log: Log;
}

/** A file has what was recorded a moment before: the log signs about once a second. */
const WAIT_MS = 2000;
const LOOK_EVERY_MS = 100;

/** Null: no checkpoint is published yet. */
export async function openHeldProof(db: Queryable, subjectId: string): Promise<HeldProof | null> {
  for (const untilMs = performance.now() + WAIT_MS; ; await pause(LOOK_EVERY_MS)) {
    const checkpoint = await findLatestCheckpoint(db);
    const logged = checkpoint && (await readLogged(db, subjectId, checkpoint.treeSize));
    const isBehind = logged === null || logged.isBehind;
    if (isBehind && performance.now() < untilMs) continue;
    if (!logged) return null;
    return proofOf({ db, checkpoint, number: null }, subjectId, logged.position);
  }
}

/** Up to where a checkpoint covers the events of the subject. */
async function readLogged(db: Queryable, subjectId: string, treeSize: number) {
  const [row] = await db.query<{ position: number; isBehind: boolean }>(
    `select logged.position, logged.position < s.event_count or exists (
         select from score c where c.subject_id = s.subject_id and not exists (
           select from log_fact f where f.subject_id = c.subject_id and f.kind = ${factKinds.snapshot}
             and f.ref = c.snapshot_no and f.leaf_index < $2
         )
       ) as is_behind
     from subject s cross join lateral (
       select coalesce(max(f.ref), 0)::integer as position from log_fact f
       where f.subject_id = s.subject_id and f.kind = ${factKinds.event} and f.leaf_index < $2
     ) logged where s.subject_id = $1`,
    [subjectId, treeSize],
  );
  return row ?? null;
}

async function proofOf(log: Log, subjectId: string, position: number): Promise<HeldProof> {
  const { db, checkpoint } = log;
  const score = await openScore(log, subjectId);
  const own = (await readCommitted(db, [[subjectId, position]])).get(subjectId);
  if (!own) throw new Error('the log does not hold the events that it covers');
  const [origin = ''] = checkpoint.note.split('\n', 1);
  return {
    origins: [
      origin,
      ...(score?.otherLogs ?? []).map(({ checkpoint: { note } }) => note.split('\n', 1)[0] ?? ''),
    ],
    scoreProof: (userId) => scorePieces(subjectId, userId, score),
    receipts: () => receiptPieces(log, own, score?.counted ?? 0),
  };
}

interface Score {
  /** Of the subject's own events. */
  readonly counted: number;
  /** What is not as long as the ledger. */
  readonly head: object;
  /** In the order of the snapshot's fact. */
  readonly members: readonly Member[];
  readonly otherLogs: readonly Log[];
}

/** The newest score in the log that is covered with everything that it counts. */
async function openScore(log: Log, subjectId: string): Promise<Score | null> {
  const { db, checkpoint } = log;
  const [snapshot] = await db.query<LoggedSnapshot & { leafIndex: number; salt: Buffer }>(
    `select ${LOGGED_SNAPSHOT_COLUMNS}
     from score_snapshot n join log_fact f
       on f.subject_id = n.subject_id and f.kind = ${factKinds.snapshot} and f.ref = n.snapshot_no
     where n.subject_id = $1 and f.leaf_index < $2 and f.salt is not null order by n.snapshot_no desc limit 1`,
    [subjectId, checkpoint.treeSize],
  );
  if (!snapshot) return null;
  const counted = Object.entries(snapshot.positions);
  const members = await membersIn(log, counted);
  const otherLogs: Log[] = [];
  const away = counted.filter(([id]) => !members.some((member) => member.subjectId === id));
  for (const other of await findOthersOf(
    db,
    away.map(([id]) => id),
  )) {
    const found = await findLatestCheckpoint(other);
    const elsewhere = found && { db: other, checkpoint: found, number: otherLogs.length };
    const there = elsewhere ? await membersIn(elsewhere, away) : [];
    if (!elsewhere || there.length === 0) continue;
    members.push(...there);
    otherLogs.push(elsewhere);
  }
  const chains = new Map(members.map((member) => [member.subjectId, member.chain]));
  const counts = countedBy(snapshot, (id) => chains.get(id));
  if (!counts) return null;
  const { leafIndex, salt, factors, reasonCodes } = snapshot;
  const fact: SnapshotFact = JSON.parse(snapshotFactText(snapshot, counts));
  const [proof = '[]'] = await inclusionTexts(db, [leafIndex], checkpoint.treeSize);
  const published = ({ checkpoint: { note, cosignatures } }: Log) => ({ checkpoint: note, cosignatures });
  return {
    counted: snapshot.positions[subjectId] ?? 0,
    head: {
      snapshot: { leafIndex, salt: base64(salt), fact, proof: JSON.parse(proof) },
      reasons: { factors, ...reasonCodes },
      ...published(log),
      ...(otherLogs.length > 0 && { otherLogs: otherLogs.map(published) }),
    },
    members: members.sort((a, b) => (a.chain < b.chain ? -1 : 1)),
    otherLogs,
  };
}

async function membersIn(log: Log, counted: readonly CountedSubject[]): Promise<Member[]> {
  const found = [...(await readCommitted(log.db, counted)).values()];
  return found
    .filter(({ leafIndexes }) => isSigned(log.checkpoint, leafIndexes))
    .map((member) => ({ ...member, log }));
}

const PAGE_EVENTS = 1000;

/** `[from, to]` of each page. */
function pagesOf(from: number, { leafIndexes: { length } }: CommittedMember): [number, number][] {
  const count = Math.ceil(Math.max(0, length - from) / PAGE_EVENTS);
  return Array.from({ length: count }, (_, page) => {
    const start = from + page * PAGE_EVENTS;
    return [start, Math.min(length, start + PAGE_EVENTS)];
  });
}

async function* scorePieces(subjectId: string, userId: string, score: Score | null): AsyncGenerator<string> {
  if (!score) return yield 'null';
  const { members } = score;
  yield `${JSON.stringify({ userId, ...score.head }).slice(0, -1)},"members":[`;
  for (const [nth, member] of members.entries()) {
    const { db, number } = member.log;
    const isOwn = member.subjectId === subjectId;
    const named = isOwn ? `"subject":"${subjectId}",` : number === null ? '' : `"log":${number},`;
    yield `${nth === 0 ? '' : ','}{${named}"events":[`;
    for (const [from, to] of pagesOf(0, member)) {
      const events = isOwn
        ? openedEvents(await readEvents(db, subjectId, from, to), member, from, to)
        : closedEvents(member, from, to);
      yield `${from === 0 ? '' : ','}${events.join()}`;
    }
    yield ']}';
  }
  yield '],"eventProofs":[';
  let isFirst = true;
  for (const member of members) {
    const { db, checkpoint } = member.log;
    for (const [from, to] of pagesOf(0, member)) {
      const proofs = await inclusionTexts(db, member.leafIndexes.slice(from, to), checkpoint.treeSize);
      yield `${isFirst ? '' : ','}${proofs.join()}`;
      isFirst = false;
    }
  }
  yield ']}';
}

async function* receiptPieces(log: Log, own: CommittedMember, counted: number): AsyncGenerator<string> {
  const { note, treeSize } = log.checkpoint;
  const checkpoint = JSON.stringify(note);
  for (const [from, to] of pagesOf(counted, own)) {
    const events = await readEvents(log.db, own.subjectId, from, to);
    const proofs = await inclusionTexts(log.db, own.leafIndexes.slice(from, to), treeSize);
    const receipts = openedEvents(events, own, from, to).map(
      (opened, nth) =>
        `{"eventId":"${events[nth]?.eventId}",${opened.slice(1, -1)},"proof":${proofs[nth]},"checkpoint":${checkpoint}}`,
    );
    yield `${from === counted ? '' : ','}${receipts.join()}`;
  }
}
