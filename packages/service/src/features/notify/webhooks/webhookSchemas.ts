import { z } from 'zod';
import { disabledReasons } from '../../../domain/catalogues/enums.js';
import { envelopeTypes } from '../../../domain/envelopes/catalogue.js';
import { cursorParam, instant, pageLimit, pathText, storableText } from '../../../kit/http/query.js';

/** The URL ends in .example, which never resolves (RFC 2606). */
export const WEBHOOK_EXAMPLE = {
  id: '0199a3c2-9d10-7b44-8c2e-4d7f0a1b2c3d',
  url: 'https://hooks.riverside.example/reliability',
  events: ['score.updated', 'score.band_changed'],
  description: 'Dispatch team',
  isActive: true,
  disabledReason: null,
  createdAt: '2026-03-01T09:00:00.000Z',
  updatedAt: '2026-03-01T09:00:00.000Z',
};

const SECRET_EXAMPLE = 'whsec_RVhBTVBMRS1leGFtcGxlLUVYQU1QTEUtZXhhbXBsZS0=';

export type Webhook = z.output<typeof Webhook>;
export const Webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(z.enum(envelopeTypes)).meta({ description: 'The types that it receives.' }),
    description: z.string().nullable(),
    isActive: z
      .boolean()
      .meta({ description: 'False: nothing is sent to it, and nothing is queued for it.' }),
    disabledReason: z
      .enum(disabledReasons)
      .nullable()
      .meta({
        description:
          'Why the service disabled it. `gone`: it answered 410. `failing`: at least ten failed attempts and no success in five ' +
          'days. Repair the receiver, set `isActive` to true, then call `/recover`. Null if it is active, or if you disabled it.',
      }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({
    id: 'Webhook',
    description: 'Your HTTP endpoint that receives deliveries.',
    example: WEBHOOK_EXAMPLE,
  });

export type WebhookPage = z.output<typeof WebhookPage>;
export const WebhookPage = z.object({ webhooks: z.array(Webhook), nextCursor: z.string().nullable() }).meta({
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
      'Where deliveries are posted: an https URL of a public host, without user name or password. The addresses of the host are ' +
      'checked at each delivery.',
  });
const events = z.array(z.enum(envelopeTypes)).min(1).max(100).meta({
  description: 'The types to receive; `GET /webhooks/events` describes them. Duplicates count once.',
});
const description = storableText(0, 2000).nullable().optional();

export type WebhookBody = z.output<typeof WebhookBody>;
export const WebhookBody = z
  .object({
    url,
    events,
    description: description.meta({ description: 'A note for yourself.' }),
    isActive: z.boolean().optional().meta({ description: 'Default: true.' }),
  })
  .meta({
    id: 'NewWebhook',
    description: 'Where to send which types.',
    example: {
      url: WEBHOOK_EXAMPLE.url,
      events: WEBHOOK_EXAMPLE.events,
      description: WEBHOOK_EXAMPLE.description,
    },
  });

export type WebhookChanges = z.output<typeof WebhookChanges>;
export const WebhookChanges = z
  .object({
    url: url.optional(),
    events: events.optional(),
    description: description.meta({ description: 'Null removes it.' }),
    isActive: z.boolean().optional().meta({
      description: 'True also clears `disabledReason` and restarts the count of failures.',
    }),
  })
  .meta({
    id: 'WebhookChanges',
    description: 'The fields to change; fields left out stay as they are.',
    example: { events: ['score.updated', 'monitor.triggered'], isActive: true },
  });

const secret = z.string().meta({
  description:
    'The signing secret, shown only this once: `whsec_` and base64 of 32 bytes. Store it with its prefix.',
});

export type WebhookCreated = z.output<typeof WebhookCreated>;
export const WebhookCreated = z.object({ ...Webhook.shape, secret }).meta({
  id: 'WebhookCreated',
  description: 'The endpoint with its signing secret, which is shown only this once.',
  example: { ...WEBHOOK_EXAMPLE, secret: SECRET_EXAMPLE },
});

export type SecretRotated = z.output<typeof SecretRotated>;
export const SecretRotated = z
  .object({
    ...Webhook.shape,
    secret,
    previousSecretExpiresAt: instant.meta({
      description: 'Until then deliveries also carry a signature of the previous secret.',
    }),
  })
  .meta({
    id: 'WebhookSecretRotated',
    description: 'The endpoint with its new signing secret, which is shown only this once.',
    example: {
      ...WEBHOOK_EXAMPLE,
      updatedAt: '2026-03-08T09:00:00.000Z',
      secret: SECRET_EXAMPLE,
      previousSecretExpiresAt: '2026-03-09T09:00:00.000Z',
    },
  });

export const WebhookQuery = z.object({ limit: pageLimit(100, 25), cursor: cursorParam });

const webhookId = pathText('Id of the endpoint.', WEBHOOK_EXAMPLE.id);
export const webhookPath = z.object({ id: webhookId });
