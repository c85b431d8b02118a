import type { z } from 'zod';
import { timeRangeOf } from '../../../domain/timestamp.js';
import { CSV_TYPE, type CsvColumn, csvHeaders, csvStream, onePage } from '../../../kit/csv.js';
import { type Answer, media, ok } from '../../../kit/http/answer.js';
import type { KeyAccess, OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import { idsBetween } from '../../../kit/ids.js';
import { newestPositionOf } from '../../../ledger/reads/newestPage.js';
import { knownPlatformId, type platformPath } from '../../../ledger/requests/knownPlatform.js';
import type { ActivityDeps } from './deps.js';
import { type ActivityEntry, entryOf } from './entry.js';
import type { ActivityQuery, PlatformActivityQuery } from './schemas.js';
import { readTrail } from './store.js';

type Query = z.output<typeof ActivityQuery>;

/** GET /activity: what was done on the platform in the key's mode. What concerns the whole platform is in the live trail. */
export function listActivity(
  deps: ActivityDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, Query, undefined>,
): Promise<Answer> {
  return pageOfTrail(deps, caller.platformId, [caller.livemode], query);
}

/** GET /admin/platforms/{id}/activity: the same for the operator, both modes unless one is named. */
export async function listPlatformActivity(
  deps: ActivityDeps,
  {
    params,
    query,
  }: RequestContext<
    OperatorAccess,
    undefined,
    z.output<typeof PlatformActivityQuery>,
    z.output<typeof platformPath>
  >,
): Promise<Answer> {
  const platformId = await knownPlatformId(deps.db, params);
  return pageOfTrail(
    deps,
    platformId,
    query.livemode === undefined ? [true, false] : [query.livemode],
    query,
  );
}

async function pageOfTrail(
  { db }: ActivityDeps,
  platformId: string,
  livemodes: readonly boolean[],
  { action, from, to, cursor, limit, format }: Query,
): Promise<Answer> {
  const { start, end } = timeRangeOf({ from, to }, 'ACTIVITY_RANGE_INVALID');
  const trail = { platformId, livemodes, action: action ?? null, ids: idsBetween(start, end) };
  const { rows, nextCursor } = await readTrail(db, trail, newestPositionOf(cursor), limit);
  const activity = rows.map(entryOf);
  return format === 'csv' ? csvPage(activity, nextCursor) : ok({ activity, nextCursor });
}

function csvPage(activity: readonly ActivityEntry[], nextCursor: string | null): Answer {
  const stream = csvStream(COLUMNS, onePage(activity), { maxRows: activity.length });
  const headers = csvHeaders('activity.csv');
  return media(CSV_TYPE, stream, nextCursor === null ? headers : { ...headers, 'X-Next-Cursor': nextCursor });
}

const COLUMNS: readonly CsvColumn<ActivityEntry>[] = [
  { name: 'id', value: (entry) => entry.id },
  { name: 'action', value: (entry) => entry.action },
  { name: 'at', value: (entry) => entry.at },
  { name: 'actor', value: (entry) => entry.actor },
  { name: 'target', value: (entry) => entry.target },
  { name: 'livemode', value: (entry) => entry.livemode },
  { name: 'details', value: (entry) => (entry.details === null ? null : JSON.stringify(entry.details)) },
];
