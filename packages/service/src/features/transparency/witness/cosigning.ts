import type { LogWitness } from '#domain/logWitnesses.js';
import { createBackgroundLoop } from '#kit/backgroundLoop.js';
import type { Clock } from '#kit/clock.js';
import { type Database, type DatabaseLog, isDatabaseUnavailable } from '#kit/db/database.js';
import type { OutboundFetch } from '#kit/outboundFetch.js';
import { findSignedCheckpoint, publish, type StoredCheckpoint } from '#ledger/log/checkpoints.js';
import {
  keyNameOf,
  noteCosigned,
  noteProblem,
  readWitnessStates,
  setWitnesses,
  storeCosignature,
} from '#ledger/log/witness/witnesses.js';
import { askWitness, type WitnessAnswer } from './askWitness.js';

/** Has the checkpoints of this log cosigned by witnesses, and publishes them (RULES E21, E22). */
export interface Cosigning {
  start(): void;
  /** A checkpoint was signed. */
  wake(): void;
  /** Resolves when no request is under way. */
  stop(): Promise<void>;
}

interface CosigningDeps {
  db: Database;
  clock: Clock;
  log: Pick<DatabaseLog, 'error' | 'warn' | 'info'>;
  outbound: OutboundFetch;
  witnesses: readonly LogWitness[];
  /** How many of them have to cosign a checkpoint before it is published. */
  quorum: number;
}

const TIMEOUT_MS = 5000;
/** Between two requests to one witness: a log signs once a second. */
const MIN_INTERVAL_MS = 1000;
const MAX_RETRY_MS = 60_000;
/** A witness that contradicts has to be repaired by people, here or there. */
const CONTRADICTED_RETRY_MS = 10 * 60_000;
/** Checkpoints of other processes that ended before they asked. */
const LOOK_AGAIN_MS = 10_000;

/** A witness, as this process knows it. */
interface Asked {
  witness: LogWitness;
  key: string;
  /** Leaves that it is thought to know. */
  knownSize: number;
  /** Of the newest checkpoint that it cosigned for this process. */
  cosignedSize: number;
  failures: number;
  isContradicting: boolean;
  dueMs: number;
  /** Leaves of the checkpoint that it is asked about now. */
  askedSize: number | null;
}

