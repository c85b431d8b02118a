import type { Clock } from '#kit/clock.js';
import { type Database, isDatabaseBusy, isWrongServer } from '#kit/db/database.js';
import { readEach } from '#kit/db/groups.js';
import { inTime } from '#kit/inTime.js';
import { lastHeartbeat, WORKER_LIMIT_MS } from '#kit/jobs/jobs.js';
import { type LogState, readLogStates } from '#ledger/log/state.js';
import { joinWitnessStates, readWitnessStates, type WitnessState } from '#ledger/log/witness/witnesses.js';
import { type Checks, NOT_CHECKED } from './schemas.js';
import { dueSince, failingRecords, waitingSince } from './store.js';

export type HealthCheck = () => Promise<Checks>;

export interface Readiness {
  readonly isReady: boolean;
}

export interface GroupsDeps {
  /** The handles of all ledger groups, the first one first. */
  groups(): readonly Database[];
  /** The same without those whose server does not answer. */
  reachableGroups(): Promise<readonly Database[]>;
}

export interface HealthDeps extends GroupsDeps {
  db: Database;
  clock: Clock;
  /** Whether the database has been prepared for this code: migrated, first platform made. */
  readiness: Readiness;
}

/**
 * A hanging database must not make the health check hang. Longer than the time limit of a ping, which
 * distinguishes a busy database from an unavailable one.
 */
const ANSWER_WITHIN_MS = 2500;
/** An entry that waits longer means that the workers cannot keep up. */
const LAG_LIMIT_MS = 60_000;
/**
 * A delivery to a working target that is due for longer means that the dispatchers cannot keep up.
 */
const OUTBOX_LIMIT_MS = 60_000;
/** A fact that waits longer for its leaf means that the sequencer cannot keep up. */
const LOG_LIMIT_MS = 60_000;
const MAX_TARGETS = 2000;
const MAX_FAILING = 1000;

/** Concurrent requests share one check, so that health requests cannot overload the database. */
export function createHealthCheck(deps: HealthDeps): HealthCheck {
  let underWay: Promise<Checks> | null = null;
  return () => {
    underWay ??= check(deps).finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

async function check(deps: HealthDeps): Promise<Checks> {
  const { db, groups, clock, readiness } = deps;
  const startedAt = performance.now();
  try {
    await inTime(db.ping(), ANSWER_WITHIN_MS);
    const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10;
    if (!readiness.isReady)
      return { database: { status: 'failed', latencyMs, unreachableGroups: null }, ...NOT_CHECKED };
    const now = clock.now();
    const answering = await deps.reachableGroups();
    const [worker, outbox, log] = await inTime(
      Promise.all([checkWorker(answering, now), checkOutbox(answering, now), checkLog(answering, now)]),
      ANSWER_WITHIN_MS,
    );
    const unreachableGroups = groups().length - answering.length;
    return { database: { status: 'ok', latencyMs, unreachableGroups }, worker, outbox, log };
  } catch (error) {
    // The error itself is for the operator and is logged where it occurs.
    const status = isWrongServer(error) ? 'wrong_server' : isDatabaseBusy(error) ? 'busy' : 'failed';
    return { database: { status, latencyMs: null, unreachableGroups: null }, ...NOT_CHECKED };
  }
}

async function checkWorker(groups: readonly Database[], now: Date): Promise<Checks['worker']> {
  const [first] = groups;
  const lastBeatAt = first ? await lastHeartbeat(first) : null;
  const since = earliest(await readEach(groups, waitingSince));
  const failing = await readEach(groups, (db) => failingRecords(db, MAX_FAILING));
  const lagMs = since ? Math.max(0, now.getTime() - since.getTime()) : 0;
  return {
    status: workerStatus(lastBeatAt, lagMs, now),
    lastBeatAt,
    queueLagSeconds: Math.round(lagMs / 100) / 10,
    failingRecords: failing.reduce((sum, count) => sum + count, 0),
  };
}

function workerStatus(lastBeatAt: Date | null, lagMs: number, now: Date): Checks['worker']['status'] {
  if (!lastBeatAt || now.getTime() - lastBeatAt.getTime() > WORKER_LIMIT_MS) return 'absent';
  return lagMs > LAG_LIMIT_MS ? 'lagging' : 'ok';
}

async function checkOutbox(groups: readonly Database[], now: Date): Promise<Checks['outbox']> {
  const since = earliest(await readEach(groups, (db) => dueSince(db, now, MAX_TARGETS)));
  const waitingMs = since ? Math.max(0, now.getTime() - since.getTime()) : 0;
  return {
    status: waitingMs > OUTBOX_LIMIT_MS ? 'lagging' : 'ok',
    waitingSeconds: Math.round(waitingMs / 100) / 10,
  };
}

async function checkLog(groups: readonly Database[], now: Date): Promise<Checks['log']> {
  const state = await readLogStates(groups);
  const witnesses = joinWitnessStates(await readEach(groups, readWitnessStates));
  const waitingMs = msSince(state.waitingSince, now);
  const unpublishedMs = msSince(state.unpublishedSince, now);
  return {
    status: logStatus(state, witnesses, Math.max(waitingMs, unpublishedMs)),
    treeSize: state.treeSize,
    signedSize: state.signedSize,
    publishedSize: state.publishedSize,
    waitingSeconds: Math.round(waitingMs / 100) / 10,
    unpublishedSeconds: Math.round(unpublishedMs / 100) / 10,
    witnesses: witnesses.map(toWitnessCheck),
  };
}

function msSince(since: Date | null, now: Date): number {
  return since ? Math.max(0, now.getTime() - since.getTime()) : 0;
}

function logStatus(
  { halted }: LogState,
  witnesses: readonly WitnessState[],
  lateMs: number,
): Checks['log']['status'] {
  if (halted !== null) return 'halted';
  if (witnesses.some(({ isContradicting }) => isContradicting)) return 'contradicted';
  return lateMs > LOG_LIMIT_MS ? 'lagging' : 'ok';
}

function toWitnessCheck(state: WitnessState): Checks['log']['witnesses'][number] {
  const { key, isContradicting, problem, cosignedSize, cosignedAt } = state;
  const status = isContradicting ? 'contradicting' : problem !== null ? 'failing' : 'ok';
  return { key, status, cosignedSize, cosignedAt };
}

function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((at) => at !== null).map((at) => at.getTime());
  return known.length === 0 ? null : new Date(Math.min(...known));
}

export function overallStatus(checks: Checks): 'operational' | 'degraded' | 'outage' {
  if (['failed', 'wrong_server'].includes(checks.database.status)) return 'outage';
  const { database, worker, outbox, log } = checks;
  const isWell = [database, worker, outbox, log].every(({ status }) => status === 'ok');
  return isWell && database.unreachableGroups === 0 ? 'operational' : 'degraded';
}
