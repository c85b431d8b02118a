import type { z } from 'zod';
import { failValidation } from '../../../domain/errors.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { WatchOwner } from '../watchOwner.js';
import type { MonitorDeps } from './deps.js';
import { assertMonitorLimit, lockMonitorOrFail, recordMonitorActivity } from './lockMonitor.js';
import { hasCondition, type MonitorChanges, NO_CONDITION } from './schemas.js';
import { type Monitor, saveMonitor } from './store.js';

type Changes = z.output<typeof MonitorChanges>;

/** PATCH /monitors/{id}. A body that changes nothing writes nothing. */
export async function updateMonitor(
  deps: MonitorDeps,
  owner: WatchOwner,
  id: string,
  body: Changes,
): Promise<Answer> {
  const monitor = await deps.db.transaction(async (tx) => {
    const before = await lockMonitorOrFail(tx, owner, id);
    const now = deps.clock.now();
    const after: Monitor = { ...before, ...given(body), updatedAt: now };
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
  return ok(monitor);
}

const CHANGEABLE = ['belowScore', 'aboveScore', 'onBandChange', 'isActive'] as const;

/** Without the fields that were left out, which would overwrite what stands. */
function given({ onBandChange, ...body }: Changes): Partial<Monitor> {
  const asStored = onBandChange === undefined ? body : { ...body, onBandChange: onBandChange ?? false };
  return Object.fromEntries(Object.entries(asStored).filter(([, value]) => value !== undefined));
}
