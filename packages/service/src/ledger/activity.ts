import type { Tx } from '../kit/db/database.js';

/** One line of the audit trail (INTERFACE 4.3). */
export interface Activity {
  /** UUIDv7 made at `at`: the trail is read in the order of its ids. */
  id: string;
  platformId: string;
  livemode: boolean;
  action: ActivityAction;
  /** `key:<key id>`, `operator` or `service`. */
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
export async function recordActivity(tx: Tx, activity: Activity): Promise<void> {
  await tx.execute(
    `insert into activity (platform_id, activity_id, livemode, action, actor, target, subject_id, details, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      activity.platformId,
      activity.id,
      activity.livemode,
      activity.action,
      activity.actor,
      activity.target ?? null,
      activity.subjectId ?? null,
      activity.details === undefined ? null : JSON.stringify(activity.details),
      activity.at,
    ],
  );
}
