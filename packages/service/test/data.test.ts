import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { planKeys } from '#domain/catalogues/plans.js';
import { Changelog, OutcomeTemplates, PlanCatalogue } from '../src/features/system/catalogues/schemas.js';

const FOLDER = new URL('../data/', import.meta.url);

const text = z
  .string()
  .max(2000)
  .regex(/^\S(.|\n)*(?<!\s)$/);
const texts = z.record(z.string(), text);

const object = z.record(text, z.json());
const described = z.looseObject({ description: text });

/** Of every file that is not in several languages. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  'activityActions.json': texts,
  'answers.json': z.record(text, z.json()),
  'backtestReport.json': z.strictObject({ rivals: texts, groupings: texts, groups: texts, caveats: texts }),
  'benchmarkCohorts.json': z.record(
    text,
    z.array(z.strictObject({ key: text, label: text, from: z.union([text, z.int(), z.null()]) })),
  ),
  'changelog.json': Changelog.shape.entries,
  'components.json': z.strictObject({
    schemas: z.record(text, object),
    headers: z.record(text, described),
    parameters: z.record(text, described),
    securitySchemes: z.record(text, described),
  }),
  'deliveries.json': z.strictObject({
    headers: z.array(
      z.strictObject({
        name: text,
        description: text,
        schema: z.looseObject({ type: z.enum(['integer', 'string']) }),
        example: z.union([z.string(), z.int()]),
      }),
    ),
    answers: texts,
  }),
  'envelopes.json': z.record(text, z.strictObject({ description: text, example: object })),
  'enums.json': z.record(z.string(), texts),
  'errors.json': z.record(
    text,
    z.strictObject({ status: z.int().min(400).max(599), retryable: z.boolean(), message: text }),
  ),
  'germanFormulaTexts.json': z.strictObject({ titles: texts, factors: texts, disclosures: z.array(text) }),
  'idSources.json': z.record(
    z.string().regex(/^\/[^?#]+([?#][\w-]+)?$/),
    z.string().regex(/^\w+(\/[^/]+)+$/),
  ),
  'metrics.json': texts,
  'outcomeTemplates.json': OutcomeTemplates.omit({ version: true, industries: true, witnessTypes: true }),
  'outboundFailures.json': z.strictObject({
    connection: z.record(
      text,
      z.strictObject({ reason: z.enum(['connection', 'timeout', 'protocol']), message: text }),
    ),
    certificate: texts,
  }),
  'plans.json': z.strictObject({
    plans: z.record(z.enum(planKeys), PlanCatalogue.shape.plans.element),
    note: text,
  }),
  'programs.json': z.record(
    text,
    z.strictObject({
      summary: text,
      usage: text.optional(),
      details: text.optional(),
      options: z.record(
        text,
        z.strictObject({ value: text.optional(), help: text, choices: z.array(text).optional() }),
      ),
    }),
  ),
  'requests.json': z.record(text, z.json()),
  'riskSignals.json': z.record(text, z.strictObject({ title: text, description: text })),
  'tags.json': texts,
  'witnessTypes.json': z.record(text, z.strictObject({ label: text, description: text })),
};

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const translated = files.flatMap((name) => /^(.+)\.en\.json$/.exec(name)?.[1] ?? []);

describe('the data', () => {
  test.each(files.filter((name) => !/\.(en|de)\.json$/.test(name)))(
    '%s has its form and no other field',
    (name) => {
      const content = read(name);
      expect(schemas[name]?.parse(content)).toEqual(content);
    },
  );

  test.each(translated)(
    '%s says the same things in every language, with the same places for values',
    (name) => {
      const [en, de] = [leaves(read(`${name}.en.json`)), leaves(read(`${name}.de.json`))];
      const places = (all: Map<string, string>) =>
        Object.fromEntries(
          [...all].map(([path, value]) => [path, [...value.matchAll(/\{\w+\}|[[\]]/g)].flat().sort()]),
        );
      expect(places(de)).toEqual(places(en));
    },
  );
});

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
}

/** Every text by its path. */
function leaves(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]]);
  if (typeof value !== 'object' || value === null) throw new Error(`${path} is no text`);
  return new Map(Object.entries(value).flatMap(([name, part]) => [...leaves(part, `${path}/${name}`)]));
}
