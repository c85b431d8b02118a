import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { dayOf } from '@reliability/scoring';
import type { FastifyBaseLogger } from 'fastify';
import { createAlarm } from '../kit/alarm.js';
import { rest } from '../kit/breather.js';
import type { Clock } from '../kit/clock.js';
import { type Database, isDatabaseUnavailable } from '../kit/db/database.js';
import type { IdSource } from '../kit/ids.js';
import { recomputeRecords } from './recompute.js';
import { beat, findQueuedRecords, queueAgedScores } from './recomputeStore.js';

/** Turns what the ledger took into scores, and once a day lets the passing of time into them. */
export interface RecomputeWorker {
  start(): void;
  /** Something was queued: look now rather than at the next poll. */
  wake(): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

interface WorkerParts {
  db: Database;
  clock: Clock;
  ids: IdSource;
  log: FastifyBaseLogger;
  velocityMaxPerHour: number;
  /** Asked after each batch: writes are under pressure, and scores can follow a moment later. */
  isPressed?(): boolean;
  /** Asked before each batch: requests are being answered, and must not feel what is done beside them. */
  makesWay?(): boolean;
  /** Told of each batch: its records, how long each of its queue entries had waited, and how many envelopes were written. */
  onRecomputed?(records: number, lagSeconds: readonly number[], told: number): void;
}

/** Records per transaction: enough to share its costs, few enough that none of them waits long for the others. */
const BATCH_RECORDS = 100;
/** Beside requests, with so many records in line: batches so short that none of them notices, and a rest after each. */
const MODEST_FROM_RECORDS = 20;
const MODEST_BATCH_RECORDS = 10;
/** Scores that have waited for so long are not kept waiting for the sake of requests. */
const MODEST_MAX_LAG_MS = 2000;
/** Queue rows looked through to find them. */
const SCAN_ROWS = 1000;
const AGED_SCORES_PER_ROUND = 500;
/** Under pressure the worker rests so many times as long as it has worked, though never for longer than this. */
const REST_FACTOR = 6;
const MAX_REST_MS = 250;
/** What another process queued without a wake-up that reached us is found within this. */
const POLL_MS = 250;
const RETRY_AFTER_FAULT_MS = 1000;
const RETRY_RECORD_MS = 60_000;
/** How often the loop says that it turns; /status.json asks whether it did within a minute. */
const BEAT_MS = 10_000;

export function createRecomputeWorker(parts: WorkerParts): RecomputeWorker {
  let isStopping = false;
  let running: Promise<void> | null = null;
  const alarm = createAlarm();
  let decayedDay = -1;
  const workerId = randomUUID();
  let beatenAtMs = 0;
  /** How long the longest waiting entry of the last batch had waited. */
  let lagMs = 0;
  /** Records whose recompute failed, and when to try them again: one fault must not hold up the rest. */
  const resting = new Map<string, number>();

  return {
    start() {
      running ??= loop();
    },
    wake: alarm.wake,
    async stop() {
      isStopping = true;
      alarm.wake();
      await running;
    },
  };

  async function loop(): Promise<void> {
    while (!isStopping) {
      alarm.reset();
      try {
        await beatWhenDue();
        const hadWork = (await drainOnce()) || (await decayOnce());
        if (!hadWork) await alarm.rest(POLL_MS);
      } catch (error) {
        // Away databases are reported by readiness and by every request; the log need not repeat it each second.
        if (!isDatabaseUnavailable(error)) parts.log.error({ err: error }, 'recompute failed');
        await alarm.rest(RETRY_AFTER_FAULT_MS);
      }
    }
  }

  async function beatWhenDue(): Promise<void> {
    const now = parts.clock.now();
    if (Math.abs(now.getTime() - beatenAtMs) < BEAT_MS) return;
    await beat(parts.db, workerId, now);
    beatenAtMs = now.getTime();
  }

  async function drainOnce(): Promise<boolean> {
    const nowMs = parts.clock.now().getTime();
    for (const [recordId, until] of resting) if (until <= nowMs) resting.delete(recordId);
    const queued = await findQueuedRecords(parts.db, SCAN_ROWS, [...resting.keys()]);
    const isMuch = queued.length > MODEST_FROM_RECORDS;
    for (let start = 0; start < queued.length && !isStopping; ) {
      const startedMs = performance.now();
      const isPressed = parts.isPressed?.() === true;
      const isModest = !isPressed && isMuch && lagMs < MODEST_MAX_LAG_MS && parts.makesWay?.() === true;
      const end = start + (isModest ? MODEST_BATCH_RECORDS : BATCH_RECORDS);
      await recompute(queued.slice(start, end));
      start = end;
      // Events that wait meanwhile share the next computation of their record, so resting makes the whole cheaper.
      if (isPressed) await pause(Math.min(MAX_REST_MS, (performance.now() - startedMs) * REST_FACTOR));
      else if (isModest && start < queued.length) await rest();
    }
    return queued.length > 0;
  }

  async function recompute(recordIds: readonly string[]): Promise<void> {
    try {
      const { entries, told } = await recomputeRecords(parts, recordIds);
      const nowMs = parts.clock.now().getTime();
      const records = new Set(entries.map((entry) => entry.recordId)).size;
      const waitedMs = entries.map((entry) => Math.max(0, nowMs - entry.enqueuedAt.getTime()));
      lagMs = waitedMs.reduce((longest, ms) => Math.max(longest, ms), 0);
      parts.onRecomputed?.(
        records,
        waitedMs.map((ms) => ms / 1000),
        told,
      );
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      if (recordIds.length > 1) {
        for (const recordId of recordIds) await recompute([recordId]);
        return;
      }
      parts.log.error(
        { err: error, recordId: recordIds[0] },
        'recompute of a record failed, it rests for a minute',
      );
      for (const recordId of recordIds) resting.set(recordId, parts.clock.now().getTime() + RETRY_RECORD_MS);
    }
  }

  /** The decay sweep, a slice at a time and only when the queue is empty. */
  async function decayOnce(): Promise<boolean> {
    const now = parts.clock.now();
    const today = dayOf(now);
    if (decayedDay === today) return false;
    const count = await queueAgedScores(parts.db, today, AGED_SCORES_PER_ROUND, now);
    if (count === 0) decayedDay = today;
    return count > 0;
  }
}
