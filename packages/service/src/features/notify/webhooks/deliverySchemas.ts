import { z } from 'zod';
import { deliveryStatuses } from '../../../domain/catalogues/enums.js';
import { envelopeTypes } from '../../../domain/envelopes/catalogue.js';
import { timestamp } from '../../../domain/timestamp.js';
import { cursorParam, instant, pageLimit, pathText, wholeNumber } from '../../../kit/http/query.js';
import { WEBHOOK_EXAMPLE, webhookPath } from './webhookSchemas.js';

const FAILED_EXAMPLE = {
  id: '0199a3c2-9d40-7c05-b1f6-8a7e5d4c3b2a',
  webhookId: WEBHOOK_EXAMPLE.id,
  envelopeId: '0199a3c2-9d10-7b44-8c2e-000000000009',
  type: 'score.updated',
  status: 'failed',
  attempt: 1,
  responseStatus: 503,
  latencyMs: 212,
  responseBody: 'upstream is restarting',
  error: null,
  createdAt: '2026-03-01T15:45:02.204Z',
  nextAttemptAt: '2026-03-01T15:45:07.391Z',
} as const;

const SUCCEEDED_EXAMPLE = {
  ...FAILED_EXAMPLE,
  id: '0199a3c2-b0d2-7a88-9c31-1f2e3d4c5b6a',
  status: 'succeeded',
  attempt: 2,
  responseStatus: 204,
  latencyMs: 38,
  responseBody: '',
  createdAt: '2026-03-01T15:45:07.398Z',
  nextAttemptAt: null,
} as const;

export type Delivery = z.output<typeof Delivery>;
export const Delivery = z
  .object({
    id: z.uuid(),
    webhookId: z.uuid(),
    envelopeId: z.uuid().meta({
      description: 'The `id` in the body, the same on every attempt. A receiver recognises duplicates by it.',
    }),
    type: z.enum(envelopeTypes),
    status: z
      .enum(deliveryStatuses)
      .meta({ description: 'Only an answer with a status of 200 to 299 is a success.' }),
    attempt: z
      .int()
      .min(1)
      .meta({ description: 'Number of this attempt to send this envelope to this endpoint.' }),
    responseStatus: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Status code of the answer; null: there was none.' }),
    latencyMs: z.int().min(0).meta({ description: 'From resolving the host to the end of the answer.' }),
    responseBody: z
      .string()
      .nullable()
      .meta({ description: 'The first KiB of the answer; null: there was none.' }),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why there was no answer, or why it was not accepted.' }),
    createdAt: instant.meta({ description: 'When the attempt was made.' }),
    nextAttemptAt: instant.nullable().meta({
      description: 'When the next automatic attempt follows; null: there is none.',
    }),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'One attempt to deliver an envelope to an endpoint.',
    example: SUCCEEDED_EXAMPLE,
  });

export type DeliveryPage = z.output<typeof DeliveryPage>;
export const DeliveryPage = z
  .object({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() })
  .meta({
    id: 'WebhookDeliveryPage',
    description: 'A page of the delivery log, newest first.',
    example: { deliveries: [SUCCEEDED_EXAMPLE, FAILED_EXAMPLE], nextCursor: null },
  });

export type DeliveryQuery = z.output<typeof DeliveryQuery>;
export const DeliveryQuery = z.object({
  status: z.enum(deliveryStatuses).optional().meta({ description: 'Only attempts with this result.' }),
  type: z
    .enum(envelopeTypes)
    .optional()
    .meta({ description: 'Only attempts to send envelopes of this type.' }),
  limit: pageLimit(100, 25),
  cursor: cursorParam,
});

export type DeliveryRequest = z.output<typeof DeliveryRequest>;
export const DeliveryRequest = z
  .object({
    method: z.literal('POST').meta({ description: 'Always POST.' }),
    url: z
      .string()
      .meta({ description: 'Where this attempt was sent. The endpoint may have another URL now.' }),
    headers: z.record(z.string(), z.string()).meta({
      description: 'The headers of this attempt with its signatures. Secrets are not part of them.',
    }),
    body: z.string().meta({ description: 'The exact text that was sent and signed.' }),
  })
  .meta({
    id: 'WebhookDeliveryRequest',
    description: 'The request of one attempt, as it was sent.',
    example: {
      method: 'POST',
      url: 'https://hooks.riverside.example/reliability',
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Timestamp': '1772379902',
        'X-Service-Signature': '6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39',
      },
      body: '{"id":"0199a3c2-9d10-7b44-8c2e-000000000009","type":"score.updated","livemode":true}',
    },
  });

const perHour = z.array(z.int().min(0));

export type AttemptHours = z.output<typeof AttemptHours>;
export const AttemptHours = z
  .object({
    from: instant.meta({ description: 'Start of the first hour, in UTC.' }),
    to: instant.meta({ description: 'Now; the last hour has not ended.' }),
    endpoints: z
      .array(
        z.object({
          webhookId: z.uuid(),
          succeeded: perHour.meta({
            description: 'Attempts that the receiver accepted, one number an hour.',
          }),
          failed: perHour.meta({ description: 'Attempts that failed, one number an hour.' }),
        }),
      )
      .meta({ description: 'Every endpoint of the mode, also those without an attempt.' }),
  })
  .meta({
    id: 'WebhookAttemptHours',
    description: 'The attempts of every endpoint by hour.',
    example: {
      from: '2026-03-01T13:00:00.000Z',
      to: '2026-03-01T15:45:10.000Z',
      endpoints: [{ webhookId: WEBHOOK_EXAMPLE.id, succeeded: [118, 97, 64], failed: [0, 3, 1] }],
    },
  });

export const AttemptQuery = z.object({
  hours: wholeNumber(1, 168).optional().default(24).meta({ description: 'Hours up to now.' }),
});

export const TestBody = z
  .object({
    type: z.enum(envelopeTypes).optional().meta({
      description: 'Default: `score.updated`. The endpoint need not be subscribed to it.',
    }),
  })
  .meta({
    id: 'WebhookTest',
    description: 'The type to send an example of. The body is optional.',
    example: { type: 'score.band_changed' },
  });

export const RecoverBody = z
  .object({
    since: timestamp.meta({
      description:
        'Start of the period, not in the future. Payloads older than 30 days are deleted and cannot be sent.',
    }),
  })
  .meta({
    id: 'WebhookRecovery',
    description: 'The period to recover.',
    example: { since: '2026-01-01T00:00:00.000Z' },
  });

export const Recovered = z
  .object({
    recovered: z.int().min(0).meta({ description: 'Number of envelopes queued by this call.' }),
    hasMore: z.boolean().meta({
      description: 'True: one call could not search the whole period. Call again with `nextSince`.',
    }),
    nextSince: instant.nullable().meta({
      description: 'The `since` of the next call; null: the period is complete.',
    }),
  })
  .meta({
    id: 'WebhookRecovered',
    description: 'How many envelopes were queued again.',
    example: { recovered: 1280, hasMore: false, nextSince: null },
  });

const deliveryId = pathText('Id of the delivery.', SUCCEEDED_EXAMPLE.id);

export const deliveryPath = z.object({ ...webhookPath.shape, deliveryId });
