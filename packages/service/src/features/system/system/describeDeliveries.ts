import {
  envelopeSchema,
  envelopeTexts,
  envelopeTypes,
  exampleEnvelope,
} from '#domain/envelopes/catalogue.js';
import { type DeliveryTexts, pascalCased } from '#kit/http/openapi.js';
import deliveries from '../../../../data/deliveries.json' with { type: 'json' };

/** The messages to webhook endpoints, for the OpenAPI document. */
export const deliveryTexts: DeliveryTexts = {
  tag: 'Webhooks',
  ...deliveries,
  messages: envelopeTypes.map((type) => ({
    type,
    description: envelopeTexts[type].description,
    schema: envelopeSchema(type).meta({ id: `${pascalCased(type)}Envelope` }),
    example: exampleEnvelope(type),
  })),
};
