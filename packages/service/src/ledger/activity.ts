import type { ActivityAction } from '../domain/activityActions.js';
import type { Tx } from '../kit/db/database.js';
import type { Owner } from '../kit/http/route.js';
import type { IdSource } from '../kit/ids.js';

/** One entry of the audit trail (RULES K12). */
export interface Activity {
  /** UUIDv7 of the time `at`: the trail is ordered by id. */
  id: string;
  platformId: string;
  livemode: boolean;
  action: ActivityAction;
  /** `key:<key id>`, `operator`, `service`, or `counterparty` (the holder of a request's token). */
  actor: string;
  /** Id of the object acted on, if it is not a subject. */
  target?: string;
  /** The entry is also part of this subject's audit log. */
  subjectId?: string;
  /** Never keys, tokens or secrets. */
  details?: Readonly<Record<string, unknown>>;
  at: Date;
}

/**
 * The activity of an owner on its own things: id, platform, mode and actor follow from the owner.
 */
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

export async function recordActivities(tx: Tx, activities: readonly Activity[]): Promise<void> {
  await tx.execute(
    `insert into activity (platform_id, activity_id, livemode, action, actor, target, subject_id, details, at)
     select * from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::text[], $5::text[], $6::text[], $7::uuid[], $8::json[],
       $9::timestamptz[])`,
    [
      activities.map((activity) => activity.platformId),
      activities.map((activity) => activity.id),
      activities.map((activity) => activity.livemode),
      activities.map((activity) => activity.action),
      activities.map((activity) => activity.actor),
      activities.map((activity) => activity.target ?? null),
      activities.map((activity) => activity.subjectId ?? null),
      activities.map(({ details }) => (details === undefined ? null : JSON.stringify(details))),
      activities.map((activity) => activity.at),
    ],
  );
}

/** Takes one detail out of the entries about these objects of subjects. */
export async function dropDetail(
  tx: Tx,
  name: string,
  objects: readonly { subjectId: string; target: string }[],
): Promise<void> {
  await tx.execute(
    `update activity a set details = (a.details::jsonb - $1::text)::json
     from unnest($2::uuid[], $3::text[]) as object (subject_id, target)
     where a.subject_id = object.subject_id and a.target = object.target and a.details -> $1::text is not null`,
    [name, objects.map(({ subjectId }) => subjectId), objects.map(({ target }) => target)],
  );
}
