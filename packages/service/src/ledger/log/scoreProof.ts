import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Queryable } from '../../kit/db/database.js';
import { remainsOf, textOf } from '../text/eventText.js';
import { findLatestCheckpoint } from './checkpoints.js';
import { LOGGED_EVENT_COLUMNS, SNAPSHOT_FACT_COLUMNS } from './factStore.js';
import { type EventFactRow, eventFact, type SnapshotFactRow, snapshotFact } from './facts.js';
import { inclusionProofs } from './inclusion.js';
import { factKinds } from './kinds.js';
import { isSigned, type OpenedLeaf } from './receipt.js';

/** An event of another platform: its commitment alone. */
export interface ClosedLeaf {
  leafIndex: number;
  /** Base64. */
  d: string;
}

/** Shows a published score with everything that it counts. */
export interface ScoreProof {
  snapshot: OpenedLeaf & { proof: string[] };
  /** The subject's own chain by position, then the events of linked subjects. */
  events: (OpenedLeaf | ClosedLeaf)[];
  /** One for each element of `events`. */
  eventProofs: string[][];
  checkpoint: string;
  cosignatures: string[];
}

/** The proof of the published score. Null: no score. 'pending': no checkpoint covers all of it yet. */
export async function findScoreProof(
  db: Queryable,
  subjectId: string,
): Promise<ScoreProof | 'pending' | null> {
  const [snapshot, checkpoint] = await Promise.all([readSnapshot(db, subjectId), findLatestCheckpoint(db)]);
  if (!snapshot) return null;
  const { leafIndex, salt, head, position, positions } = snapshot;
  if (leafIndex === null || salt === null || !isSigned(checkpoint, leafIndex)) return 'pending';
  const [own, others] = await Promise.all([
    readChain(db, subjectId, position),
    readOthers(db, subjectId, positions),
  ]);
  if (!isComplete(own, others, snapshot)) return 'pending';
  const indexes = [leafIndex, ...[...own.map(({ leaf }) => leaf), ...others].map((leaf) => leaf.leafIndex)];
  if (indexes.some((index) => !isSigned(checkpoint, index))) return 'pending';
  const [[proof = [], ...eventProofs], opened] = await Promise.all([
    inclusionProofs(db, indexes, checkpoint.treeSize),
    // After the query was sent: facts are made while the database reads hashes.
    nextTurn().then(() => openedChain(own)),
  ]);
  const events = [...opened, ...others.map(({ leafIndex, d }) => ({ leafIndex, d: base64(d) }))];
  const fact = snapshotFact(snapshot, head);
  return {
    snapshot: { leafIndex, salt: base64(salt), fact, proof },
    events,
    eventProofs,
    checkpoint: checkpoint.note,
    cosignatures: checkpoint.cosignatures,
  };
}

interface LoggedSnapshot extends SnapshotFactRow {
  leafIndex: number | null;
  salt: Buffer | null;
  head: Buffer | null;
  positions: Record<string, number>;
}

async function readSnapshot(db: Queryable, subjectId: string): Promise<LoggedSnapshot | null> {
  const [row] = await db.query<LoggedSnapshot>(
    `select ${SNAPSHOT_FACT_COLUMNS}, n.positions, f.leaf_index, f.salt, h.d as head
     from score c join score_snapshot n using (subject_id, snapshot_no)
     left join log_fact f on f.subject_id = n.subject_id and f.kind = ${factKinds.snapshot} and f.ref = n.snapshot_no
     left join log_fact h on h.subject_id = n.subject_id and h.kind = ${factKinds.event}
       and h.ref = (n.positions ->> n.subject_id::text)::bigint
     where c.subject_id = $1`,
    [subjectId],
  );
  return row ?? null;
}

interface ChainRow {
  event: EventFactRow;
  leaf: LoggedFact;
}

interface LoggedFact {
  leafIndex: number;
  salt: Buffer;
  d: Buffer;
}

/** Two reads by key. As one join it was planned without an index on positions: 160 ms for 1 000 events. */
async function readChain(db: Queryable, subjectId: string, position: number): Promise<ChainRow[]> {
  const [events, facts] = await Promise.all([
    db.query<EventFactRow>(
      `select ${LOGGED_EVENT_COLUMNS} from event e ${textOf('e')} ${remainsOf('e')}
       where e.subject_id = $1 and e.position <= $2 order by e.position`,
      [subjectId, position],
    ),
    db.query<LoggedFact & { ref: number }>(
      `select ref, leaf_index, salt, d from log_fact
       where subject_id = $1 and kind = ${factKinds.event} and ref <= $2 and salt is not null`,
      [subjectId, position],
    ),
  ]);
  const byPosition = new Map(facts.map((fact) => [fact.ref, fact]));
  return events.flatMap((event) => {
    const leaf = byPosition.get(event.position);
    return leaf ? [{ event, leaf }] : [];
  });
}

function openedChain(chain: readonly ChainRow[]): OpenedLeaf[] {
  return chain.map(({ event, leaf: { leafIndex, salt } }, index) => ({
    leafIndex,
    salt: base64(salt),
    fact: eventFact(event, chain[index - 1]?.leaf.d ?? null, salt),
  }));
}

interface OtherRow {
  leafIndex: number;
  d: Buffer;
}

/** Events of linked subjects that the score counts, in the order of the log: it says nothing about whose they are. */
function readOthers(
  db: Queryable,
  subjectId: string,
  positions: Record<string, number>,
): Promise<OtherRow[]> | OtherRow[] {
  const others = Object.entries(positions).filter(([id]) => id !== subjectId);
  if (others.length === 0) return [];
  return db.query<OtherRow>(
    `select f.leaf_index, f.d from unnest($1::uuid[], $2::integer[]) as member (subject_id, position)
     join log_fact f on f.subject_id = member.subject_id and f.kind = ${factKinds.event} and f.ref <= member.position
     order by f.leaf_index`,
    [others.map(([id]) => id), others.map(([, position]) => position)],
  );
}

function isComplete(
  own: readonly ChainRow[],
  others: readonly OtherRow[],
  { position, positions }: LoggedSnapshot,
): boolean {
  const counted = Object.values(positions).reduce((sum, each) => sum + each, 0);
  return own.length === position && own.length + others.length === counted;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}
