import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { dayOf } from '@reliability/scoring';
import { type BackgroundLoop, createPollingLoop } from '#kit/backgroundLoop.js';
import { type DatabaseLog, isDatabaseUnavailable, type Queryable } from '#kit/db/database.js';
import { pollOfGroup } from '#kit/db/groups.js';
import { type RecomputeDeps, type Recomputed, recomputeRecords } from './recompute.js';
import { type AgedPosition, beat, findQueuedRecords, type QueueEntry, queueAgedScores } from './store.js';

const AGED_SCORES_PER_ROUND = 500;
/** For what is not queued: the heartbeat and a new day. The queue is watched (queueWatch.ts). */
const POLL_MS = 5_000;
/** /status.json expects a heartbeat within a minute. */
const HEARTBEAT_MS = 10_000;

/**
 * Computes scores for new events, and once a day recomputes scores whose events have aged.
 * `pollMs`: how long it may sleep unless it is woken. Default: 5 s.
 */
export function createRecomputeWorker(deps: DrainDeps & { pollMs?: number }): BackgroundLoop {
  const drain = createQueueDrain(deps);
  /** Progress of today's decay sweep. */
  let decay: { day: number; after: AgedPosition | null; isDone: boolean } | null = null;
  const workerId = randomUUID();
  const pollMs = pollOfGroup(deps.db, deps.pollMs ?? POLL_MS);
  let heartbeatAtMs = 0;

  return createPollingLoop(
    async (_sleep, stopping) => {
      await beatWhenDue();
      const hasMore = (await drain(() => stopping.aborted)) || (await decayOnce());
      return hasMore ? 0 : pollMs;
    },
    (error) => deps.log.error({ err: error }, 'recompute failed'),
  );

  /** One loop beats for its process: that of the first group. */
  async function beatWhenDue(): Promise<void> {
    if (deps.db !== deps.db.shared) return;
    const now = deps.clock.now();
    if (Math.abs(now.getTime() - heartbeatAtMs) < HEARTBEAT_MS) return;
    await beat(deps.db, workerId, now);
    heartbeatAtMs = now.getTime();
  }

  /** One slice of the decay sweep. Runs only when the queue has nothing due. */
  async function decayOnce(): Promise<boolean> {
    const now = deps.clock.now();
    const today = dayOf(now);
    if (decay?.day !== today) decay = { day: today, after: null, isDone: false };
    if (decay.isDone) return false;
    const { queued, next } = await queueAgedScores(deps.db, today, decay.after, AGED_SCORES_PER_ROUND, now);
    decay = { day: today, after: next, isDone: next === null };
    if (decay.isDone) await forgetIdleFailures(deps.db);
    return queued > 0 || !decay.isDone;
  }
}

export interface DrainDeps extends RecomputeDeps {
  log: Pick<DatabaseLog, 'error' | 'info'>;
  /** Checked after each batch: true while appends are under pressure, so that scores follow later. */
  isPressed?(): boolean;
  /** Called after each batch. @param lagSeconds the wait of each queue entry. */
  onRecomputed?(done: Recomputed, records: number, lagSeconds: readonly number[]): void;
}

/** Records per transaction: enough to share its cost, few enough for a short wait. */
const BATCH_RECORDS = 100;
const SCAN_ROWS = 1000;
/** Under write pressure a worker rests this many times as long as it works. */
const REST_FACTOR = 6;
const MAX_REST_MS = 250;
const PRESSURE_LOOK_MS = 10;

/**
 * Computes the records that are queued, in batches: all of them, or fewer once `isOver`. Its result is
 * whether to look again.
 */
