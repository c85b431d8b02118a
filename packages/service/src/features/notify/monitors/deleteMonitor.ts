import type { Answer } from '../../../kit/http/answer.js';
import type { WatchOwner } from '../watchOwner.js';
import { holdMonitor, recordMonitorActivity } from './heldMonitor.js';
import type { MonitorParts } from './parts.js';
import { deleteMonitorRow } from './store.js';

/** DELETE /monitors/{id}: what it has told stays told. */
export async function deleteMonitor(parts: MonitorParts, owner: WatchOwner, id: string): Promise<Answer> {
  await parts.db.transaction(async (tx) => {
    const monitor = await holdMonitor(tx, owner, id);
    const { belowScore, aboveScore, onBandChange } = monitor;
    await deleteMonitorRow(tx, monitor.id);
    await recordMonitorActivity(tx, parts, owner, monitor, {
      action: 'MONITOR_DELETED',
      details: { belowScore, aboveScore, onBandChange },
      at: parts.clock.now(),
    });
  });
  return { status: 204, body: null };
}
