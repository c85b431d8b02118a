import { setTimeout as pause } from 'node:timers/promises';
import { rest } from '../../kit/backpressure/yielder.js';
import type { Clock } from '../../kit/clock.js';
import { type Database, type DatabaseLog, isDatabaseUnavailable } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import { forgetFailure, noteFailure } from './failures.js';
import { recomputeRecords } from './recompute.js';
import { findQueuedRecords, type QueueEntry, type SnapshotRow } from './store.js';

/** Processes the recompute queue in batches. */
export interface QueueDrain {
  /** Computes all records queued now, or stops after a batch once `isOver`. */
  drain(isOver: () => boolean): Promise<Drained>;
}

/** `nothing`: the queue was empty or is left to others. `all`: nothing is left. `some`: look again. */
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
  /** How many ledger groups of this process compute scores now. Default: this one alone. */
  computing?: { groups: number };
  /** Asked before each batch: true while requests need the processor. */
  mustYield?(): boolean;
  /**
   * True while the thread of imports computes what is queued. A long queue is left to it, for two
   * seconds at most.
   */
  isLeftToOther?(): boolean;
  /** This process and how many drain the same queue. Default: it is the only one. */
  share?(): Share;
  /** True while an import is recorded or its scores are computed: the log follows later. */
  isImporting?(): boolean;
  /** Called when nothing is queued. */
  onEmpty?(): void;
  /**
   * Called after each batch with its records, the wait of each queue entry, the envelopes written,
   * the deliveries queued and the members of which other ledger groups will hear.
   */
  onRecomputed?: OnRecomputed;
  /** Called with snapshots that were committed. */
  onSnapshots?(snapshots: readonly SnapshotRow[]): void;
}

/** Process `number` of `of`, from 1 on. */
export interface Share {
  readonly number: number;
  readonly of: number;
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
/** While an import runs without traffic nobody waits for a single score, and each commit costs a sync. */
const IMPORT_BATCH_RECORDS = 400;
/** Under traffic a queue longer than this is computed in short batches, with a rest after each. */
const LONG_QUEUE_RECORDS = 20;
const SHORT_BATCH_RECORDS = 10;
/** After so long in the queue a score is no longer delayed by traffic. */
const MAX_DELAY_MS = 2000;
/** Queue rows read per pass. */
const SCAN_ROWS = 1000;
/** Under write pressure the workers of all ledger groups rest this many times as long as they work. */
const REST_FACTOR = 6;
const MAX_REST_MS = 250;

export function createQueueDrain(deps: DrainDeps): QueueDrain {
  /** The longest wait in the last batch. */
  let lagMs = 0;
  /** Since when the queue has been left to the thread of imports. */
  let leftSinceMs: number | null = null;
  const computing = deps.computing ?? { groups: 0 };
  return { drain };

  async function drain(isOver: () => boolean): Promise<Drained> {
    const found = await findQueuedRecords(deps.db, SCAN_ROWS, deps.clock.now());
    if (found.length === 0) deps.onEmpty?.();
    const failing = found.filter(({ failedAttempts }) => failedAttempts > 0);
    const fresh = found.filter(({ failedAttempts }) => failedAttempts === 0).map(({ recordId }) => recordId);
    const queued = shareOf(fresh, deps.share?.());
    const isLong = queued.length > LONG_QUEUE_RECORDS;
    if (found.length === 0 || (isLong && isLeft())) return 'nothing';
    computing.groups += 1;
    const settled = await computeAll(queued, isLong, isOver).finally(() => {
      computing.groups -= 1;
    });
    for (const { recordId } of failing) if (!isOver()) await retry(recordId);
    // Rows that came meanwhile have a signal of their own. The end of an import has none.
    const isAll = recordsOf(settled).length === found.length && settled.length < SCAN_ROWS;
    return isAll && deps.isImporting?.() !== true ? 'all' : 'some';
  }

  async function computeAll(
    queued: readonly string[],
    isLong: boolean,
    isOver: () => boolean,
  ): Promise<QueueEntry[]> {
    const settled: QueueEntry[] = [];
    for (let start = 0; start < queued.length && !isOver(); ) {
      const startedMs = performance.now();
      const isPressed = deps.isPressed?.() === true;
      const hasTraffic = deps.mustYield?.() === true;
      const rests = !isPressed && isLong && lagMs < MAX_DELAY_MS && hasTraffic;
      const isQuiet = !isPressed && !hasTraffic && deps.isImporting?.() === true;
      const end = start + (rests ? SHORT_BATCH_RECORDS : isQuiet ? IMPORT_BATCH_RECORDS : BATCH_RECORDS);
      settled.push(...(await recompute(queued.slice(start, end))));
      start = end;
      // Events that arrive during the pause share the next recompute of their record.
      if (isPressed) await makeWay(performance.now() - startedMs, isOver);
      else if (rests && start < queued.length) await rest();
    }
    return settled;
  }

  /** Groups that compute at the same time share what appends leave. Ends with the pressure. */
  async function makeWay(workedMs: number, isOver: () => boolean): Promise<void> {
    const untilMs = performance.now() + Math.min(MAX_REST_MS, workedMs * REST_FACTOR) * computing.groups;
    for (let leftMs = untilMs - performance.now(); leftMs > 0; leftMs = untilMs - performance.now()) {
      await pause(Math.min(MAX_REST_MS, leftMs));
      if (isOver() || deps.isPressed?.() !== true) return;
    }
  }

  /** In a transaction of its own, so that it cannot fail other records. */
  async function retry(recordId: string): Promise<void> {
    if ((await recompute([recordId])).length === 0) return;
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

  /** Returns the entries that it completed. */
  async function recompute(recordIds: readonly string[]): Promise<readonly QueueEntry[]> {
    try {
      const { entries, emitted, queued, snapshots, shared } = await recomputeRecords(deps, recordIds);
      deps.onSnapshots?.(snapshots);
      const nowMs = deps.clock.now().getTime();
      const waitedMs = entries.map((entry) => Math.max(0, nowMs - entry.enqueuedAt.getTime()));
      lagMs = waitedMs.reduce((longest, ms) => Math.max(longest, ms), 0);
      deps.onRecomputed?.(
        recordsOf(entries).length,
        waitedMs.map((ms) => ms / 1000),
        emitted,
        queued,
        shared,
      );
      return entries;
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      const [recordId] = recordIds;
      if (recordId === undefined) return [];
      if (recordIds.length === 1) {
        await report(recordId, error);
        return [];
      }
      const settled: QueueEntry[] = [];
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

function recordsOf(entries: readonly QueueEntry[]): string[] {
  return [...new Set(entries.map((entry) => entry.recordId))];
}

/**
 * Processes that took the same records in the same order would find each batch locked or done. So
 * each takes its own first, and those of others if it has none: they may have ended.
 */
function shareOf(recordIds: readonly string[], share: Share = { number: 1, of: 1 }): readonly string[] {
  if (share.of === 1) return recordIds;
  const own = recordIds.filter((id) => Number.parseInt(id.slice(-4), 16) % share.of === share.number - 1);
  return own.length > 0 ? own : recordIds;
}

const MAX_ERROR_CHARS = 500;
