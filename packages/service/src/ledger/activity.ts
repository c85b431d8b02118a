import type { ActivityAction } from '../domain/activityActions.js';
import type { Tx } from '../kit/db/database.js';

/** One line of the audit trail (RULES K12). */
export interface Activity {
  /** UUIDv7 made at `at`: the trail is read in the order of its ids. */
  id: string;
  platformId: string;
  livemode: boolean;
  action: ActivityAction;
  /** `key:<key id>`, `operator`, `service`, or `counterparty`: whoever answers with the token of a request. */
  actor: string;
  /** Id of the thing acted on, where that is not a subject. */
  target?: string;
  /** Puts the line into the audit log of this subject too. */
  subjectId?: string;
  /** Never keys, tokens or secrets. */
  details?: Readonly<Record<string, unknown>>;
  at: Date;
}

/** Writes one line of the trail, to commit together with what it tells of. */
export function recordActivity(tx: Tx, activity: Activity): Promise<void> {
  return recordActivities(tx, [activity]);
}

/** The same of many things that one request did. */
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
