import { z } from 'zod';
import { type TrailAction, trailActions } from '#domain/activityActions.js';
import { dateRange } from '#domain/dateOrTimestamp.js';
import { fail } from '#domain/errors.js';
import { platformOfSubject, userPath } from '#domain/externalId.js';
import { timeRangeOf } from '#domain/timestamp.js';
import { CSV_TYPE, type CsvColumn, columnsOf, csvHeaders, csvStream, onePage } from '#kit/csv.js';
import type { Database, Queryable } from '#kit/db/database.js';
import { media, ok } from '#kit/http/answer.js';
import { cursorParam, flag, instant, pageLimit, pageSchema } from '#kit/http/query.js';
import { keyFor, operator, type RouteTable, route } from '#kit/http/route.js';
import { idsBetween } from '#kit/ids.js';
import {
  isWithin,
  type NewestPosition,
  type NewestRow,
  newestPage,
  newestPositionOf,
} from '#ledger/reads/newestPage.js';
import { addressedSubjectId, knownPlatformId, platformPath } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';

const Entry = z
  .object({
    id: z.uuid(),
    action: z.enum(trailActions),
    at: instant,
    actor: z.string(),
    target: z.string().nullable(),
    livemode: z.boolean(),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'ActivityEntry' });

type ActivityEntry = z.output<typeof Entry>;

type ActivityPage = z.output<typeof ActivityPage>;
const ActivityPage = pageSchema('activity', Entry).meta({ id: 'ActivityPage' });

const page = { limit: pageLimit(100, 25), cursor: cursorParam };

const ActivityQuery = z.object({
  ...page,
  action: z.enum(trailActions).optional(),
  ...dateRange,
  format: z.enum(['json', 'csv']).default('json'),
});

const livemode = flag.optional();

const PlatformActivityQuery = ActivityQuery.extend({
  livemode,
});

const AuditLogQuery = z.object({
  ...page,
  platformId: platformOfSubject,
  livemode,
});

/** Who did what (RULES K12). */
export function activityRoutes({ db }: Pick<ServiceDeps, 'db'>): RouteTable {
  return {
    'GET /activity': route({
      operationId: 'listActivity',
      ...listing,
      access: keyFor('usage'),
      tag: 'Usage',
      query: ActivityQuery,
      handle: ({ caller, query }) => listActivity(db, caller.platformId, [caller.livemode], query),
    }),
    'GET /admin/platforms/{id}/activity': route({
      operationId: 'adminListActivity',
      ...listing,
      access: operator,
      tag: 'Operator',
      params: platformPath,
      query: PlatformActivityQuery,
      errors: [...listing.errors, 'NOT_FOUND'],
      handle: async ({ params, query }) => {
        const livemodes = query.livemode === undefined ? [true, false] : [query.livemode];
        return listActivity(db, await knownPlatformId(db, params), livemodes, query);
      },
    }),
    'GET /admin/users/{id}/audit-log': route({
      operationId: 'adminReadAuditLog',
      access: operator,
      tag: 'Operator',
      params: userPath,
      query: AuditLogQuery,
      groupOf: ({ params, query }, directory) =>
        directory.ofSubject(
          addressedSubjectId({ ...query, id: params.id, livemode: query.livemode ?? true }),
        ),
      answers: { 200: ActivityPage },
      errors: ['USER_NOT_FOUND'],
      handle: async ({ params, query }) => ok(await readSubjectLog(db, params.id, query)),
    }),
  };
}

/** Errors in these query parameters have their own codes. */
const listing = {
  queryError: (path: string) => {
    if (path === 'action') return 'ACTIVITY_ACTION_INVALID';
    if (path === 'format') return 'ACTIVITY_FORMAT_INVALID';
    return path === 'from' || path === 'to' ? 'ACTIVITY_RANGE_INVALID' : 'VALIDATION_ERROR';
  },
  answers: { 200: { json: ActivityPage, media: [{ type: CSV_TYPE }] } },
  errors: ['ACTIVITY_ACTION_INVALID', 'ACTIVITY_FORMAT_INVALID', 'ACTIVITY_RANGE_INVALID'] as const,
};

