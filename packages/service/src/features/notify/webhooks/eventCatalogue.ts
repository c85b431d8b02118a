import { z } from 'zod';
import {
  envelopeSchema,
  envelopeTexts,
  envelopeTypes,
  exampleEnvelope,
} from '../../../domain/envelopes/catalogue.js';

/** The body of `GET /webhooks/events`: each envelope type with its JSON Schema and an example. */
export const eventCatalogue = {
  events: envelopeTypes.map((type) => ({
    type,
    description: envelopeTexts[type].description,
    schema: openSchemaOf(envelopeSchema(type)),
    example: exampleEnvelope(type),
  })),
};

/**
 * JSON Schema 2020-12. Objects stay open: envelopes can gain fields at any time (RULES Y2), and a
 * receiver that validates them must not reject them then.
 */
function openSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io: 'output',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
      // The pattern of a format is up to 300 characters long and says the same.
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
        schema: z.record(z.string(), z.unknown()),
        example: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .meta({ id: 'WebhookEventCatalogue' });