export function createQueueDrain(deps: DrainDeps) {
  return async function drain(isOver: () => boolean): Promise<boolean> {
    const found = await findQueuedRecords(deps.db, SCAN_ROWS, deps.clock.now());
    const failing = found.filter(({ failedAttempts }) => failedAttempts > 0);
    const fresh = found.filter(({ failedAttempts }) => failedAttempts === 0).map(({ recordId }) => recordId);
    const settled: QueueEntry[] = [];
    for (const records of inBatches(fresh)) {
      if (isOver()) break;
      const startedMs = performance.now();
      settled.push(...(await recompute(records)));
      await rest(performance.now() - startedMs, isOver);
    }
    for (const { recordId } of failing) if (!isOver()) await retry(recordId);
    // Rows that came meanwhile have a signal of their own.
    return recordsOf(settled).length < found.length || settled.length >= SCAN_ROWS;
  };

  /** Events that arrive during the rest share the next recompute of their record. Ends with the pressure. */
  async function rest(workedMs: number, isOver: () => boolean): Promise<void> {
    const untilMs = performance.now() + Math.min(MAX_REST_MS, workedMs * REST_FACTOR);
    while (!isOver() && deps.isPressed?.() === true && performance.now() < untilMs)
      await pause(PRESSURE_LOOK_MS);
  }

  /** In a transaction of its own, so that it cannot fail other records. */
  async function retry(recordId: string): Promise<void> {
    if ((await recompute([recordId])).length === 0) return;
    await deps.db.execute('delete from recompute_failure where record_id = $1', [recordId]);
    deps.log.info({ recordId }, 'a record that could not be computed was computed');
  }

  async function recompute(recordIds: readonly string[]): Promise<readonly QueueEntry[]> {
    try {
      const done = await recomputeRecords(deps, recordIds);
      const { entries } = done;
      const nowMs = deps.clock.now().getTime();
      const lagSeconds = entries.map(({ enqueuedAt }) => Math.max(0, nowMs - enqueuedAt.getTime()) / 1000);
      deps.onRecomputed?.(done, recordsOf(entries).length, lagSeconds);
      return entries;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const settled: QueueEntry[] = [];
      const isAlone = recordIds.length === 1;
      for (const id of recordIds) {
        if (isAlone) await report(id, error);
        else settled.push(...(await recompute([id])));
      }
      return settled;
    }
  }

  /** Logs the first failure and each change of error, not every attempt. */
  async function report(recordId: string, cause: unknown): Promise<void> {
    const error = String(cause).slice(0, MAX_ERROR_CHARS);
    if (await noteFailure(deps.db, recordId, error, deps.clock.now())) return;
    deps.log.error({ err: cause, recordId }, 'a record could not be computed, it will be retried');
  }
}

function recordsOf(entries: readonly QueueEntry[]): string[] {
  return [...new Set(entries.map((entry) => entry.recordId))];
}

/**
 * From a random batch on: workers that took the same records in the same order would find each batch
 * locked or done.
 */
function inBatches(recordIds: readonly string[]): string[][] {
  const count = Math.ceil(recordIds.length / BATCH_RECORDS);
  const first = Math.floor(Math.random() * count);
  return Array.from({ length: count }, (_, index) => {
    const start = ((first + index) % count) * BATCH_RECORDS;
    return recordIds.slice(start, start + BATCH_RECORDS);
  });
}

const MAX_ERROR_CHARS = 500;

/**
 * Stores that a record could not be computed. The next attempt is due after 10 s, doubling each
 * time up to one hour. Keeps one queue entry per reason, since all entries complete together.
 * Returns whether the previous attempt failed with the same error.
 */
async function noteFailure(db: Queryable, recordId: string, error: string, at: Date): Promise<boolean> {
  const [row] = await db.query<{ known: boolean }>(
    `with before as (
       select error from recompute_failure where record_id = $1
     ), surplus as (
       delete from recompute_queue where record_id = $1
         and queue_id not in (select min(queue_id) from recompute_queue where record_id = $1 group by reason)
     )
     insert into recompute_failure as known (record_id, failed_attempts, failing_since, retry_at, error)
     values ($1, 1, $2, $2::timestamptz + interval '10 seconds', $3)
     on conflict (record_id) do update set failed_attempts = known.failed_attempts + 1, error = excluded.error,
       retry_at = $2::timestamptz + least(interval '1 hour', interval '10 seconds' * 2 ^ least(known.failed_attempts, 10))
     returning exists (select 1 from before where before.error = $3) as known`,
    [recordId, at, error],
  );
  return row?.known === true;
}

/** Deletes failures of records without queue entries, for example after a reset of test data. */
async function forgetIdleFailures(db: Queryable): Promise<void> {
  await db.execute(
    `delete from recompute_failure f
     where not exists (select 1 from recompute_queue q where q.record_id = f.record_id)`,
  );
}
