import { planOf } from '../../../domain/catalogues/plans.js';
import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import { isUuid } from '../../../kit/ids.js';
import { type Activity, recordActivity } from '../../../ledger/activity.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import { countActiveAlone } from '../activeCap.js';
import type { WatchOwner } from '../watchOwner.js';
import type { MonitorDeps } from './deps.js';
import { lockMonitor, type Monitor } from './store.js';

/** The monitor that a path names, held until the transaction ends. Throws NOT_FOUND. */
export async function lockMonitorOrFail(tx: Tx, owner: WatchOwner, id: string): Promise<Monitor> {
  const monitor = isUuid(id) ? await lockMonitor(tx, owner, id) : null;
  return monitor ?? failUnknownMonitor();
}

export function failUnknownMonitor(): never {
  return fail('NOT_FOUND', { message: 'There is no monitor with this id.' });
}

/** Throws MONITOR_LIMIT_REACHED where one more active monitor would pass the plan's cap. */
export async function assertMonitorLimit(tx: Tx, owner: WatchOwner): Promise<void> {
  const limit = planOf(owner.plan).limits.monitors;
  if ((await countActiveAlone(tx, 'monitor', owner)) < limit) return;
  fail('MONITOR_LIMIT_REACHED', { details: { limit, tier: owner.plan } });
}

/** A line of the audit trail about a monitor, and so about its subject. */
export function recordMonitorActivity(
  tx: Tx,
  { ids }: MonitorDeps,
  owner: WatchOwner,
  monitor: Monitor,
  { action, details, at }: Pick<Activity, 'action' | 'details' | 'at'>,
): Promise<void> {
  return recordActivity(tx, {
    id: ids.at(at),
    platformId: owner.platformId,
    livemode: owner.livemode,
    action,
    actor: owner.actor,
    target: monitor.id,
    subjectId: subjectIdOf(owner.platformId, owner.livemode, monitor.userId),
    details,
    at,
  });
}
