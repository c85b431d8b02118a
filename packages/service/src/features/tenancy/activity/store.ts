import type { TrailAction } from '../../../domain/activityActions.js';
import type { Queryable } from '../../../kit/db/database.js';
import {
  isWithin,
  type NewestPosition,
  type NewestRow,
  newestPage,
} from '../../../ledger/reads/newestPage.js';

/** An entry of the trail, or an event of the ledger in the same shape. */
export interface TrailRow extends NewestRow {
  action: TrailAction;
  at: Date;
  actor: string;
  target: string | null;
  livemode: boolean;
  details: Record<string, unknown> | null;
  /**
   * The platform's id of the subject it is about; null for none, and after a reset of test data.
   */
  externalId: string | null;
}

export interface TrailPage {
  rows: readonly TrailRow[];
  nextCursor: string | null;
}

/** The platform and the part of its trail to read. */
export interface Trail {
  platformId: string;
  livemodes: readonly boolean[];
  /** null: every action. */
  action: TrailAction | null;
  /** A range of time, as ids: `lowest` included, `beyond` not. */
  ids: { readonly lowest: string; readonly beyond: string };
}

/**
 * Newest first. Each mode and each source is read along its own index, up to the size of the page.
 */
export function readTrail(
  db: Queryable,
  trail: Trail,
  position: NewestPosition,
  limit: number,
): Promise<TrailPage> {
  const { action, ids } = trail;
  return newestPage(limit, position, ({ beforeId, horizon }) => {
    const common = [trail.platformId, trail.livemodes, ids.lowest, ids.beyond, beforeId, horizon, limit + 1];
    if (action === null) return db.query<TrailRow>(WHOLE_TRAIL, common);
    if (action === 'EVENT_CREATED') return db.query<TrailRow>(EVENTS_OF_TRAIL, common);
    return db.query<TrailRow>(ONE_ACTION_OF_TRAIL, [...common, action]);
  });
}

/** The activity entries and the events of one subject, newest first. */
export function readAuditLog(
  db: Queryable,
  subjectId: string,
  position: NewestPosition,
  limit: number,
): Promise<TrailPage> {
  return newestPage(limit, position, ({ beforeId, horizon }) =>
    db.query<TrailRow>(AUDIT_LOG, [subjectId, beforeId, horizon, limit + 1]),
  );
}

export async function hasSubject(db: Queryable, subjectId: string): Promise<boolean> {
  return (await db.query('select 1 from subject where subject_id = $1', [subjectId])).length > 0;
}

/** Activity entries and the ledger's events, selected in the same shape. */
const RECORDED = `activity_id as id, action, at, actor, target, r.livemode, details, subject_id, xid, r.at < cluster_since as is_old
       from activity r cross join ledger_cluster`;
const EVENTS = `event_id as id, 'EVENT_CREATED' as action, created_at as at,
         case when dispute_id is null then 'platform' else 'service' end as actor, event_id::text as target,
         r.livemode, json_build_object('eventType', event_type) as details, subject_id, xid,
         r.created_at < cluster_since as is_old
       from event r cross join ledger_cluster`;

const WHOLE_TRAIL = trailOf(
  perMode(RECORDED, 'activity_id', 'at'),
  perMode(EVENTS, 'event_id', 'created_at'),
);
const EVENTS_OF_TRAIL = trailOf(perMode(EVENTS, 'event_id', 'created_at'));
const ONE_ACTION_OF_TRAIL = trailOf(perMode(RECORDED, 'activity_id', 'at', 'and r.action = $8'));

function trailOf(...sources: string[]): string {
  return newestFirst(sources, '$7');
}

/** One mode at a time: the index is ordered by id within a mode. */
function perMode(source: string, id: string, time: string, more = ''): string {
  return `select found.* from unnest($2::boolean[]) as mode (livemode) cross join lateral (
       select ${source}
       where r.platform_id = $1 and r.livemode = mode.livemode and r.${id} >= $3 and r.${id} < $4
         and ($5::uuid is null or r.${id} < $5) and ${isWithin('$6', 'r', time)} ${more}
       order by r.${id} desc limit $7
     ) found`;
}

const AUDIT_LOG = newestFirst(
  [ofSubject(RECORDED, 'activity_id', 'at'), ofSubject(EVENTS, 'event_id', 'created_at')],
  '$4',
);

function ofSubject(source: string, id: string, time: string): string {
  return `(select ${source}
     where r.subject_id = $1 and ($2::uuid is null or r.${id} < $2) and ${isWithin('$3', 'r', time)}
     order by r.${id} desc limit $4)`;
}

function newestFirst(sources: readonly string[], limit: string): string {
  return `
select t.id, t.action, t.at, t.actor, t.target, t.livemode, t.details, s.external_id, t.xid::text as xid,
  (t.xid < pg_snapshot_xmin(pg_current_snapshot()) or t.is_old) as is_settled,
  pg_snapshot_xmin(pg_current_snapshot())::text as horizon
from (
  ${sources.join('\n  union all\n  ')}
) t left join subject s using (subject_id)
order by t.id desc limit ${limit}`;
}
