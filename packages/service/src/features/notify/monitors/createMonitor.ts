import type { z } from 'zod';
import { type Answer, created } from '../../../kit/http/answer.js';
import type { IdempotencyClaim } from '../../../kit/http/route.js';
import { lockSubject } from '../watchedSubject.js';
import type { WatchOwner } from '../watchOwner.js';
import type { MonitorDeps } from './deps.js';
import { assertMonitorLimit, recordMonitorActivity } from './lockMonitor.js';
import type { MonitorBody } from './schemas.js';
import { insertMonitor, type Monitor } from './store.js';

/** POST /monitors: it sees the moves of the score from the next one on; how the score stands now crosses nothing. */
export function createMonitor(
  deps: MonitorDeps,
  owner: WatchOwner,
  { body, claim }: { body: z.output<typeof MonitorBody>; claim: IdempotencyClaim | null },
): Promise<Answer> {
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
