import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { timeRangeOf } from '../../../domain/timestamp.js';
import { CSV_TYPE, type CsvColumn, csvHeaders, csvStream, onePage } from '../../../kit/csv.js';
import type { Database } from '../../../kit/db/database.js';
import { media, ok } from '../../../kit/http/answer.js';
import { idsBetween } from '../../../kit/ids.js';
import { newestPositionOf } from '../../../ledger/reads/newestPage.js';
import { addressedSubjectId } from '../../../ledger/requests/addressedSubject.js';
import type { ActivityEntry, ActivityPage, ActivityQuery, AuditLogQuery } from './schemas.js';
import { hasSubject, readAuditLog, readTrail, type TrailRow } from './store.js';

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
export async function readSubjectLog(
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
  { name: 'id', value: (entry) => entry.id },
  { name: 'action', value: (entry) => entry.action },
  { name: 'at', value: (entry) => entry.at },
  { name: 'actor', value: (entry) => entry.actor },
  { name: 'target', value: (entry) => entry.target },
  { name: 'livemode', value: (entry) => entry.livemode },
  { name: 'details', value: (entry) => (entry.details === null ? null : JSON.stringify(entry.details)) },
];
