import type { MonitorTerms } from '../../../domain/crossings.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { WatchOwner } from '../watchOwner.js';

/** A monitor as it is stored and as its owner reads it. */
export interface Monitor extends MonitorTerms {
  readonly id: string;
  readonly userId: string;
  readonly isActive: boolean;
  readonly lastTriggeredAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const SELECT_MONITOR = `select m.monitor_id as id, s.external_id as "userId", m.below_score,
    m.above_score, m.on_band_change, m.is_active,
    m.last_triggered_at, m.created_at, m.updated_at
  from monitor m join subject s using (subject_id)
  where m.platform_id = $1 and m.livemode = $2`;

export async function insertMonitor(
  tx: Tx,
  owner: WatchOwner,
  subjectId: string,
  monitor: Monitor,
): Promise<void> {
  await tx.execute(
    `insert into monitor (monitor_id, platform_id, livemode, subject_id, below_score, above_score, on_band_change,
       is_active, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      monitor.id,
      owner.platformId,
      owner.livemode,
      subjectId,
      monitor.belowScore,
      monitor.aboveScore,
      monitor.onBandChange,
      monitor.isActive,
      monitor.createdAt,
      monitor.updatedAt,
    ],
  );
}

export async function findMonitor(db: Queryable, owner: WatchOwner, id: string): Promise<Monitor | null> {
  const [row] = await db.query<Monitor>(`${SELECT_MONITOR} and m.monitor_id = $3`, [
    owner.platformId,
    owner.livemode,
    id,
  ]);
  return row ?? null;
}

/** The monitor, held until the transaction ends so that two changes of it do not overwrite each other. */
export async function lockMonitor(tx: Tx, owner: WatchOwner, id: string): Promise<Monitor | null> {
  const [row] = await tx.query<Monitor>(`${SELECT_MONITOR} and m.monitor_id = $3 for update of m`, [
    owner.platformId,
    owner.livemode,
    id,
  ]);
  return row ?? null;
}

/** Newest first, from behind `beforeId`; those of one subject where one is named. */
export function findMonitors(
  db: Queryable,
  owner: WatchOwner,
  subjectId: string | null,
  beforeId: string | null,
  limit: number,
): Promise<Monitor[]> {
  return db.query<Monitor>(
    `${SELECT_MONITOR} and ($3::uuid is null or m.subject_id = $3) and ($4::uuid is null or m.monitor_id < $4)
     order by m.monitor_id desc limit $5`,
    [owner.platformId, owner.livemode, subjectId, beforeId, limit],
  );
}

/** What its owner can change; when it last fired is the recompute's to say. */
export async function saveMonitor(tx: Tx, monitor: Monitor): Promise<void> {
  await tx.execute(
    `update monitor set below_score = $2, above_score = $3, on_band_change = $4, is_active = $5, updated_at = $6
     where monitor_id = $1`,
    [
      monitor.id,
      monitor.belowScore,
      monitor.aboveScore,
      monitor.onBandChange,
      monitor.isActive,
      monitor.updatedAt,
    ],
  );
}

export async function deleteMonitorRow(tx: Tx, id: string): Promise<void> {
  await tx.execute('delete from monitor where monitor_id = $1', [id]);
}
