import { setTimeout as pause } from 'node:timers/promises';
import { rest } from '../../kit/backpressure/yielder.js';
import type { Clock } from '../../kit/clock.js';
import { type Database, type DatabaseLog, isDatabaseUnavailable } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import { forgetFailure, noteFailure } from './failures.js';
import { recomputeRecords } from './recompute.js';
import { findQueuedRecords } from './store.js';

/** Processes the recompute queue in batches. */
export interface QueueDrain {
  /**
   * Computes all records queued now, or stops after a batch once `isOver`. False: the queue was
   * empty.
   */
  drain(isOver: () => boolean): Promise<boolean>;
}

export interface DrainDeps {
  db: Database;
  clock: Clock;
  ids: IdSource;
  log: Pick<DatabaseLog, 'error' | 'info'>;
  velocityMaxPerHour: number;
  /**
   * Checked after each batch: true while appends are under pressure, so that scores follow later.
   */
  isPressed?(): boolean;
  /** Asked before each batch: true while requests need the processor. */
  mustYield?(): boolean;
  /**
   * True while the thread of imports computes what is queued. A long queue is left to it, for two
   * seconds at most.
   */
  isLeftToOther?(): boolean;
  /**
   * Called after each batch with its records, the wait of each queue entry and the envelopes
   * written.
   */
  onRecomputed?: OnRecomputed;
}

export type OnRecomputed = (records: number, lagSeconds: readonly number[], emitted: number) => void;

/** Records per transaction: enough to share its cost, few enough for a short wait. */
const BATCH_RECORDS = 100;
/** Under traffic a queue longer than this is computed in short batches, with a rest after each. */
const LONG_QUEUE_RECORDS = 20;
const SHORT_BATCH_RECORDS = 10;
/** After so long in the queue a score is no longer delayed by traffic. */
const MAX_DELAY_MS = 2000;
/** Queue rows read per pass. */
const SCAN_ROWS = 1000;
/** Under write pressure the worker rests this many times as long as it has worked. */
const REST_FACTOR = 6;
const MAX_REST_MS = 250;

export function createQueueDrain(deps: DrainDeps): QueueDrain {
  /** The longest wait in the last batch. */
  let lagMs = 0;
  /** Since when the queue has been left to the thread of imports. */
  let leftSinceMs: number | null = null;
  return { drain };

  async function drain(isOver: () => boolean): Promise<boolean> {
    const found = await findQueuedRecords(deps.db, SCAN_ROWS, deps.clock.now());
    const failing = found.filter(({ failedAttempts }) => failedAttempts > 0);
    const queued = found.filter(({ failedAttempts }) => failedAttempts === 0).map(({ recordId }) => recordId);
    const isLong = queued.length > LONG_QUEUE_RECORDS;
    if (isLong && isLeft()) return false;
    for (let start = 0; start < queued.length && !isOver(); ) {
      const startedMs = performance.now();
      const isPressed = deps.isPressed?.() === true;
      const rests = !isPressed && isLong && lagMs < MAX_DELAY_MS && deps.mustYield?.() === true;
      const end = start + (rests ? SHORT_BATCH_RECORDS : BATCH_RECORDS);
      await recompute(queued.slice(start, end));
      start = end;
      // Events that arrive during the pause share the next recompute of their record.
      if (isPressed) await pause(Math.min(MAX_REST_MS, (performance.now() - startedMs) * REST_FACTOR));
      else if (rests && start < queued.length) await rest();
    }
    for (const { recordId } of failing) if (!isOver()) await retry(recordId);
    return found.length > 0;
  }

  /** In a transaction of its own, so that it cannot fail other records. */
  async function retry(recordId: string): Promise<void> {
    if (!(await recompute([recordId])).includes(recordId)) return;
    await forgetFailure(deps.db, recordId);
    deps.log.info({ recordId }, 'a record that could not be computed was computed');
  }

  function isLeft(): boolean {
    const nowMs = performance.now();
    leftSinceMs = deps.isLeftToOther?.() ? (leftSinceMs ?? nowMs) : null;
    if (leftSinceMs === null) return false;
    if (nowMs - leftSinceMs < MAX_DELAY_MS) return true;
    leftSinceMs = null;
    return false;
  }

  /** Returns the records whose entries it completed. */
  async function recompute(recordIds: readonly string[]): Promise<string[]> {
    try {
      const { entries, emitted } = await recomputeRecords(deps, recordIds);
      const nowMs = deps.clock.now().getTime();
      const settled = [...new Set(entries.map((entry) => entry.recordId))];
      const waitedMs = entries.map((entry) => Math.max(0, nowMs - entry.enqueuedAt.getTime()));
      lagMs = waitedMs.reduce((longest, ms) => Math.max(longest, ms), 0);
      deps.onRecomputed?.(
        settled.length,
        waitedMs.map((ms) => ms / 1000),
        emitted,
      );
      return settled;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const [recordId] = recordIds;
      if (recordId === undefined) return [];
      if (recordIds.length === 1) {
        await report(recordId, error);
        return [];
      }
      const settled: string[] = [];
      for (const id of recordIds) settled.push(...(await recompute([id])));
      return settled;
    }
  }

  /** Logs the first failure and each change of error, not every attempt. */
  async function report(recordId: string, cause: unknown): Promise<void> {
    const error = String(cause).slice(0, MAX_ERROR_CHARS);
    if (await noteFailure(deps.db, { recordId, error, at: deps.clock.now() })) return;
    deps.log.error({ err: cause, recordId }, 'a record could not be computed, it will be retried');
  }
}

const MAX_ERROR_CHARS = 500;
