import { z } from 'zod';
import { deliveryStatuses } from '../../../domain/catalogues/enums.js';
import { envelopeTypes } from '../../../domain/envelopes/catalogue.js';
import { timestamp } from '../../../domain/timestamp.js';
import { cursorParam, instant, pageLimit, pathText, wholeNumber } from '../../../kit/http/query.js';
import { webhookPath } from './webhookSchemas.js';

export type Delivery = z.output<typeof Delivery>;
export const Delivery = z
  .object({
    id: z.uuid(),
    webhookId: z.uuid(),
    envelopeId: z.uuid(),
    type: z.enum(envelopeTypes),
    status: z.enum(deliveryStatuses),
    attempt: z.int().min(1),
    responseStatus: z.int().min(0).nullable(),
    latencyMs: z.int().min(0),
    responseBody: z.string().nullable(),
    error: z.string().nullable(),
    createdAt: instant,
    nextAttemptAt: instant.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export type DeliveryPage = z.output<typeof DeliveryPage>;
export const DeliveryPage = z
  .object({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookDeliveryPage' });

export type DeliveryQuery = z.output<typeof DeliveryQuery>;
export const DeliveryQuery = z.object({
  status: z.enum(deliveryStatuses).optional(),
  type: z.enum(envelopeTypes).optional(),
  limit: pageLimit(100, 25),
  cursor: cursorParam,
});

export type DeliveryRequest = z.output<typeof DeliveryRequest>;
export const DeliveryRequest = z
  .object({
    method: z.literal('POST'),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  })
  .meta({ id: 'WebhookDeliveryRequest' });

const perHour = z.array(z.int().min(0));

export type AttemptHours = z.output<typeof AttemptHours>;
export const AttemptHours = z
  .object({
    from: instant,
    to: instant,
    endpoints: z.array(
      z.object({
        webhookId: z.uuid(),
        succeeded: perHour,
        failed: perHour,
      }),
    ),
  })
  .meta({ id: 'WebhookAttemptHours' });

export const AttemptQuery = z.object({
  hours: wholeNumber(1, 168).optional().default(24),
});

export const TestBody = z
  .object({
    type: z.enum(envelopeTypes).optional(),
  })
  .meta({ id: 'WebhookTest' });

export const RecoverBody = z
  .object({
    since: timestamp,
  })
  .meta({ id: 'WebhookRecovery' });

export const Recovered = z
  .object({
    recovered: z.int().min(0),
    hasMore: z.boolean(),
    nextSince: instant.nullable(),
  })
  .meta({ id: 'WebhookRecovered' });

const deliveryId = pathText();

export const deliveryPath = z.object({ ...webhookPath.shape, deliveryId });
