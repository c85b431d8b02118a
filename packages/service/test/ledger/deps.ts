import { pino } from 'pino';
import type { OutcomeEvent, Reporter } from '#domain/outcomeEvent.js';
import { quietLog } from '#harness/quietLog.js';
import type { BackgroundLoop } from '#kit/backgroundLoop.js';
import { type Clock, systemClock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { createWakes } from '#kit/db/wakes.js';
import { createIdSource } from '#kit/ids.js';
import { createLedger, type Ledger } from '#ledger/append/append.js';
import { recomputeRecords } from '#ledger/recompute/recompute.js';
import { createQueueDrain, createRecomputeWorker, type DrainDeps } from '#ledger/recompute/worker.js';
import { createWithIdempotency, trackClaims } from '#ledger/requests/idempotency.js';
import { noteWindow } from '#ledger/settingsInForce.js';

export const log = pino({ level: 'silent' });

export const reporter: Reporter = {
  platformId: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34',
  livemode: true,
  trustTier: 'ENTERPRISE',
};

/** A good outcome of worker-1; a test overrides the fields it is about. */
export function outcome(change: Partial<OutcomeEvent> = {}): OutcomeEvent {
  return {
    externalId: 'worker-1',
    eventType: 'CONTRACT_FULFILLED',
    stakeLevel: 'MEDIUM',
    isVerified: true,
    attester: null,
    transactionValue: null,
    dueDate: null,
    completedAt: null,
    metadata: null,
    itemKey: null,
    imported: false,
    ...change,
  };
}

/** Nobody is erased. */
export const NOBODY_ERASED = { onErased() {}, refresh: async () => {} };

export function ledgerOn(db: Database, clock: Clock = systemClock): Ledger {
  return createLedger({
    db,
    clock,
    ids: createIdSource(),
    claims: trackClaims(),
    erased: NOBODY_ERASED,
    disputeWindowMs: DISPUTE_WINDOW_MS,
    onAppended() {},
  });
}

export function workerOn(db: Database, options: Partial<DrainDeps> = {}): BackgroundLoop {
  return createRecomputeWorker({ ...drainPartsOn(db), pollMs: 100, ...options });
}

export function drainOn(db: Database, options: Partial<DrainDeps> = {}) {
  return createQueueDrain({ ...drainPartsOn(db), ...options });
}

function drainPartsOn(db: Database): DrainDeps {
  return { db, clock: systemClock, ids: createIdSource(), log, velocityMaxPerHour: 500 };
}

/** Recomputes every queued record once. Returns how many. */
export async function recomputeQueued(
  db: Database,
  clock: Clock = systemClock,
  velocityMaxPerHour = 500,
): Promise<number> {
  const queued = await db.query<{ recordId: string }>('select distinct record_id from recompute_queue');
  const recordIds = queued.map((row) => row.recordId);
  await recomputeRecords({ db, clock, ids: createIdSource(), velocityMaxPerHour }, recordIds);
  return recordIds.length;
}

/** For `fileDispute`, `resolveDispute` and `lapseDisputes`. */
export function disputeDepsOn(db: Database, clock: Clock) {
  return {
    db,
    clock,
    ids: createIdSource(),
    ledger: ledgerOn(db, clock),
    withIdempotency: createWithIdempotency(db, trackClaims()),
    wakes: createWakes(db, quietLog),
    config: { disputeWindowMs: DISPUTE_WINDOW_MS },
  };
}

/** Appends as one request without an Idempotency-Key. */
export function append(ledger: Ledger, events: OutcomeEvent[], by: Reporter = reporter) {
  return ledger.append({
    reporter: by,
    events,
    evidence: { by: 'reporter' },
    claim: null,
    remember: () => ({ status: 200, answer: null }),
  });
}

const DISPUTE_WINDOW_MS = 14 * 86_400_000;

export async function addPlatform(
  db: Database,
  platformId = reporter.platformId,
  groups: readonly Database[] = [db],
): Promise<void> {
  for (const group of groups) await noteWindow(group, 'disputes', DISPUTE_WINDOW_MS, new Date(0));
  await db.shared.execute(
    `insert into platform (platform_id, name, trust_tier, plan, created_at, updated_at)
     values ($1, 'Test', 'ENTERPRISE', 'enterprise', now(), now())`,
    [platformId],
  );
}
