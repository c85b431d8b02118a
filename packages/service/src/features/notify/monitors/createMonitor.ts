import type { z } from 'zod';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { IdempotencyClaim } from '../../../kit/http/route.js';
import { holdSubject } from '../watchedSubject.js';
import type { WatchOwner } from '../watchOwner.js';
import { assertRoomForMonitor, recordMonitorActivity } from './heldMonitor.js';
import type { MonitorParts } from './parts.js';
import type { MonitorBody } from './schemas.js';
import { insertMonitor, type Monitor } from './store.js';

/** POST /monitors: it sees the moves of the score from the next one on; how the score stands now crosses nothing. */
export function createMonitor(
  parts: MonitorParts,
  owner: WatchOwner,
  { body, claim }: { body: z.output<typeof MonitorBody>; claim: IdempotencyClaim | null },
): Promise<Answer> {
  const now = parts.clock.now();
  return parts.once.run(claim, { now }, async (tx) => {
    const subjectId = await holdSubject(tx, owner, body.userId);
    const { userId, belowScore = null, aboveScore = null, isActive = true } = body;
    const terms = { belowScore, aboveScore, onBandChange: body.onBandChange ?? false, isActive };
    if (isActive) await assertRoomForMonitor(tx, owner);
    const monitor: Monitor = {
      id: parts.ids.at(now),
      userId,
      ...terms,
      lastTriggeredAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await insertMonitor(tx, owner, subjectId, monitor);
    await recordMonitorActivity(tx, parts, owner, monitor, {
      action: 'MONITOR_CREATED',
      details: terms,
      at: now,
    });
    return created(monitor);
  });
}
