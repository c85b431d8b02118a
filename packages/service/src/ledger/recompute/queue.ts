import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../kit/clock.js';
import { type Database, type DatabaseLog, isDatabaseUnavailable } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import { forgetFailure, noteFailure } from './failures.js';
import { recomputeRecords } from './recompute.js';
import { findQueuedRecords, type QueueEntry } from './store.js';

/** Computes the records that are queued, in batches. */
export interface QueueDrain {
  /** Computes all records queued now, or stops after a batch once `isOver`. */
  drain(isOver: () => boolean): Promise<Drained>;
}

/** `nothing`: the queue was empty. `all`: nothing is left. `some`: look again. */
export type Drained = 'nothing' | 'all' | 'some';

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
  /**
   * Called after each batch with its records, the wait of each queue entry, the envelopes written,
   * the deliveries queued and the members of which other ledger groups will hear.
   */
  onRecomputed?: OnRecomputed;
}

export type OnRecomputed = (
  records: number,
  lagSeconds: readonly number[],
  emitted: number,
  queued: number,
  shared: number,
) => void;

/** Records per transaction: enough to share its cost, few enough for a short wait. */
const BATCH_RECORDS = 100;
/** Queue rows read per pass. */
const SCAN_ROWS = 1000;
/** Under write pressure a worker rests this many times as long as it works. */
const REST_FACTOR = 6;
const MAX_REST_MS = 250;
const PRESSURE_LOOK_MS = 10;

export function createQueueDrain(deps: DrainDeps): QueueDrain {
  return { drain };

  async function drain(isOver: () => boolean): Promise<Drained> {
    const found = await findQueuedRecords(deps.db, SCAN_ROWS, deps.clock.now());
    if (found.length === 0) return 'nothing';
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
    return recordsOf(settled).length === found.length && settled.length < SCAN_ROWS ? 'all' : 'some';
  }

  /** Events that arrive during the rest share the next recompute of their record. Ends with the pressure. */
  async function rest(workedMs: number, isOver: () => boolean): Promise<void> {
    const untilMs = performance.now() + Math.min(MAX_REST_MS, workedMs * REST_FACTOR);
    while (!isOver() && deps.isPressed?.() === true && performance.now() < untilMs)
      await pause(PRESSURE_LOOK_MS);
  }

  /** In a transaction of its own, so that it cannot fail other records. */
  async function retry(recordId: string): Promise<void> {
    if ((await recompute([recordId])).length === 0) return;
    await forgetFailure(deps.db, recordId);
    deps.log.info({ recordId }, 'a record that could not be computed was computed');
  }

  /** Returns the entries that it completed. */
  async function recompute(recordIds: readonly string[]): Promise<readonly QueueEntry[]> {
    try {
      const { entries, emitted, queued, shared } = await recomputeRecords(deps, recordIds);
      const nowMs = deps.clock.now().getTime();
      const lagSeconds = entries.map(({ enqueuedAt }) => Math.max(0, nowMs - enqueuedAt.getTime()) / 1000);
      deps.onRecomputed?.(recordsOf(entries).length, lagSeconds, emitted, queued, shared);
      return entries;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const [recordId, ...others] = recordIds;
      if (recordId === undefined) return [];
      if (others.length > 0) {
        const settled: QueueEntry[] = [];
        for (const id of recordIds) settled.push(...(await recompute([id])));
        return settled;
      }
      await report(recordId, error);
      return [];
    }
  }

  /** Logs the first failure and each change of error, not every attempt. */
  async function report(recordId: string, cause: unknown): Promise<void> {
    const error = String(cause).slice(0, MAX_ERROR_CHARS);
    if (await noteFailure(deps.db, { recordId, error, at: deps.clock.now() })) return;
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
