import { z } from 'zod';
import {
  envelopeEntry,
  envelopeSchema,
  envelopeTypes,
  exampleEnvelope,
} from '../../../domain/envelopes/catalogue.js';

/** The body of `GET /webhooks/events`: every type of envelope with the JSON Schema and an example of the whole of it. */
export const eventCatalogue = {
  events: envelopeTypes.map((type) => ({
    type,
    description: envelopeEntry(type).description,
    schema: openSchemaOf(envelopeSchema(type)),
    example: exampleEnvelope(type),
  })),
};

/**
 * JSON Schema 2020-12. Objects stay open: envelopes may gain fields at any time (RULES Y2), and a receiver that checks them
 * against this must not stumble then.
 */
function openSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io: 'output',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
      // The patterns behind these formats run to 300 characters and say the same.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
}

export const EventCatalogue = z
  .object({
    events: z.array(
      z.object({
        type: z.enum(envelopeTypes),
        description: z.string(),
        schema: z.record(z.string(), z.unknown()).meta({
          description: 'JSON Schema (2020-12) of the whole body of a delivery. Open: fields may be added.',
        }),
        example: z.record(z.string(), z.unknown()).meta({ description: 'Such a body.' }),
      }),
    ),
  })
  .meta({
    id: 'WebhookEventCatalogue',
    description: 'Everything an endpoint can be told of.',
    example: { events: eventCatalogue.events.slice(0, 1) },
  });
