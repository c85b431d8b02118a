import { z } from 'zod';
import { disabledReasons } from '../../../domain/catalogues/enums.js';
import { envelopeTypes } from '../../../domain/envelopes/catalogue.js';
import { cursorParam, instant, pageLimit, pathText, storableText } from '../../../kit/http/query.js';

export type Webhook = z.output<typeof Webhook>;
export const Webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(z.enum(envelopeTypes)),
    description: z.string().nullable(),
    isActive: z.boolean(),
    disabledReason: z.enum(disabledReasons).nullable(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Webhook' });

export type WebhookPage = z.output<typeof WebhookPage>;
export const WebhookPage = z
  .object({ webhooks: z.array(Webhook), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookPage' });

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
