import { z } from 'zod';
import { disabledReasons } from '../../../domain/catalogues/enums.js';
import { envelopeTypes } from '../../../domain/envelopes/catalogue.js';
import { cursorParam, pageLimit, storableText } from '../../../kit/http/query.js';

/** Ends in .example, which no name server knows (RFC 2606): nobody is called by mistake. */
export const WEBHOOK_EXAMPLE = {
  id: '0199a3c2-9d10-7b44-8c2e-4d7f0a1b2c3d',
  url: 'https://hooks.riverside.example/reliability',
  events: ['score.updated', 'score.band_changed'],
  description: 'Dispatch desk',
  isActive: true,
  disabledReason: null,
  createdAt: '2026-03-01T09:00:00.000Z',
  updatedAt: '2026-03-01T09:00:00.000Z',
};

const SECRET_EXAMPLE = 'whsec_RVhBTVBMRS1leGFtcGxlLUVYQU1QTEUtZXhhbXBsZS0=';

export const WebhookRecord = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(z.enum(envelopeTypes)).meta({ description: 'The types it is sent.' }),
    description: z.string().nullable(),
    isActive: z
      .boolean()
      .meta({ description: 'False: nothing is sent, and what happens meanwhile does not queue.' }),
    disabledReason: z
      .enum(disabledReasons)
      .nullable()
      .meta({
        description:
          'Why the service switched it off: `gone`, it answered 410; `failing`, at least ten failed attempts and no success in five days. Mend the ' +
          'receiver, set `isActive` to true, then fetch what was missed with `/recover`. Null while it is on, or switched off by you.',
      }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({
    id: 'Webhook',
    description: 'An endpoint of yours that is told what happens.',
    example: WEBHOOK_EXAMPLE,
  });

export const WebhookPage = z
  .object({ webhooks: z.array(WebhookRecord), nextCursor: z.string().nullable() })
  .meta({
    id: 'WebhookPage',
    description: 'A page of endpoints, newest first.',
    example: { webhooks: [WEBHOOK_EXAMPLE], nextCursor: null },
  });

const url = z
  .string()
  .min(1)
  .max(2048)
  .meta({
    description:
      'Where deliveries are posted: an https URL of a public host, without user name or password. It is judged again, by the ' +
      'addresses that its host then has, at every delivery.',
  });
const events = z.array(z.enum(envelopeTypes)).min(1).max(100).meta({
  description:
    'The types to be told of; `GET /webhooks/events` describes them. One that stands twice counts once.',
});
const description = storableText(0, 2000).nullable().optional();

export const WebhookBody = z
  .object({
    url,
    events,
    description: description.meta({ description: 'For yourself.' }),
    isActive: z.boolean().optional().meta({ description: 'Default: true.' }),
  })
  .meta({
    id: 'NewWebhook',
    description: 'Where to send, and which types.',
    example: {
      url: WEBHOOK_EXAMPLE.url,
      events: WEBHOOK_EXAMPLE.events,
      description: WEBHOOK_EXAMPLE.description,
    },
  });
export type WebhookBody = z.output<typeof WebhookBody>;

export const WebhookChanges = z
  .object({
    url: url.optional(),
    events: events.optional(),
    description: description.meta({ description: 'Null takes it away.' }),
    isActive: z.boolean().optional().meta({
      description: 'True also forgives what the service switched it off for.',
    }),
  })
  .meta({
    id: 'WebhookChanges',
    description: 'What is to change; fields left out stay as they are.',
    example: { events: ['score.updated', 'monitor.triggered'], isActive: true },
  });
export type WebhookChanges = z.output<typeof WebhookChanges>;

const secret = z.string().meta({
  description: 'The signing secret, shown this once: `whsec_` and base64 of 32 bytes. Keep it whole.',
});

export const WebhookCreated = z.object({ ...WebhookRecord.shape, secret }).meta({
  id: 'WebhookCreated',
  description: 'The endpoint, with its signing secret: shown this once.',
  example: { ...WEBHOOK_EXAMPLE, secret: SECRET_EXAMPLE },
});

export const SecretRotated = z
  .object({
    ...WebhookRecord.shape,
    secret,
    previousSecretExpiresAt: z.iso.datetime().meta({
      description: 'Until then deliveries carry a signature of the secret before as well.',
    }),
  })
  .meta({
    id: 'WebhookSecretRotated',
    description: 'The endpoint, with its new signing secret: shown this once.',
    example: {
      ...WEBHOOK_EXAMPLE,
      updatedAt: '2026-03-08T09:00:00.000Z',
      secret: SECRET_EXAMPLE,
      previousSecretExpiresAt: '2026-03-09T09:00:00.000Z',
    },
  });

export const WebhookQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

const webhookId = z.string().meta({ description: 'Id of the endpoint.', example: WEBHOOK_EXAMPLE.id });
export const webhookPath = z.object({ id: webhookId });
