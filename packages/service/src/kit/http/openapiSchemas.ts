import { z } from 'zod';
import { documentedSchema } from './looseItems.js';
import type { JsonSchema } from './openapiTypes.js';

/** Which side of a schema is meant: what may be sent (`text`: in a query or path), or what comes back. */
export type Side = 'text' | 'input' | 'output';

export interface PlacedSchema {
  readonly schema: JsonSchema;
  readonly example: unknown;
}

/** Turns zod schemas into JSON Schema and keeps those that have a name, once each. */
export interface SchemaRegistry {
  /** The schema as used in the document: a reference if it has a name. Its full example is separate. */
  place(schema: z.ZodType, side: Side): PlacedSchema;
  /** Everything named so far, in the order of first use. */
  named(): Record<string, JsonSchema>;
}

/** @param fieldTexts what a field means wherever it has this name, unless its schema says so itself. */
export function createSchemaRegistry(fieldTexts: Readonly<Record<string, string>> = {}): SchemaRegistry {
  const registry = new Map<string, JsonSchema>();
  return { place, named: () => Object.fromEntries(registry) };

  function place(given: z.ZodType, side: Side): PlacedSchema {
    const schema = documentedSchema(given) ?? given;
    const example = schema.meta()?.example;
    const { schema: placed, name } = convert(schema, side);
    const definition = name === undefined ? undefined : registry.get(name);
    if (name === undefined || !definition) return { schema: without(placed, 'examples'), example };
    // The example is shown where the schema is used; a second copy here would only make the document longer.
    registry.set(name, without(definition, 'examples'));
    return { schema: placed, example };
  }

  function convert(schema: z.ZodType, side: Side): { schema: JsonSchema; name: string | undefined } {
    const converted: JsonSchema = z.toJSONSchema(schema, {
      io: side === 'output' ? 'output' : 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const promised = documentedSchema(zodSchema);
        if (promised) Object.assign(jsonSchema, convert(promised, side).schema);
        else refine(zodSchema, jsonSchema, side);
      },
    });
    const { $schema: _, $defs, ...root } = converted;
    for (const [id, definition] of Object.entries($defs ?? {})) keep(id, finished(definition) as JsonSchema);
    const name = typeof root.$ref === 'string' ? root.$ref.split('/').at(-1) : undefined;
    return { schema: finished(root) as JsonSchema, name };
  }

  /**
   * References lead into the document, and fields get the description of their name. Only once the conversion is over: zod
   * goes on filling the objects that it has handed out.
   */
  function finished(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(finished);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (key === 'examples') return [key, inner];
        if (key === '$ref') return [key, String(inner).replace('#/$defs/', '#/components/schemas/')];
        return [key, key === 'properties' ? describedFields(finished(inner) as JsonSchema) : finished(inner)];
      }),
    );
  }

  function describedFields(fields: JsonSchema): JsonSchema {
    return Object.fromEntries(
      Object.entries(fields as Record<string, JsonSchema>).map(([name, field]) => {
        // What has a name is described where it is defined.
        if (field.description !== undefined || field.$ref !== undefined) return [name, field];
        const description =
          descriptionWithin(field) ?? (Object.hasOwn(fieldTexts, name) ? fieldTexts[name] : undefined);
        return [name, description === undefined ? field : { ...field, description }];
      }),
    );
  }

  function keep(id: string, definition: JsonSchema): void {
    const known = registry.get(id);
    if (!known) registry.set(id, definition);
    else if (sameBut(known, definition)) return;
    else throw new Error(`two different schemas are named ${id}; rename one`);
  }
}

/** What is said of the only alternative to null. */
function descriptionWithin({ anyOf }: JsonSchema): unknown {
  const [first, second] = (anyOf ?? []) as JsonSchema[];
  return second?.type === 'null' ? first?.description : undefined;
}

/** Examples may have been taken out of the one and still be in the other. */
function sameBut(known: JsonSchema, other: JsonSchema): boolean {
  return JSON.stringify(without(known, 'examples')) === JSON.stringify(without(other, 'examples'));
}

function without(schema: JsonSchema, keyword: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));
}

/** What zod says more exactly than a reader, or less exactly than an object promises. */
function refine(zodSchema: z.core.$ZodTypes, jsonSchema: z.core.JSONSchema.BaseSchema, side: Side): void {
  const { def } = zodSchema._zod;
  if (jsonSchema.example !== undefined) {
    jsonSchema.examples = [jsonSchema.example];
    delete jsonSchema.example;
  }
  if (def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  // Answers may gain fields at any time (RULES Y2): they are documented as open.
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
  if (side === 'text') refineText(zodSchema, jsonSchema);
  // The patterns behind these formats run to 300 characters and say the same.
  if (jsonSchema.format !== undefined && jsonSchema.format !== 'regex') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames;
}

/** A number or a truth value in a query travels as text; its reader thinks of it as what it becomes. */
function refineText(zodSchema: z.core.$ZodTypes, jsonSchema: z.core.JSONSchema.BaseSchema): void {
  const { def } = zodSchema._zod;
  if (def.type === 'default' && jsonSchema.default === undefined) {
    jsonSchema.default = def.defaultValue as z.core.JSONSchema._JSONSchema;
  }
  if (def.type === 'pipe') {
    const result = resultOf(zodSchema);
    if (result._zod.def.type === 'boolean') jsonSchema.type = 'boolean';
    if (result._zod.def.type === 'number') {
      const isWhole = jsonSchema.pattern !== undefined && !jsonSchema.pattern.includes('.');
      const { minimum, maximum } = z.toJSONSchema(result) as JsonSchema;
      Object.assign(jsonSchema, { type: isWhole ? 'integer' : 'number', minimum, maximum });
    }
  }
  if (jsonSchema.type === 'string') return;
  delete jsonSchema.pattern;
  if (jsonSchema.type === 'boolean') delete jsonSchema.enum;
}

/** What comes out at the end of a chain of pipes. */
function resultOf(zodSchema: z.core.$ZodType): z.core.$ZodType {
  const { def } = zodSchema._zod as { def: { type: string; out?: z.core.$ZodType } };
  return def.type === 'pipe' && def.out ? resultOf(def.out) : zodSchema;
}
