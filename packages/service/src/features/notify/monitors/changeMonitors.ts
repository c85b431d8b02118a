import type { z } from 'zod';
import { planOf } from '../../../domain/catalogues/plans.js';
import { fail, failValidation } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import type { IdempotencyClaim, Owner } from '../../../kit/http/route.js';
import { type Activity, recordOwnerActivity } from '../../../ledger/activity.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { lockCount, lockSubject } from '../store.js';
import {
  hasCondition,
  type Monitor,
  type MonitorBody,
  type MonitorChanges,
  NO_CONDITION,
} from './schemas.js';
import { deleteMonitorRow, insertMonitor, lockMonitor, saveMonitor } from './store.js';

export type MonitorDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'withIdempotency'>;
type Changes = z.output<typeof MonitorChanges>;

/** POST /monitors. Only later score changes can trigger it, not the current score. */
export function createMonitor(
  deps: MonitorDeps,
  owner: Owner,
  body: z.output<typeof MonitorBody>,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<201, Monitor>> {
  const now = deps.clock.now();
  return deps.withIdempotency(claim, { now }, async (tx) => {
    const subjectId = await lockSubject(tx, owner, body.userId);
    const { userId, belowScore = null, aboveScore = null, isActive = true } = body;
    const terms = { belowScore, aboveScore, onBandChange: body.onBandChange ?? false, isActive };
    if (isActive) await assertMonitorLimit(tx, owner);
    const monitor: Monitor = {
      id: deps.ids.at(now),
      userId,
      ...terms,
      lastTriggeredAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertMonitor(tx, owner, subjectId, monitor);
    await recordMonitorActivity(tx, deps, owner, monitor, {
      action: 'MONITOR_CREATED',
      details: terms,
      at: now,
    });
    return created(monitor);
  });
}

/** PATCH /monitors/{id}. A body that changes nothing writes nothing. */
export function updateMonitor(
  deps: MonitorDeps,
  owner: Owner,
  id: string,
  changes: Changes,
): Promise<Monitor> {
  return deps.db.transaction(async (tx) => {
    const before = await lockMonitor(tx, owner, id);
    const now = deps.clock.now();
    const after: Monitor = { ...before, ...given(changes), updatedAt: now };
    if (!hasCondition(after)) failValidation([{ path: '', code: 'custom', message: NO_CONDITION }]);
    const changed = CHANGEABLE.filter((field) => before[field] !== after[field]);
    if (changed.length === 0) return before;
    if (after.isActive && !before.isActive) await assertMonitorLimit(tx, owner);
    await saveMonitor(tx, after);
    const details = Object.fromEntries(
      changed.map((field) => [field, { from: before[field], to: after[field] }]),
    );
    await recordMonitorActivity(tx, deps, owner, after, { action: 'MONITOR_UPDATED', details, at: now });
    return after;
  });
}

const CHANGEABLE = ['belowScore', 'aboveScore', 'onBandChange', 'isActive'] as const;

/** Removes the fields that were left out, so that they do not overwrite stored values. */
function given({ onBandChange, ...body }: Changes): Partial<Monitor> {
  const asStored = onBandChange === undefined ? body : { ...body, onBandChange: onBandChange ?? false };
  return Object.fromEntries(Object.entries(asStored).filter(([, value]) => value !== undefined));
}

/** DELETE /monitors/{id}. The envelopes that it caused stay. */
export function deleteMonitor(deps: MonitorDeps, owner: Owner, id: string): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const monitor = await lockMonitor(tx, owner, id);
    const { belowScore, aboveScore, onBandChange } = monitor;
    await deleteMonitorRow(tx, monitor.id);
    await recordMonitorActivity(tx, deps, owner, monitor, {
      action: 'MONITOR_DELETED',
      details: { belowScore, aboveScore, onBandChange },
      at: deps.clock.now(),
    });
  });
}

/** Throws MONITOR_LIMIT_REACHED if one more active monitor exceeds the plan's cap. */
async function assertMonitorLimit(tx: Tx, owner: Owner): Promise<void> {
  const limit = planOf(owner.plan).limits.monitors;
  if ((await lockCount(tx, 'monitors', owner)) < limit) return;
  fail('MONITOR_LIMIT_REACHED', { details: { limit, tier: owner.plan } });
}

/** Activity about a monitor is also activity about its subject. */
function recordMonitorActivity(
  tx: Tx,
  { ids }: MonitorDeps,
  owner: Owner,
  { id, userId }: Monitor,
  activity: Pick<Activity, 'action' | 'details' | 'at'>,
): Promise<void> {
  const subjectId = subjectIdOf(owner.platformId, owner.livemode, userId);
  return recordOwnerActivity(tx, ids, owner, { ...activity, subjectId, target: id });
}
