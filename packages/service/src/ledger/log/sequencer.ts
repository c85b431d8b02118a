import { createBackgroundLoop } from '../../kit/backgroundLoop.js';
import { createYielder, type YieldTurn } from '../../kit/backpressure/yielder.js';
import type { Clock } from '../../kit/clock.js';
import { type Database, type DatabaseLog, isDatabaseUnavailable } from '../../kit/db/database.js';
import { pollOfGroup } from '../../kit/db/groups.js';
import type { KeyRing } from '../signingKeys.js';
import { type BatchLimits, createKnownLog, logBatch, takeFacts, UnloggableFacts } from './batch.js';
import { signCheckpoint } from './checkpoints.js';
import type { FreshFacts } from './freshFacts.js';
import type { HeadFile } from './headFile.js';
import { LogInconsistent } from './logInconsistent.js';
import type { LogKeeper } from './logKeeper.js';
import { assertKeyIsStored, type LogSigner, logSigner, noteKey } from './logKey.js';
import { dropQueued, QUEUE_START, queueState } from './queue.js';
import { setHalted } from './state.js';
import { restartWalk, walkOn } from './walk.js';

/** Appends new facts to the transparency log and signs checkpoints (RULES E15). */
export interface Sequencer {
  start(): void;
  /** Look for facts and sign now instead of at the next round: somebody waits for a receipt. */
  wake(): void;
  /** Facts are queued: look for them with the next round, which is due a second after the last one. */
  queued(): void;
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
  /** What this process writes itself; null: all facts are read from the database. */
  fresh: FreshFacts | null;
  /** Null: this is the only process of its start. */
  keeper: LogKeeper | null;
  /** Where the newest checkpoint is kept outside of the database. */
  head: HeadFile | null;
  /** A checkpoint is published when witnesses have cosigned it, not when it is signed. */
  needsWitnesses: boolean;
  onSigned(): void;
  /** True from the start of an import until its scores are computed. */
  isImporting(): boolean;
  /** True while requests need the processor. */
  hasTraffic(): boolean;
  /** True while appends wait for the one connection that the log shares with them. */
  isPressed(): boolean;
  /** How long it may sleep unless it is woken. Default: 10 s. */
  pollMs?: number;
}

/** At most one round a second: facts share batches and checkpoints, and are signed within two seconds. */
const ROUND_MS = 1000;
/** A round signs after so long also while facts keep arriving. */
const SIGN_AFTER_MS = 1000;
/** Between two looks for work of other processes: leaves without a checkpoint, a walk. */
const LOOK_AGAIN_MS = 10_000;
/** Facts that wait for so long are logged by any process: the one that keeps the log may be stuck. */
const LEFT_FOR_MS = 10_000;
const LOOKED_AT_ROWS = 1000;
/** Between rounds that are asked for. */
const MIN_ROUND_MS = 100;
const RETRY_AFTER_ERROR_MS = 1000;

/**
 * A batch costs as much as some hundred leaves, so small ones are dear. Large ones delay requests:
 * 4000 facts held the event loop for 40 ms, and the embedded database has one connection for both.
 */
const LIMITS: Readonly<Record<Database['engine'], BatchLimits>> = {
  postgresql: { subjects: 1000, facts: 1000 },
  pglite: { subjects: 300, facts: 300 },
};
/** Under pressure it rests so many times as long as it has worked, and signs later, */
const REST_FACTOR = 5;
/** but not after it has been behind for so long: a lasting load must not leave facts unsigned. */
const MAX_BEHIND_MS = 20_000;
/** Beside reads: 1000 facts made the slowest of a hundred wait for 29 ms while an import ran. */
const SHORT_BATCH: BatchLimits = { subjects: 100, facts: 100 };
/**
 * An import announces a second's worth of the log's work or more at once. Scores come first: its facts wait
 * until they are computed, but no longer than this.
 */
const MAX_WAIT_FOR_IMPORT_MS = 10_000;