/** A page of a platform's audit trail in these modes, newest first, as JSON or CSV. */
export async function listActivity(
  db: Database,
  platformId: string,
  livemodes: readonly boolean[],
  { action, from, to, cursor, limit, format }: z.output<typeof ActivityQuery>,
) {
  const { start, end } = timeRangeOf({ from, to }, 'ACTIVITY_RANGE_INVALID');
  const trail = { platformId, livemodes, action: action ?? null, ids: idsBetween(start, end) };
  const { rows, nextCursor } = await readTrail(db, trail, newestPositionOf(cursor), limit);
  const activity = rows.map(entryOf);
  return format === 'csv' ? csvPage(activity, nextCursor) : ok({ activity, nextCursor });
}

/** A page of everything that happened to one subject, newest first. Throws USER_NOT_FOUND. */
async function readSubjectLog(
  db: Database,
  userId: string,
  { platformId, livemode = true, cursor, limit }: z.output<typeof AuditLogQuery>,
): Promise<ActivityPage> {
  const subjectId = addressedSubjectId({ id: userId, platformId, livemode });
  if (!(await hasSubject(db, subjectId))) {
    fail('USER_NOT_FOUND', { message: 'There is no subject with this id.' });
  }
  const { rows, nextCursor } = await readAuditLog(db, subjectId, newestPositionOf(cursor), limit);
  return { activity: rows.map(entryOf), nextCursor };
}

/** An entry about a subject names it by the platform's own id. */
function entryOf({ externalId, id, action, at, actor, target, livemode, details }: TrailRow): ActivityEntry {
  const subject = externalId === null ? details : { userId: externalId, ...details };
  return { id, action, at, actor, target, livemode, details: subject };
}

function csvPage(activity: readonly ActivityEntry[], nextCursor: string | null) {
  const stream = csvStream(COLUMNS, onePage(activity), { maxRows: activity.length });
  const headers = csvHeaders('activity.csv');
  return media(CSV_TYPE, stream, nextCursor === null ? headers : { ...headers, 'X-Next-Cursor': nextCursor });
}

const COLUMNS: readonly CsvColumn<ActivityEntry>[] = [
  ...columnsOf('id', 'action', 'at', 'actor', 'target', 'livemode'),
  { name: 'details', value: ({ details }) => details && JSON.stringify(details) },
];

/** An entry of the trail, or an event of the ledger in the same shape. */
interface TrailRow {
  id: string;
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

interface TrailPage {
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
function readTrail(db: Queryable, trail: Trail, position: NewestPosition, limit: number): Promise<TrailPage> {
  const { action, ids } = trail;
  return newestPage(limit, position, ({ beforeId, horizon }) => {
    const common = [trail.platformId, trail.livemodes, ids.lowest, ids.beyond, beforeId, horizon, limit + 1];
    if (action === null) return db.query<TrailRow & NewestRow>(WHOLE_TRAIL, common);
    if (action === 'EVENT_CREATED') return db.query<TrailRow & NewestRow>(EVENTS_OF_TRAIL, common);
    return db.query<TrailRow & NewestRow>(ONE_ACTION_OF_TRAIL, [...common, action]);
  });
}

/** The activity entries and the events of one subject, newest first. */
function readAuditLog(
  db: Queryable,
  subjectId: string,
  position: NewestPosition,
  limit: number,
): Promise<TrailPage> {
  return newestPage(limit, position, ({ beforeId, horizon }) =>
    db.query<TrailRow & NewestRow>(AUDIT_LOG, [subjectId, beforeId, horizon, limit + 1]),
  );
}

export async function hasSubject(db: Queryable, subjectId: string): Promise<boolean> {
  return (await db.query('select 1 from subject where subject_id = $1', [subjectId])).length > 0;
}

/** Activity entries and the ledger's events, selected in the same shape. */
const RECORDED = `activity_id as id, action, at, actor, target, r.livemode, details, subject_id, xid, r.at < cluster_since as is_old
       from activity r cross join ledger_cluster`;
const EVENTS = `event_id as id, 'EVENT_CREATED' as action, created_at as at,
         case when dispute_id is null then coalesce(named.actor, 'platform') else 'service' end as actor,
         event_id::text as target, r.livemode, json_build_object('eventType', event_type) as details, r.subject_id,
         r.xid, r.created_at < cluster_since as is_old
       from event r left join activity named on named.platform_id = r.platform_id and named.activity_id = r.event_id
         cross join ledger_cluster`;
/** The names of who reported events stand beside them (intake/namePerson.ts). */
const NO_EVENTS = "and r.action <> 'EVENT_CREATED'";

const WHOLE_TRAIL = trailOf(
  perMode(RECORDED, 'activity_id', 'at', NO_EVENTS),
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
