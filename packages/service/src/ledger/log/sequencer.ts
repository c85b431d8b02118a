import { createBackgroundLoop } from '../../kit/backgroundLoop.js';
import { createYielder, type YieldTurn } from '../../kit/backpressure/yielder.js';
import type { Clock } from '../../kit/clock.js';
import { type Database, type DatabaseLog, isDatabaseUnavailable } from '../../kit/db/database.js';
import type { KeyRing } from '../signingKeys.js';
import { type BatchLimits, createKnownLog, logBatch, UnloggableFacts } from './batch.js';
import { LogInconsistent, signCheckpoint } from './checkpoints.js';
import type { HeadFile } from './head.js';
import { type LogSigner, logSigner, noteKey } from './logKey.js';
import { dropQueued, QUEUE_START } from './queue.js';
import { setHalted } from './state.js';
import { restartWalk, walkOn } from './walk.js';

/** Appends new facts to the transparency log and signs checkpoints (RULES E15). */
export interface Sequencer {
  start(): void;
  /** Look for facts and sign now instead of at the next round: somebody waits for a receipt. */
  wake(): void;
  /** Resolves after the current batch. */
  stop(): Promise<void>;
}

export interface SequencerDeps {
  db: Database;
  clock: Clock;
  log: Pick<DatabaseLog, 'error' | 'info'>;
  /** Keys of purpose 'log'. */
  keys: KeyRing;
  origin: string;
  /** Where the newest checkpoint is kept outside of the database. */
  head: HeadFile | null;
  /** A checkpoint is published when witnesses have cosigned it, not when it is signed. */
  needsWitnesses: boolean;
  onSigned(): void;
  /** True while an import is recorded and requests need the processor, too. */
  isBesideReads(): boolean;
}

/** Processes that only answer requests notify it. */
export const LOG_CHANNEL = 'log';

/** One round a second: facts share batches and checkpoints, and are signed within two seconds. */
const ROUND_MS = 1000;
/** A round signs after so long also while facts keep arriving. */
const SIGN_AFTER_MS = 1000;
/** Between two looks for work of other processes: leaves without a checkpoint, a walk. */
const LOOK_AGAIN_MS = 10_000;
/** Between rounds that are asked for. */
const MIN_ROUND_MS = 100;
const RETRY_AFTER_ERROR_MS = 1000;

/**
 * A batch costs as much as some hundred leaves, so small ones are dear. Large ones delay requests:
 * 4000 facts held the event loop for 40 ms, and the embedded database has one connection for both.
 */
const LIMITS: Readonly<Record<Database['engine'], BatchLimits>> = {
  postgresql: { rows: 1000, facts: 1000 },
  pglite: { rows: 300, facts: 300 },
};
/** Beside reads: 1000 facts made the slowest of a hundred wait for 29 ms while an import ran. */
const SHORT_BATCH: BatchLimits = { rows: 100, facts: 100 };

export function createSequencer(deps: SequencerDeps): Sequencer {
  const { db, clock, log } = deps;
  const known = createKnownLog();
  // Inside of a transaction of the embedded database nobody else could use a pause.
  const newYielder = (): YieldTurn => (db.engine === 'postgresql' ? createYielder() : () => undefined);
  let notedKey = '';
  let hasProven = false;
  let hasRestartedWalk = false;
  let isUnsigned = false;
  let lookedMs = 0;
  let walkAgainMs = 0;

  const loop = createBackgroundLoop(async (sleep, stopping) => {
    while (!stopping.aborted) {
      sleep.reset();
      const startedMs = performance.now();
      try {
        const hasMore = await round();
        if (hasMore) continue;
        await sleep.rest(ROUND_MS - (performance.now() - startedMs));
        await pauseUntil(startedMs + MIN_ROUND_MS);
      } catch (error) {
        if (error instanceof LogInconsistent) return halt(error);
        // Readiness and every request report an unavailable database: do not log it each second.
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'the transparency log failed');
        await sleep.rest(RETRY_AFTER_ERROR_MS);
      }
    }
  });
  return loop;

  /** True: facts are left. */
  async function round(): Promise<boolean> {
    const signer = logSigner(deps.origin, await deps.keys.current());
    if (!hasRestartedWalk) await restartWalk(db);
    hasRestartedWalk = true;
    if (notedKey !== signer.key.id) await noteKey(db, signer, clock.now());
    notedKey = signer.key.id;
    const hasMore = await drain();
    await signWhenDue(signer);
    return hasMore || (await walk());
  }

  /** Idle rounds sign nothing, but look from time to time: another process may have died before it signed. */
  async function signWhenDue(signer: LogSigner): Promise<void> {
    const nowMs = performance.now();
    if (hasProven && !isUnsigned && nowMs - lookedMs < LOOK_AGAIN_MS) return;
    const { isSequencer, checkpoint } = await signCheckpoint(
      db,
      signer,
      clock.now(),
      !hasProven,
      deps.needsWitnesses,
    );
    if (isSequencer && !hasProven) {
      await setHalted(db, null);
      hasProven = true;
    }
    if (checkpoint) {
      await deps.head?.write(checkpoint.note);
      deps.onSigned();
    }
    if (isSequencer) isUnsigned = false;
    lookedMs = nowMs;
  }

  /** True: subjects were examined, and more are left. */
  async function walk(): Promise<boolean> {
    const nowMs = performance.now();
    if (nowMs < walkAgainMs) return false;
    const isUnderWay = await walkOn(db, clock.now());
    if (!isUnderWay) walkAgainMs = nowMs + LOOK_AGAIN_MS;
    return isUnderWay;
  }

  async function drain(): Promise<boolean> {
    const untilMs = performance.now() + SIGN_AFTER_MS;
    const yieldTurn = newYielder();
    // Rows may have come to places before the last batch.
    known.queueFrom = QUEUE_START;
    for (;;) {
      const startedMs = performance.now();
      const isBesideReads = deps.isBesideReads();
      const batch = await oneBatch(isBesideReads ? SHORT_BATCH : LIMITS[db.engine], yieldTurn);
      if (batch && batch.leaves > 0) isUnsigned = true;
      if (!batch?.hasMore) return false;
      const nowMs = performance.now();
      if (loop.stopping.aborted || nowMs > untilMs) return true;
      // Half of the time is theirs.
      if (isBesideReads) await pauseUntil(nowMs + (nowMs - startedMs));
    }
  }

  async function oneBatch(limits: BatchLimits, yieldTurn: YieldTurn) {
    try {
      return await logBatch(db, limits, known, yieldTurn);
    } catch (error) {
      if (!(error instanceof UnloggableFacts)) throw error;
      log.error(
        { subjectIds: error.subjectIds },
        'the log cannot take in subjects whose events are missing: run audit-ledger',
      );
      await dropQueued(db, error.subjectIds);
      return { leaves: 0, hasMore: true };
    }
  }

  /** Never signs again in this process. A start after the repair proves the tree first. */
  async function halt(error: LogInconsistent): Promise<void> {
    log.error(
      { reason: error.message },
      'the transparency log is inconsistent: no checkpoint will be signed',
    );
    await setHalted(db, error.message).catch((failed: unknown) => {
      log.error({ err: failed }, 'the halt of the transparency log could not be stored');
    });
  }

  async function pauseUntil(untilMs: number): Promise<void> {
    const restMs = untilMs - performance.now();
    if (restMs > 0 && !loop.stopping.aborted) await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}