export function createSequencer(deps: SequencerDeps): Sequencer {
  const { db, clock, log } = deps;
  const known = createKnownLog(deps.fresh, clock);
  // Inside of a transaction of the embedded database nobody else could use a pause.
  const newYielder = (): YieldTurn => (db.engine === 'postgresql' ? createYielder() : () => undefined);
  const pollMs = pollOfGroup(db, deps.pollMs ?? LOOK_AGAIN_MS);
  let notedKey = '';
  /** The newest note that this process has signed or seen signed. */
  let remembered: string | null = null;
  let hasProven = false;
  let hasRestartedWalk = false;
  let isUnsigned = false;
  /** Snapshots wait for events that another round or another group logs. */
  let isWaiting = false;
  let lookedMs = 0;
  let lookedAtQueueMs = performance.now();
  let walkAgainMs = 0;
  let startedMs = 0;
  /** When nothing was left last. */
  let upToDateMs = performance.now();
  /** Since when facts may have waited for an import. */
  let importSinceMs: number | null = null;

  const loop = createBackgroundLoop(async (sleep, stopping) => {
    while (!stopping.aborted) {
      sleep.reset();
      startedMs = performance.now();
      try {
        const hasMore = !(await isLeft()) && (await round());
        if (hasMore) continue;
        await sleep.rest((isWaiting ? ROUND_MS : pollMs) - (performance.now() - startedMs));
        await pauseUntil(startedMs + MIN_ROUND_MS);
      } catch (error) {
        const inconsistency = inconsistencyIn(error);
        if (inconsistency) return halt(inconsistency);
        // Readiness and every request report an unavailable database: do not log it each second.
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'the transparency log failed');
        await sleep.rest(RETRY_AFTER_ERROR_MS);
      }
    }
  });
  deps.keeper?.serve({ take: (rows) => takeFacts(known, rows), wake: loop.wake });
  return {
    ...loop,
    wake() {
      if (deps.keeper?.isOther()) deps.keeper.wake();
      else loop.wake();
    },
    queued() {
      if (performance.now() - startedMs >= ROUND_MS) loop.wake();
    },
  };

  /** True: another process keeps the log. */
  async function isLeft(): Promise<boolean> {
    if (!deps.keeper?.isOther()) return false;
    deps.fresh?.clear();
    if (startedMs - lookedAtQueueMs < LEFT_FOR_MS) return true;
    lookedAtQueueMs = startedMs;
    const { since } = await queueState(db, LOOKED_AT_ROWS);
    return since === null || clock.now().getTime() - since.getTime() < LEFT_FOR_MS;
  }

  /** True: facts are left. */
  async function round(): Promise<boolean> {
    const signer = logSigner(deps.origin, await deps.keys.current());
    if (!hasRestartedWalk) await restartWalk(db);
    hasRestartedWalk = true;
    if (notedKey !== signer.key.id) {
      await assertKeyIsStored(db);
      await noteKey(db, signer, clock.now());
    }
    notedKey = signer.key.id;
    const hasMore = await drain();
    await signWhenDue(signer);
    return hasMore || (await walk());
  }

  /** Idle rounds sign nothing, but look from time to time: another process may have died before it signed. */
  async function signWhenDue(signer: LogSigner): Promise<void> {
    const nowMs = performance.now();
    if (hasProven && !isUnsigned && nowMs - lookedMs < LOOK_AGAIN_MS) return;
    const { head, needsWitnesses } = deps;
    const options = { needsWitnesses, remembered, head };
    const { isSequencer, checkpoint, newest } = await signCheckpoint(
      db,
      signer,
      clock.now(),
      !hasProven,
      options,
    );
    // Another process has proven what it signed by what it knows, not by what this one does.
    if (isSequencer || remembered === null) remembered = newest?.note ?? null;
    if (isSequencer && !hasProven) {
      await setHalted(db, null);
      hasProven = true;
    }
    if (checkpoint) deps.onSigned();
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
    isWaiting = false;
    for (;;) {
      const startedMs = performance.now();
      const isUrgent = leavesImports(startedMs);
      const isBesideReads = importSinceMs !== null && deps.hasTraffic();
      const limits = isBesideReads ? SHORT_BATCH : LIMITS[db.engine];
      const batch = await oneBatch({ ...limits, isUrgent }, yieldTurn);
      if (batch && batch.leaves > 0) isUnsigned = true;
      isWaiting ||= batch?.isWaiting === true;
      const nowMs = performance.now();
      if (!batch?.hasMore) {
        upToDateMs = nowMs;
        if (!isUrgent) importSinceMs = null;
        return false;
      }
      if (loop.stopping.aborted || nowMs > untilMs) return true;
      await pauseUntil(nowMs + (nowMs - startedMs) * restFactor(nowMs, isBesideReads));
    }
  }

  /** True: facts of an import wait. */
  function leavesImports(nowMs: number): boolean {
    if (!deps.isImporting()) return false;
    importSinceMs ??= nowMs;
    return nowMs - importSinceMs < MAX_WAIT_FOR_IMPORT_MS;
  }

  function restFactor(nowMs: number, isBesideReads: boolean): number {
    if (deps.isPressed() && nowMs - upToDateMs < MAX_BEHIND_MS) return REST_FACTOR;
    // Half of the time is theirs.
    return isBesideReads ? 1 : 0;
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
      return { leaves: 0, hasMore: true, isWaiting: false };
    }
  }

  /** Never signs again in this process. A start after the repair proves the tree first. */
  async function halt(error: LogInconsistent): Promise<void> {
    log.error(
      { reason: error.message },
      'the transparency log is inconsistent: no checkpoint will be signed',
    );
    await setHalted(db, error.message, error.lost).catch((failed: unknown) => {
      log.error({ err: failed }, 'the halt of the transparency log could not be stored');
    });
  }

  async function pauseUntil(untilMs: number): Promise<void> {
    const restMs = untilMs - performance.now();
    if (restMs > 0 && !loop.stopping.aborted) await new Promise((resolve) => setTimeout(resolve, restMs));
  }
}

/** The missing key of the log is an error of a request, too. */
function inconsistencyIn(error: unknown): LogInconsistent | null {
  if (error instanceof LogInconsistent) return error;
  return error instanceof Error && error.cause instanceof LogInconsistent ? error.cause : null;
}