export function createCosigning({ db, clock, log, outbound, witnesses, quorum }: CosigningDeps): Cosigning {
  const underWay = new Set<Promise<void>>();
  let all: Asked[] = [];
  let target: StoredCheckpoint | null = null;
  let publishedSize = 0;

  const loop = createBackgroundLoop(async (sleep, stopping) => {
    let isPrepared = false;
    while (!stopping.aborted) {
      sleep.reset();
      try {
        if (!isPrepared) await prepare();
        isPrepared = true;
        if (all.length === 0) return;
        await chooseTarget();
        for (const asked of all) askIfDue(asked);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) log.error({ err: error }, 'witnesses could not be asked');
      }
      await sleep.rest(untilNextMs());
    }
  });
  const { stopping } = loop;

  return {
    start: loop.start,
    wake: loop.wake,
    async stop() {
      await loop.stop();
      await Promise.all(underWay);
    },
  };

  async function prepare(): Promise<void> {
    await setWitnesses(db, witnesses.map(keyNameOf));
    const states = new Map((await readWitnessStates(db)).map((state) => [state.key, state]));
    all = witnesses.map((witness) => {
      const key = keyNameOf(witness);
      const { cosignedSize = 0, isContradicting = false } = states.get(key) ?? {};
      const fresh = { cosignedSize: 0, failures: 0, dueMs: 0, askedSize: null };
      return { ...fresh, witness, key, knownSize: cosignedSize, isContradicting };
    });
    // The operator may have asked for fewer witnesses than before.
    const newest = quorum === 0 ? await findSignedCheckpoint(db) : null;
    if (newest) await publish(db, newest.treeSize, clock.now());
  }

  /**
   * All witnesses are asked about one checkpoint until enough have cosigned it or none is under way.
   * Each on its own would cosign other checkpoints than the others, and no quorum would come about.
   */
  async function chooseTarget(): Promise<void> {
    const size = target?.treeSize ?? 0;
    const isOpen = size > publishedSize && all.some(({ askedSize }) => askedSize === size);
    if (!isOpen || quorum === 0) target = await findSignedCheckpoint(db);
  }

  function askIfDue(asked: Asked): void {
    const { askedSize, cosignedSize, dueMs } = asked;
    if (!target || askedSize !== null || cosignedSize >= target.treeSize || performance.now() < dueMs) return;
    const checkpoint = target;
    asked.askedSize = checkpoint.treeSize;
    asked.dueMs = performance.now() + MIN_INTERVAL_MS;
    const asking = ask(asked, checkpoint)
      .catch((error: unknown) => {
        if (!isDatabaseUnavailable(error))
          log.error({ err: error, witness: asked.key }, 'a witness could not be asked');
      })
      .finally(() => {
        asked.askedSize = null;
        underWay.delete(asking);
        loop.wake();
      });
    underWay.add(asking);
  }

  async function ask(asked: Asked, checkpoint: StoredCheckpoint): Promise<void> {
    const given = { db, outbound, timeoutMs: TIMEOUT_MS, signal: stopping };
    const answer = await askWitness(given, asked.witness, checkpoint, asked.knownSize);
    if (stopping.aborted && answer.kind === 'failed') return;
    switch (answer.kind) {
      case 'cosigned':
        return keep(asked, checkpoint.treeSize, answer.line);
      case 'overtaken':
        asked.knownSize = answer.size;
        return;
      default:
        return postpone(asked, answer);
    }
  }

  async function keep(asked: Asked, treeSize: number, line: string): Promise<void> {
    const { key } = asked;
    const cosigned = new Set(await storeCosignature(db, treeSize, { key, line }));
    await noteCosigned(db, key, treeSize, clock.now());
    if (asked.failures > 0 || asked.isContradicting)
      log.info({ witness: key, treeSize }, 'a witness cosigns again');
    Object.assign(asked, {
      knownSize: treeSize,
      cosignedSize: treeSize,
      failures: 0,
      isContradicting: false,
    });
    if (quorum === 0 || all.filter((other) => cosigned.has(other.key)).length < quorum) return;
    await publish(db, treeSize, clock.now());
    publishedSize = Math.max(publishedSize, treeSize);
  }

  /** Contradictions are logged each time, failures once. */
  async function postpone(asked: Asked, answer: Extract<WitnessAnswer, { problem: string }>): Promise<void> {
    const { key, failures } = asked;
    const { problem } = answer;
    const isContradicting = answer.kind === 'contradicts';
    asked.failures += 1;
    asked.isContradicting = isContradicting;
    const backoffMs = Math.min(MIN_INTERVAL_MS * 2 ** failures, MAX_RETRY_MS);
    const waitMs =
      answer.kind === 'contradicts' ? CONTRADICTED_RETRY_MS : Math.max(backoffMs, answer.retryAfterMs ?? 0);
    asked.dueMs = performance.now() + waitMs;
    await noteProblem(db, key, { problem, isContradicting, now: clock.now() });
    if (isContradicting) log.error({ witness: key, problem }, 'a witness contradicts the transparency log');
    else if (failures === 0) log.warn({ witness: key, problem }, 'a witness does not cosign');
  }

  function untilNextMs(): number {
    const nowMs = performance.now();
    const due = all
      .filter(({ askedSize, cosignedSize }) => askedSize === null && cosignedSize < (target?.treeSize ?? 0))
      .map(({ dueMs }) => dueMs - nowMs);
    return Math.max(1, Math.min(LOOK_AGAIN_MS, ...due));
  }
}
