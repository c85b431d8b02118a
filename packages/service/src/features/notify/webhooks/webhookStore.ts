import { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { Owner } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import type { Webhook, WebhookPage, WebhookQuery } from './webhookSchemas.js';
import type { SealedSecrets } from './webhookSecrets.js';

/** An endpoint with what answers leave out. */
export interface StoredWebhook extends Webhook, SealedSecrets {
  /** First failure after the last success. */
  readonly failingSince: Date | null;
}

const COLUMNS = `webhook_id as id, url, events, description, is_active, disabled_reason, created_at, updated_at`;
const STORED_COLUMNS = `${COLUMNS}, sealed_secret, sealed_previous_secret, previous_ends_at, failing_since`;

/** Lists the fields one by one, so that no sealed secret reaches an answer. */
export function toWebhook(webhook: StoredWebhook): Webhook {
  const { id, url, events, description, isActive, disabledReason, createdAt, updatedAt } = webhook;
  return { id, url, events, description, isActive, disabledReason, createdAt, updatedAt };
}

/** Throws NOT_FOUND. */
export function readWebhook(db: Queryable, owner: Owner, id: string): Promise<Webhook> {
  return findOne<Webhook>(db, SELECT_ONE, owner, id);
}

/** With the sealed secrets, to send to it. Throws NOT_FOUND. */
export function readStoredWebhook(db: Queryable, owner: Owner, id: string): Promise<StoredWebhook> {
  return findOne<StoredWebhook>(db, SELECT_STORED, owner, id);
}

/**
 * Locks it until the transaction ends, against other changes and against the dispatcher. Throws
 * NOT_FOUND.
 */
export function lockWebhook(tx: Tx, owner: Owner, id: string): Promise<StoredWebhook> {
  return findOne<StoredWebhook>(tx, `${SELECT_STORED} for update`, owner, id);
}

const ONE_OF_OWNER = 'from webhook where webhook_id = $3 and platform_id = $1 and livemode = $2';
const SELECT_ONE = `select ${COLUMNS} ${ONE_OF_OWNER}`;
const SELECT_STORED = `select ${STORED_COLUMNS} ${ONE_OF_OWNER}`;

async function findOne<Row extends object>(
  db: Queryable,
  text: string,
  owner: Owner,
  id: string,
): Promise<Row> {
  const [row] = isUuid(id) ? await db.query<Row>(text, [owner.platformId, owner.livemode, id]) : [];
  return row ?? fail('NOT_FOUND', { message: 'There is no webhook endpoint with this id in this mode.' });
}

/** A page, newest first. */
export async function listWebhooks(
  db: Queryable,
  owner: Owner,
  query: z.output<typeof WebhookQuery>,
): Promise<WebhookPage> {
  const [beforeId] = positionOf(query.cursor, WebhookCursor) ?? [null];
  const found = await db.query<Webhook>(
    `select ${COLUMNS} from webhook
     where platform_id = $1 and livemode = $2 and ($3::uuid is null or webhook_id < $3)
     order by webhook_id desc limit $4`,
    [owner.platformId, owner.livemode, beforeId, query.limit + 1],
  );
  const { rows, nextCursor } = pageOf(found, query.limit, ({ id }) => [id]);
  return { webhooks: [...rows], nextCursor };
}

const WebhookCursor = z.tuple([z.guid()]);

export async function insertWebhook(
  tx: Tx,
  owner: Owner,
  webhook: Webhook,
  sealedSecret: Buffer,
): Promise<void> {
  await tx.execute(
    `insert into webhook (webhook_id, platform_id, livemode, url, events, description, sealed_secret, is_active,
       created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
    [
      webhook.id,
      owner.platformId,
      owner.livemode,
      webhook.url,
      webhook.events,
      webhook.description,
      sealedSecret,
      webhook.isActive,
      webhook.createdAt,
    ],
  );
}

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

/** Also empties its queue. Its delivery log is unreachable from now on and is deleted with age. */
export async function deleteWebhookRow(tx: Tx, id: string): Promise<void> {
  await tx.execute('delete from webhook where webhook_id = $1', [id]);
  await tx.execute('delete from outbox_queue where target_id = $1', [id]);
}
