import { z } from 'zod';
import texts from '../../../data/envelopes.json' with { type: 'json' };
import { platformEnvelopes } from './platformEnvelopes.js';
import { at, id, scoreEnvelopes } from './scoreEnvelopes.js';

/** The schema of the `data` of each type. Their order is that of the API reference. */
const schemas = { ...scoreEnvelopes, ...platformEnvelopes };
export type EnvelopeType = keyof typeof schemas;
export const envelopeTypes = Object.keys(schemas) as EnvelopeType[];

export type EnvelopeData = { [T in EnvelopeType]: z.output<(typeof schemas)[T]> };

export function isEnvelopeType(text: string): text is EnvelopeType {
  return Object.hasOwn(schemas, text);
}

export const envelopeTexts: Readonly<Record<EnvelopeType, { description: string; example: object }>> = texts;

export function envelopeSchema(type: EnvelopeType): z.ZodType {
  return z.object({
    id: id.meta({ description: 'The same on every retry and replay.' }),
    type: z.literal(type),
    livemode: z.boolean().meta({ description: 'False: of test activity. Take a missing one as true.' }),
    createdAt: at,
    data: schemas[type],
  });
}

export function exampleEnvelope(type: EnvelopeType): Envelope {
  return {
    id: '0199a3c2-9d10-7b44-8c2e-000000000009',
    type,
    livemode: true,
    createdAt: '2026-03-01T15:45:02.161Z',
    data: texts[type].example,
  };
}

export interface Envelope {
  readonly id: string;
  readonly type: EnvelopeType;
  readonly livemode: boolean;
  readonly createdAt: string;
  readonly data: object;
}
