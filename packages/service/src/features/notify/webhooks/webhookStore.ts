import type { disabledReasons } from '../../../domain/catalogues/enums.js';
import type { PlanKey } from '../../../domain/catalogues/plans.js';
import type { EnvelopeType } from '../../../domain/envelopes/catalogue.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import type { Owner } from '../../../kit/http/route.js';
import type { SealedSecrets } from './webhookSecrets.js';

type Place = Pick<Owner, 'platformId' | 'livemode'>;

/** An endpoint as its owner reads it. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EnvelopeType[];
  readonly description: string | null;
  readonly isActive: boolean;
  readonly disabledReason: (typeof disabledReasons)[number] | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What the service keeps besides. Secrets are sealed. */
export interface StoredWebhook extends Webhook, SealedSecrets {
  /** First failure after the last success. */
  readonly failingSince: Date | null;
}

const SHOWN = `webhook_id as id, url, events, description, is_active, disabled_reason,
  created_at, updated_at`;
const STORED = `${SHOWN}, sealed_secret, sealed_previous_secret,
  previous_ends_at, failing_since`;

/** Newest first. */
export function findWebhooks(
  db: Queryable,
  { platformId, livemode }: Place,
  beforeId: string | null,
  limit: number,
): Promise<Webhook[]> {
  return db.query<Webhook>(
    `select ${SHOWN} from webhook
     where platform_id = $1 and livemode = $2 and ($3::uuid is null or webhook_id < $3)
     order by webhook_id desc limit $4`,
    [platformId, livemode, beforeId, limit],
  );
}

export async function findWebhook(
  db: Queryable,
  { platformId, livemode }: Place,
  id: string,
): Promise<StoredWebhook | null> {
  const [row] = await db.query<StoredWebhook>(
    `select ${STORED} from webhook where webhook_id = $3 and platform_id = $1 and livemode = $2`,
    [platformId, livemode, id],
  );
  return row ?? null;
}

/** The same, held until the transaction ends: one change after the other, and none beside a verdict of the courier. */
export async function lockWebhook(
  tx: Tx,
  { platformId, livemode }: Place,
  id: string,
): Promise<StoredWebhook | null> {
  const [row] = await tx.query<StoredWebhook>(
    `select ${STORED} from webhook where webhook_id = $3 and platform_id = $1 and livemode = $2 for update`,
    [platformId, livemode, id],
  );
  return row ?? null;
}

/**
 * The plan of the platform and how many endpoints it has in this mode, with the right to add one: whoever asks next waits
 * until this transaction ends, and counts what it added.
 */
export async function countForNewWebhook(
  tx: Tx,
  { platformId, livemode }: Place,
): Promise<{ plan: PlanKey; count: number } | null> {
  await tx.execute('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `webhooks ${platformId} ${livemode}`,
  ]);
  const [row] = await tx.query<{ plan: PlanKey; count: number }>(
    `select plan, (select count(*) from webhook where platform_id = $1 and livemode = $2)::integer as count
     from platform where platform_id = $1`,
    [platformId, livemode],
  );
  return row ?? null;
}

export async function insertWebhook(
  tx: Tx,
  { platformId, livemode }: Place,
  webhook: Webhook,
  sealedSecret: Buffer,
): Promise<void> {
  await tx.execute(
    `insert into webhook (webhook_id, platform_id, livemode, url, events, description, sealed_secret, is_active,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      webhook.id,
      platformId,
      livemode,
      webhook.url,
      webhook.events,
      webhook.description,
      sealedSecret,
      webhook.isActive,
      webhook.createdAt,
    ],
  );
}

/** Everything of an endpoint that can change. */
export async function saveWebhook(tx: Tx, webhook: StoredWebhook): Promise<void> {
  await tx.execute(
    `update webhook set url = $2, events = $3, description = $4, is_active = $5, disabled_reason = $6,
       sealed_secret = $7, sealed_previous_secret = $8, previous_ends_at = $9, failing_since = $10,
       failed_attempts = case when $10::timestamptz is null then 0 else failed_attempts end, updated_at = $11
     where webhook_id = $1`,
    [
      webhook.id,
      webhook.url,
      webhook.events,
      webhook.description,
      webhook.isActive,
      webhook.disabledReason,
      webhook.sealedSecret,
      webhook.sealedPreviousSecret,
      webhook.previousEndsAt,
      webhook.failingSince,
      webhook.updatedAt,
    ],
  );
}

/** The endpoint and what was in line for it. The log of its deliveries is out of reach from then on, and ages away. */
export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.execute('delete from webhook where webhook_id = $1', [id]);
  await tx.execute('delete from outbox_queue where target_id = $1', [id]);
}
