import type { Queryable } from '#kit/db/database.js';
import { readEach } from '#kit/db/groups.js';

export interface LogState {
  treeSize: number;
  /** Leaves under the newest checkpoint. */
  signedSize: number;
  /** Leaves under the newest published checkpoint. */
  publishedSize: number;
  /** When the oldest checkpoint that is not published was signed. */
  unpublishedSince: Date | null;
  /** Why no checkpoint is signed; null: all is well. */
  halted: string | null;
  /** Queue rows, counted up to a limit. */
  waiting: number;
  /** Since when the oldest of them waits. */
  waitingSince: Date | null;
}

const MAX_COUNT = 100_000;

export async function readLogState(db: Queryable): Promise<LogState> {
  const [row] = await db.query<Omit<LogState, 'waiting' | 'waitingSince'>>(
    `select tree_size, halted, published_size,
       coalesce((select max(tree_size) from log_checkpoint), 0) as signed_size,
       (select signed_at from log_checkpoint where tree_size > published_size order by tree_size limit 1)
         as unpublished_since
     from log_state cross join (
       select coalesce(max(tree_size), 0) as published_size from log_checkpoint where published_at is not null
     ) published`,
  );
  if (!row) throw new Error('the table `log_state` is empty');
  const [queue] = await db.query<{ waiting: number; waitingSince: Date | null }>(
    `select coalesce(sum(cardinality(subject_ids)), 0) as waiting, min(queued_at) as waiting_since
     from (select subject_ids, queued_at from log_queue limit $1) waiting`,
    [MAX_COUNT],
  );
  return { ...row, waiting: queue?.waiting ?? 0, waitingSince: queue?.waitingSince ?? null };
}

export async function readLogStates(groups: readonly Queryable[]): Promise<LogState> {
  const joined = joinLogStates(await readEach(groups, readLogState));
  if (!joined) throw new Error('a database has at least one ledger group');
  return joined;
}

/** The logs of several ledger groups as one: sums, and the worst of each state. Null: there is none. */
export function joinLogStates([first, ...others]: readonly LogState[]): LogState | null {
  return first ? others.reduce(worse, first) : null;
}

function worse(a: LogState, b: LogState): LogState {
  return {
    treeSize: a.treeSize + b.treeSize,
    signedSize: a.signedSize + b.signedSize,
    publishedSize: a.publishedSize + b.publishedSize,
    unpublishedSince: earlier(a.unpublishedSince, b.unpublishedSince),
    halted: a.halted ?? b.halted,
    waiting: a.waiting + b.waiting,
    waitingSince: earlier(a.waitingSince, b.waitingSince),
  };
}

function earlier(a: Date | null, b: Date | null): Date | null {
  return a && b ? (a < b ? a : b) : (a ?? b);
}

/** @param lostHead a signed head that this database lacks. Every process then knows it, also after a restart. */
export async function setHalted(db: Queryable, reason: string | null, lostHead: string | null = null) {
  await db.execute(
    `update log_state set halted = $1, signed_head = coalesce($2::text, signed_head)
     where halted is distinct from $1 or $2::text is not null`,
    [reason, lostHead],
  );
}
