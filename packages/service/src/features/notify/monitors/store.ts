import { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow, pick, updateRow } from '../../../kit/db/rows.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { Owner } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { subjectIdOf } from '../../../ledger/subjectId.js';
import type { Monitor, MonitorQuery } from './schemas.js';

const SELECT_MONITOR = `select m.monitor_id as id, s.external_id as user_id, m.below_score, m.above_score, m.on_band_change,
    m.is_active, m.last_triggered_at, m.created_at, m.updated_at
  from monitor m join subject s using (subject_id)
  where m.platform_id = $1 and m.livemode = $2`;

/** Throws NOT_FOUND. */
export function readMonitor(db: Queryable, owner: Owner, id: string): Promise<Monitor> {
  return findOne(db, `${SELECT_MONITOR} and m.monitor_id = $3`, owner, id);
}

/**
 * Locks it until the transaction ends, so that simultaneous changes do not overwrite each other.
 * Throws NOT_FOUND.
 */
export function lockMonitor(tx: Tx, owner: Owner, id: string): Promise<Monitor> {
  return findOne(tx, `${SELECT_MONITOR} and m.monitor_id = $3 for update of m`, owner, id);
}

async function findOne(db: Queryable, text: string, owner: Owner, id: string): Promise<Monitor> {
  const [monitor] = isUuid(id) ? await db.query<Monitor>(text, [owner.platformId, owner.livemode, id]) : [];
  return monitor ?? fail('NOT_FOUND', { message: 'There is no monitor with this id.' });
}

/** A page, newest first. */
export async function listMonitors(db: Queryable, owner: Owner, query: z.output<typeof MonitorQuery>) {
  const { platformId, livemode } = owner;
  const [beforeId] = positionOf(query.cursor, MonitorCursor) ?? [null];
  const subjectId = query.userId === undefined ? null : subjectIdOf(platformId, livemode, query.userId);
  const rows = await db.query<Monitor>(
    `${SELECT_MONITOR} and ($3::uuid is null or m.subject_id = $3) and ($4::uuid is null or m.monitor_id < $4)
     order by m.monitor_id desc limit $5`,
    [platformId, livemode, subjectId, beforeId, query.limit + 1],
  );
  const page = pageOf(rows, query.limit, (monitor) => [monitor.id]);
  return { monitors: page.rows, nextCursor: page.nextCursor };
}

const MonitorCursor = z.tuple([z.uuid()]);

export async function insertMonitor(
  tx: Tx,
  owner: Owner,
  subjectId: string,
  monitor: Monitor,
): Promise<void> {
  await insertRow(tx, 'monitor', {
    ...pick(monitor, 'belowScore', 'aboveScore', 'onBandChange', 'isActive', 'createdAt', 'updatedAt'),
    monitorId: monitor.id,
    platformId: owner.platformId,
    livemode: owner.livemode,
    subjectId,
  });
}

/** Saves what its owner can change. Only the recompute writes `last_triggered_at`. */
export async function saveMonitor(tx: Tx, monitor: Monitor): Promise<void> {
  const changes = pick(monitor, 'belowScore', 'aboveScore', 'onBandChange', 'isActive', 'updatedAt');
  await updateRow(tx, 'monitor', { monitorId: monitor.id }, changes);
}

export async function deleteMonitorRow(tx: Tx, id: string): Promise<void> {
  await tx.execute('delete from monitor where monitor_id = $1', [id]);
}
