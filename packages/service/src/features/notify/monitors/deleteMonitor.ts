import type { Answer } from '../../../kit/http/answer.js';
import type { WatchOwner } from '../watchOwner.js';
import type { MonitorDeps } from './deps.js';
import { lockMonitorOrFail, recordMonitorActivity } from './lockMonitor.js';
import { deleteMonitorRow } from './store.js';

/** DELETE /monitors/{id}: what it has told stays told. */
export async function deleteMonitor(deps: MonitorDeps, owner: WatchOwner, id: string): Promise<Answer> {
  await deps.db.transaction(async (tx) => {
    const monitor = await lockMonitorOrFail(tx, owner, id);
    const { belowScore, aboveScore, onBandChange } = monitor;
    await deleteMonitorRow(tx, monitor.id);
    await recordMonitorActivity(tx, deps, owner, monitor, {
      action: 'MONITOR_DELETED',
      details: { belowScore, aboveScore, onBandChange },
      at: deps.clock.now(),
    });
  });
  return { status: 204, body: null };
}
