import { z } from 'zod';
import { platformEnvelopes } from './platformEnvelopes.js';
import { at, id, SAMPLE, scoreEnvelopes } from './scoreEnvelopes.js';

interface EnvelopeEntry {
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example: object;
}

/** All types, with the schema of their `data`. Their order is that of the API reference. */
const entries = { ...scoreEnvelopes, ...platformEnvelopes } as const satisfies Record<string, EnvelopeEntry>;
export type EnvelopeType = keyof typeof entries;
export const envelopeTypes = Object.keys(entries) as EnvelopeType[];

export type EnvelopeData = { [T in EnvelopeType]: z.output<(typeof entries)[T]['schema']> };

export function isEnvelopeType(text: string): text is EnvelopeType {
  return Object.hasOwn(entries, text);
}

/** The entry of a type: when it is sent, the schema of its `data` and an example. */
export function envelopeEntry(type: EnvelopeType): EnvelopeEntry {
  return entries[type];
}

export function envelopeSchema(type: EnvelopeType): z.ZodType {
  return z.object({
    id: id.meta({ description: 'The same on every retry and replay.' }),
    type: z.literal(type),
    livemode: z.boolean().meta({ description: 'False: of test activity. Take a missing one as true.' }),
    createdAt: at,
    data: entries[type].schema,
  });
}

export function exampleEnvelope(type: EnvelopeType): Envelope {
  return { id: SAMPLE.id(9), type, livemode: true, createdAt: SAMPLE.at, data: entries[type].example };
}

export interface Envelope {
  readonly id: string;
  readonly type: EnvelopeType;
  readonly livemode: boolean;
  readonly createdAt: string;
  readonly data: object;
}
