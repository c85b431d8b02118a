import { z } from 'zod';
import { enumsCatalog } from './enumsCatalog.js';

type Row = Readonly<Record<string, string | number | boolean | null>> & { readonly value: string };

const catalog: Readonly<Record<string, readonly Row[]>> = enumsCatalog;

/** Fields that their type alone does not describe. */
const fields: Readonly<Record<string, z.ZodType>> = {
  kind: z
    .enum(['outcome', 'qualification', 'project'])
    .meta({ description: 'Only outcomes affect a score.' }),
  ingestible: z.boolean().meta({ description: 'Whether `POST /events` accepts it.' }),
  effect: z.string().meta({ description: 'Its effect on a score.' }),
  writes: z
    .string()
    .nullable()
    .meta({ description: 'What is recorded when this status is reached; `null` if nothing is.' }),
};

/** Sets whose name alone does not describe them. */
const setTexts: Readonly<Record<string, string>> = {
  scoreBand: 'Highest first. A score is in the first band whose minimum it reaches.',
  deliveryStatus: 'Result of one attempt of a webhook delivery.',
  disabledReason: 'Why a webhook was switched off.',
  itemStatus: 'Result of one item of a batch, an ingest or a campaign.',
  requestDecision: 'The answer to a confirmation or a reference.',
  answerChannel: 'How a confirmation or a reference was answered.',
  browserFamily: 'Browser from which an answer came, by its User-Agent.',
  referenceKind: 'The `claim.kind` of a reference and the kind of a qualification.',
  riskLevel: 'Overall risk level. The severity of a signal is one of these except `none`.',
};

/** The schema of `enumsCatalog`, derived from its rows. */
export const Enums = z
  .object(Object.fromEntries(Object.entries(catalog).map(([set, rows]) => [set, setSchema(set, rows)])))
  .meta({
    id: 'Enums',
    description: 'All closed sets of values with their meanings. Values may be added.',
    example: Object.fromEntries(Object.entries(catalog).map(([set, rows]) => [set, rows.slice(0, 1)])),
  });

function setSchema(set: string, rows: readonly Row[]): z.ZodType {
  const others = Object.entries(rows[0] ?? {}).filter(([name]) => name !== 'value');
  const schema = z.array(
    z.object({
      value: z.enum(rows.map(({ value }) => value)),
      ...Object.fromEntries(others.map(([name, sample]) => [name, fields[name] ?? schemaLike(sample)])),
    }),
  );
  return setTexts[set] === undefined ? schema : schema.meta({ description: setTexts[set] });
}

function schemaLike(sample: Row[string]): z.ZodType {
  if (typeof sample === 'number') return z.number();
  return typeof sample === 'boolean' ? z.boolean() : z.string();
}
