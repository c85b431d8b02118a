import type { EventType, StakeLevel } from '@reliability/scoring';
import { isAutoImported } from '../../domain/outcomeEvent.js';
import type { Queryable } from '../../kit/db/database.js';
import { type SettledPage, settledPage } from '../../ledger/settledPage.js';
import type { EventRecord } from './eventRecord.js';

interface EventRow {
  event_id: string;
  external_id: string;
  event_type: EventType;
  stake_level: StakeLevel;
  is_verified: boolean;
  transaction_value: number | null;
  due_date: Date | null;
  completed_at: Date | null;
  metadata: Record<string, unknown> | null;
  livemode: boolean;
  created_at: Date;
  is_settled: boolean;
}

const COLUMNS = `e.event_id, s.external_id, e.event_type, e.stake_level, e.is_verified, e.transaction_value, e.due_date,
  e.completed_at, e.metadata, e.livemode, e.created_at`;

/** One event of the caller, by its id. */
export async function findEvent(
  db: Queryable,
  owner: { platformId: string; livemode: boolean },
  eventId: string,
): Promise<EventRecord | null> {
  const [row] = await db.query<EventRow>(
    `select ${COLUMNS} from event e join subject s using (subject_id)
     where e.platform_id = $1 and e.livemode = $2 and e.event_id = $3`,
    [owner.platformId, owner.livemode, eventId],
  );
  return row ? recordOf(row) : null;
}

export interface ExportRange {
  platformId: string;
  livemode: boolean;
  /** Ids after this one … */
  afterId: string;
  /** … and before this one. */
  beforeId: string;
}

/** A stretch of the caller's events, oldest first; none whose place a neighbour may still take (settledPage). */
export async function readExportPage(
  db: Queryable,
  range: ExportRange,
  limit: number,
): Promise<SettledPage<EventRecord>> {
  const read = () => readRows(db, range, limit + 1);
  const { rows, hasMore } = await settledPage(limit, (row) => row.event_id, read);
  return { rows: rows.map(recordOf), hasMore };
}

function readRows(db: Queryable, range: ExportRange, limit: number): Promise<EventRow[]> {
  return db.query<EventRow>(
    `select ${COLUMNS},
       (e.xid < pg_snapshot_xmin(pg_current_snapshot()) or e.created_at < i.cluster_since) as is_settled
     from event e join subject s using (subject_id) cross join installation i
     where e.platform_id = $1 and e.livemode = $2 and e.event_id > $3 and e.event_id < $4
     order by e.event_id
     limit $5`,
    [range.platformId, range.livemode, range.afterId, range.beforeId, limit],
  );
}

function recordOf(row: EventRow): EventRecord {
  return {
    id: row.event_id,
    userId: row.external_id,
    eventType: row.event_type,
    stakeLevel: row.stake_level,
    isVerified: row.is_verified,
    transactionValue: row.transaction_value,
    dueDate: row.due_date,
    completedAt: row.completed_at,
    metadata: row.metadata,
    autoImported: isAutoImported(row.metadata),
    livemode: row.livemode,
    createdAt: row.created_at,
  };
}
