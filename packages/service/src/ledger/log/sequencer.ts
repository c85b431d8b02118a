import { createPollingLoop, type WakeableSleep } from '#kit/backgroundLoop.js';
import type { Clock } from '#kit/clock.js';
import type { Database, DatabaseLog } from '#kit/db/database.js';
import { pollOfGroup } from '#kit/db/groups.js';
import type { KeyRing } from '../signingKeys.js';
import { createKnownLog, logBatch, UnloggableFacts } from './batch.js';
import { readTreeSize, signCheckpoint } from './checkpoints.js';
import { type HeadFile, LogInconsistent } from './heads.js';
import { assertKeyIsStored, type LogSigner, logSigner, noteKey } from './logKey.js';
import { dropQueued, QUEUE_START } from './queue.js';
import { setHalted } from './state.js';

export interface SequencerDeps {
  db: Database;
  clock: Clock;
  log: Pick<DatabaseLog, 'error' | 'info'>;
  /** Keys of purpose 'log'. */
  keys: KeyRing;
  origin: string;
  head: HeadFile | null;
  /** A checkpoint is published when witnesses have cosigned it, not when it is signed. */
  needsWitnesses: boolean;
  onSigned(): void;
  /** True while appends wait for the one connection that the log shares with them, or an import computes scores. */
  isPressed(): boolean;
  /** How long it may sleep unless it is woken. Default: 10 s. */
  pollMs?: number;
}

/**
 * At most one round a second, which signs after a second also while facts keep arriving: facts share batches
 * and checkpoints, and are signed within two seconds.
 */
const ROUND_MS = 1000;
/** Between two looks for work of other processes: leaves without a checkpoint. */
const LOOK_AGAIN_MS = 10_000;
/** Between rounds that are asked for. */
const MIN_ROUND_MS = 100;

/**
 * A batch costs as much as some hundred leaves, so small ones are dear. Large ones delay requests:
 * 4000 facts held the event loop for 40 ms, and the embedded database has one connection for both.
 */
const FACTS = { postgresql: 1000, pglite: 300 };
/** Under pressure it rests so many times as long as it has worked, and signs later, */
const REST_FACTOR = 5;
/** but not after it has been behind for so long: a lasting load must not leave facts unsigned. */
const MAX_BEHIND_MS = { postgresql: 5_000, pglite: 20_000 };

/** Appends new facts to the transparency log and signs checkpoints (RULES E15). */
export function createSequencer(deps: SequencerDeps) {
  const { db, clock, log } = deps;
  const known = createKnownLog(clock);
  const engine = db.hasOneConnection ? 'pglite' : 'postgresql';
  const pollMs = pollOfGroup(db, deps.pollMs ?? LOOK_AGAIN_MS);
  let notedKey = '';
  let remembered: string | null = null;
  let hasProven = false;
  let isHalted = false;
  let isUnsigned = false;
  /** Snapshots wait for events that another round or another group logs. */
  let isWaiting = false;
  let lookedMs = 0;
  let startedMs = 0;
  let upToDateMs = performance.now();
  /** Leaves of the log when this process last looked. */
  let seenSize: number | null = null;

  const loop = createPollingLoop(look, (err) => log.error({ err }, 'the transparency log failed'));
  return {
    ...loop,
    /** Facts are queued. The next round is due a second after the last one; `wake`: somebody waits for a receipt. */
    queued() {
      if (performance.now() - startedMs >= ROUND_MS) loop.wake();
    },
  };

  async function look(sleep: WakeableSleep): Promise<number> {
    if (isHalted) return pollMs;
    await pauseUntil(startedMs + MIN_ROUND_MS);
    sleep.reset();
    startedMs = performance.now();
    try {
      const isOthers = await isKeptElsewhere();
      if (!isOthers && (await round())) return 0;
      return (isWaiting || isOthers ? ROUND_MS : pollMs) - (performance.now() - startedMs);
    } catch (error) {
      const inconsistency = inconsistencyIn(error);
      if (!inconsistency) throw error;
      await halt(inconsistency);
      return pollMs;
    }
  }

  /**
   * True: another process has added leaves since this one looked. If they took turns, each would read
   * the cursors of all subjects again.
   */
  async function isKeptElsewhere(): Promise<boolean> {
    const size = await readTreeSize(db);
    const isOthers = seenSize !== null && size !== seenSize;
    seenSize = size;
    return isOthers;
  }

  async function round(): Promise<boolean> {
    const signer = logSigner(deps.origin, await deps.keys.current());
    if (notedKey !== signer.key.id) {
      await assertKeyIsStored(db);
      await noteKey(db, signer, clock.now());
    }
    notedKey = signer.key.id;
    const hasMore = await drain();
    await signWhenDue(signer);
    return hasMore;
  }

  /** Idle rounds sign nothing, but look from time to time: another process may have died before it signed. */
  async function signWhenDue(signer: LogSigner): Promise<void> {
    const nowMs = performance.now();
    if (hasProven && !isUnsigned && nowMs - lookedMs < LOOK_AGAIN_MS) return;
    const signed = await signCheckpoint(db, signer, clock.now(), !hasProven, { ...deps, remembered });
    const { isSequencer, checkpoint, newest } = signed;
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

  async function drain(): Promise<boolean> {
    const untilMs = performance.now() + ROUND_MS;
    // Rows may have come to places before the last batch.
    known.queueFrom = QUEUE_START;
    isWaiting = false;
    for (;;) {
      const startedMs = performance.now();
      const batch = await oneBatch();
      seenSize = known.tree?.edge.size ?? seenSize;
      if (batch && batch.leaves > 0) isUnsigned = true;
      isWaiting ||= batch?.isWaiting === true;
      const nowMs = performance.now();
      if (!batch?.hasMore) {
        upToDateMs = nowMs;
        return false;
      }
      if (loop.stopping.aborted || nowMs > untilMs) return true;
      const rests = deps.isPressed() && nowMs - upToDateMs < MAX_BEHIND_MS[engine];
      if (rests) await pauseUntil(nowMs + (nowMs - startedMs) * REST_FACTOR);
    }
  }

  async function oneBatch() {
    try {
      return await logBatch(db, FACTS[engine], known);
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
    isHalted = true;
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
