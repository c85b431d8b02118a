import { z } from 'zod';
import { disabledReasons } from '#domain/catalogues/enums.js';
import { envelopeTypes } from '#domain/envelopes/catalogue.js';
import type { Tx } from '#kit/db/database.js';
import { insertRow, pick, updateRow } from '#kit/db/rows.js';
import { cursorParam, instant, pageLimit, pageSchema, pathText, storableText } from '#kit/http/query.js';
import type { Owner } from '#kit/http/route.js';
import { ownedRows } from '#ledger/reads/ownedRows.js';
import type { SealedSecrets } from './webhookSecrets.js';

export type Webhook = z.output<typeof Webhook>;
export const Webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(z.enum(envelopeTypes)),
    description: z.string().nullable(),
    isActive: z.boolean(),
    disabledReason: z.enum(disabledReasons).nullable(),
    failingSince: instant.nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Webhook' });

export type WebhookPage = z.output<typeof WebhookPage>;
export const WebhookPage = pageSchema('webhooks', Webhook).meta({ id: 'WebhookPage' });

const url = z.string().min(1).max(2048);
const events = z.array(z.enum(envelopeTypes)).min(1).max(100);
const description = storableText(0, 2000).nullable().optional();

export type WebhookBody = z.output<typeof WebhookBody>;
export const WebhookBody = z
  .object({
    url,
    events,
    description,
    isActive: z.boolean().optional(),
  })
  .meta({ id: 'NewWebhook' });

export type WebhookChanges = z.output<typeof WebhookChanges>;
export const WebhookChanges = z
  .object({
    url: url.optional(),
    events: events.optional(),
    description,
    isActive: z.boolean().optional(),
  })
  .meta({ id: 'WebhookChanges' });

const secret = z.string();

export type WebhookCreated = z.output<typeof WebhookCreated>;
export const WebhookCreated = z.object({ ...Webhook.shape, secret }).meta({ id: 'WebhookCreated' });

export type SecretRotated = z.output<typeof SecretRotated>;
export const SecretRotated = z
  .object({
    ...Webhook.shape,
    secret,
    previousSecretExpiresAt: instant,
  })
  .meta({ id: 'WebhookSecretRotated' });

export const WebhookQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

const webhookId = pathText();
export const webhookPath = z.object({ id: webhookId });

/** An endpoint with what answers leave out. */
export type StoredWebhook = Webhook & SealedSecrets;

const COLUMNS = `webhook_id as id, url, events, description, is_active, disabled_reason, failing_since, created_at,
  updated_at`;
const STORED_COLUMNS = `${COLUMNS}, sealed_secret, sealed_previous_secret, previous_ends_at`;

/** Lists the fields one by one, so that no sealed secret reaches an answer. */
export function toWebhook(webhook: StoredWebhook): Webhook {
  return {
    ...pick(webhook, 'id', 'url', 'events', 'description', 'isActive', 'disabledReason', 'failingSince'),
    ...pick(webhook, 'createdAt', 'updatedAt'),
  };
}

const WEBHOOK = {
  table: 'webhook',
  id: 'webhook_id',
  missing: 'There is no webhook endpoint with this id in this mode.',
};

export const webhooks = ownedRows<Webhook>({ ...WEBHOOK, columns: COLUMNS });

/** With the sealed secrets, to send to it or to change it. A lock also waits for the dispatcher. */
export const storedWebhooks = ownedRows<StoredWebhook>({ ...WEBHOOK, columns: STORED_COLUMNS });

export async function insertWebhook(
  tx: Tx,
  owner: Owner,
  webhook: Webhook,
  sealedSecret: Buffer,
): Promise<void> {
  await insertRow(tx, 'webhook', {
    ...pick(webhook, 'url', 'events', 'description', 'isActive', 'createdAt'),
    webhookId: webhook.id,
    ...pick(owner, 'platformId', 'livemode'),
    sealedSecret,
    updatedAt: webhook.createdAt,
  });
}

export async function saveWebhook(tx: Tx, webhook: StoredWebhook): Promise<void> {
  const changes = {
    ...pick(webhook, 'url', 'events', 'description', 'isActive', 'disabledReason', 'updatedAt'),
    ...pick(webhook, 'sealedSecret', 'sealedPreviousSecret', 'previousEndsAt', 'failingSince'),
    ...(webhook.failingSince === null && { failedAttempts: 0 }),
  };
  await updateRow(tx, 'webhook', { webhookId: webhook.id }, changes);
}
