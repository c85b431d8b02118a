import type { Tx } from '../kit/db/database.js';

/** One line of the audit trail (INTERFACE 4.3). */
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

/**
 * What the trail knows (INTERFACE 4.3, DECISIONS 4). EVENT_CREATED is not among these: it is read from the ledger, not stored
 * a second time.
 */
export const activityActions = [
  'VELOCITY_FLAG_SET',
  'VELOCITY_FLAG_CLEARED',
  'PLATFORM_CREATED',
  'PLATFORM_UPDATED',
  'API_KEY_GENERATED',
  'API_KEY_ROTATED',
  'API_KEY_REVOKED',
  'API_KEY_SCOPES_UPDATED',
  'SHARE_TOKEN_MINTED',
  'SHARE_TOKEN_REVOKED',
  'CREDENTIAL_OFFER_CREATED',
  'WEBHOOK_CREATED',
  'WEBHOOK_UPDATED',
  'WEBHOOK_DELETED',
  'WEBHOOK_DISABLED',
  'MONITOR_CREATED',
  'MONITOR_UPDATED',
  'MONITOR_DELETED',
  'POLICY_CREATED',
  'POLICY_UPDATED',
  'POLICY_DELETED',
  'NOTIFICATION_CHANNEL_CREATED',
  'NOTIFICATION_CHANNEL_DELETED',
  'CONFIRMATION_REQUEST_CREATED',
  'CONFIRMATION_REQUEST_CONFIRMED',
  'CONFIRMATION_REQUEST_DECLINED',
  'CONFIRMATION_REQUEST_CANCELLED',
  'SUBJECT_LINKED',
  'SUBJECT_UNLINKED',
  'TEST_DATA_RESET',
  'TEST_DATA_SEEDED',
] as const;
export type ActivityAction = (typeof activityActions)[number];

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
