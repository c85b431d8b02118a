import { isDeepStrictEqual } from 'node:util';
import type { TrailAction } from '#domain/activityActions.js';
import type { Tx } from '#kit/db/database.js';
import { insertInto, rowsOf, sql } from '#kit/db/rows.js';
import type { Owner } from '#kit/http/route.js';
import type { IdSource } from '#kit/ids.js';

/** One entry of the audit trail (RULES K12). */
export interface Activity {
  /** UUIDv7 of the time `at`: the trail is ordered by id. */
  id: string;
  platformId: string;
  livemode: boolean;
  action: TrailAction;
  /** `key:<key id>`, `user:<email>`, `operator`, `service`, `counterparty` (the holder of a request's token) or `subject` (of a link to its record). */
  actor: string;
  /** Id of the object acted on, if it is not a subject. */
  target?: string;
  /** The entry is also part of this subject's audit log. */
  subjectId?: string;
  /** Never keys, tokens or secrets. */
  details?: Readonly<Record<string, unknown>>;
  at: Date;
}

export function differences<Row extends object>(before: Row, after: Row, fields: readonly (keyof Row)[]) {
  const changed = fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}

/** The activity of an owner on its own things: id, platform, mode and actor follow from the owner. */
export function recordOwnerActivity(
  tx: Tx,
  ids: IdSource,
  { platformId, livemode, actor }: Pick<Owner, 'platformId' | 'livemode' | 'actor'>,
  activity: Omit<Activity, 'id' | 'platformId' | 'livemode' | 'actor'>,
): Promise<void> {
  return recordActivity(tx, { ...activity, id: ids.at(activity.at), platformId, livemode, actor });
}

/** Commits together with the change it describes. */
export function recordActivity(tx: Tx, activity: Activity): Promise<void> {
  return recordActivities(tx, [activity]);
}

const activityColumns = rowsOf<Activity>(
  {
    uuid: ['platformId', 'subjectId'],
    boolean: ['livemode'],
    text: ['action', 'actor', 'target'],
    json: ['details'],
    timestamptz: ['at'],
  },
  { activityId: ['uuid', ({ id }) => id] },
);

export async function recordActivities(tx: Tx, activities: readonly Activity[]): Promise<void> {
  await insertInto('activity', activityColumns, activities).execute(tx);
}

const objectColumns = rowsOf<{ subjectId: string; target: string }>({
  uuid: ['subjectId'],
  text: ['target'],
});

export async function dropDetail(
  tx: Tx,
  name: string,
  objects: readonly { subjectId: string; target: string }[],
): Promise<void> {
  await sql`update activity a set details = (a.details::jsonb - ${name}::text)::json
    from ${objectColumns.as('object', objects)}
    where a.subject_id = object.subject_id and a.target = object.target and a.details -> ${name}::text is not null`.execute(
    tx,
  );
}
