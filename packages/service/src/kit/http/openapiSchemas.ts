import { z } from 'zod';
import { mapValues } from '../lists.js';
import type { Examples, FieldTexts } from './openapiTexts.js';

/** Whether the schema describes what is sent (`text`: in a query or path) or what is returned. */
export type Side = 'text' | 'input' | 'output';

export interface PlacedSchema {
  readonly schema: JsonSchema;
  readonly example: unknown;
}

export function mediaType({ schema, example }: PlacedSchema): MediaTypeObject {
  return example === undefined ? { schema } : { schema, example: asJson(example) };
}

/** Examples may contain Date objects, as handlers return them. */
export function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

export type SchemaRegistry = ReturnType<typeof createSchemaRegistry>;

export function createSchemaRegistry(texts: FieldTexts, examples: Examples) {
  const registry = new Map<string, JsonSchema>();
  /** `named`: all named schemas so far, in the order of first use. */
  return { place, descriptionOf, texts, examples, named: () => Object.fromEntries(registry) };

  function descriptionOf(schema: z.ZodType): string | undefined {
    const { id, description } = schema.meta() ?? {};
    return (id && texts.of(id)) ?? description;
  }

  /** A reference if it has a name. @param owner of the texts of a schema without a name. */
  function place(given: z.ZodType, side: Side, owner: string): PlacedSchema {
    const schema = documentedSchema(given) ?? given;
    const { schema: placed, name } = convert(schema, side, owner);
    const example = examples.of(name ?? owner) ?? schema.meta()?.example;
    const definition = name === undefined ? undefined : registry.get(name);
    if (name === undefined || !definition) return { schema: withoutExamples(placed), example };
    // The example appears where the schema is used; a second copy here would only make the document
    // longer.
    registry.set(name, withoutExamples(definition));
    return { schema: placed, example };
  }

  function convert(
    schema: z.ZodType,
    side: Side,
    owner: string,
  ): { schema: JsonSchema; name: string | undefined } {
    const converted: JsonSchema = z.toJSONSchema(schema, {
      io: side === 'output' ? 'output' : 'input',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const promised = documentedSchema(zodSchema);
        if (promised) Object.assign(jsonSchema, convert(promised, side, owner).schema);
        else refine(zodSchema, jsonSchema, side);
      },
    });
    const { $schema: _, $defs, ...root } = converted;
    for (const [id, definition] of Object.entries($defs ?? {})) keep(id, described(definition, id));
    const name = typeof root.$ref === 'string' ? root.$ref.split('/').at(-1) : undefined;
    return {
      schema: name === undefined ? described(root, owner) : (finished(root, owner, []) as JsonSchema),
      name,
    };
  }

  /** Only after the conversion: zod continues to fill the objects that it has passed to `override`. */
  function described(schema: JsonSchema, owner: string): JsonSchema {
    return { ...(finished(schema, owner, []) as JsonSchema), ...added(texts.of(owner), examples.of(owner)) };
  }

  function finished(value: unknown, owner: string, path: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((inner) => finished(inner, owner, path));
    if (typeof value !== 'object' || value === null) return value;
    return mapValues(value as JsonSchema, (inner, key) => {
      if (key === 'examples') return inner;
      if (key === '$ref') return String(inner).replace('#/$defs/', '#/components/schemas/');
      if (key !== 'properties') return finished(inner, owner, path);
      return mapValues(inner as Record<string, unknown>, (field, name) =>
        describedField(finished(field, owner, [...path, name]) as JsonSchema, owner, [...path, name]),
      );
    });
  }

  function describedField(field: JsonSchema, owner: string, path: readonly string[]): JsonSchema {
    const key = path.join('.');
    // A named schema is described where it is defined.
    const isNamed = field.$ref !== undefined;
    const text = isNamed ? texts.of(`${owner}.${key}`) : texts.ofField(owner, key);
    const ofItems = texts.ofField(owner, `${key}[]`);
    const own: JsonSchema = {
      ...field,
      ...(ofItems && { items: { ...(field.items as JsonSchema), description: ofItems } }),
      ...added(text, examples.of(`${owner}.${key}`)),
    };
    if (own.description !== undefined || isNamed) return own;
    return { ...own, ...added(descriptionWithin(field) ?? texts.ofAny(path.at(-1) ?? ''), undefined) };
  }

  function keep(id: string, definition: JsonSchema): void {
    const known = registry.get(id);
    if (!known) registry.set(id, definition);
    // `place` may have removed the examples of one of the two.
    else if (JSON.stringify(withoutExamples(known)) !== JSON.stringify(withoutExamples(definition)))
      throw new Error(`two different schemas are named ${id}; rename one`);
  }
}

function added(description: unknown, example: unknown): JsonSchema {
  return {
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}

function descriptionWithin({ anyOf }: JsonSchema): unknown {
  const [first, second] = (anyOf ?? []) as JsonSchema[];
  return second?.type === 'null' ? first?.description : undefined;
}

function withoutExamples({ examples: _, ...others }: JsonSchema): JsonSchema {
  return others;
}

/** Removes details of zod that readers do not need, and restrictions that answers do not promise. */
function refine(zodSchema: z.core.$ZodTypes, jsonSchema: z.core.JSONSchema.BaseSchema, side: Side): void {
  const { def } = zodSchema._zod;
  if (jsonSchema.example !== undefined) {
    jsonSchema.examples = [jsonSchema.example];
    delete jsonSchema.example;
  }
  if (def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
  // Answers may gain fields at any time (RULES Y2), so their objects are open.
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
  if (side === 'text') refineText(zodSchema, jsonSchema);
  // The patterns of these formats are up to 300 characters long and add nothing.
  if (jsonSchema.format !== undefined && jsonSchema.format !== 'regex') delete jsonSchema.pattern;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (JSON.stringify(jsonSchema.propertyNames) === '{"type":"string"}') delete jsonSchema.propertyNames;
}

/** A number or boolean in a query is sent as text. It is documented as the type that it is parsed to. */
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

function resultOf(zodSchema: z.core.$ZodType): z.core.$ZodType {
  const { def } = zodSchema._zod as { def: { type: string; out?: z.core.$ZodType } };
  return def.type === 'pipe' && def.out ? resultOf(def.out) : zodSchema;
}

const documented = new WeakMap<object, z.ZodType>();

/**
 * An item of a batch that is documented as `schema` but not validated, so that the handler can parse each
 * item and one bad item fails alone: `z.array(looseItems(EventInput))` parses to `unknown[]`.
 */
export function looseItems(schema: z.ZodType): z.ZodType<unknown> {
  const loose = z.unknown();
  documented.set(loose, schema);
  return loose;
}

export function documentedSchema(type: object): z.ZodType | undefined {
  return documented.get(type);
}

type Named<Value> = Readonly<Record<string, Value>>;

/** The part of OpenAPI 3.1 that this service's own document uses. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Named<unknown> & { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Named<Named<OperationObject>>;
  readonly webhooks: Named<{ readonly post: OperationObject }>;
  readonly components: Components;
}

export interface Components {
  readonly schemas: Named<JsonSchema>;
  readonly examples: Named<{ readonly summary: string; readonly value: unknown }>;
  readonly headers: Named<{ readonly description: string; readonly schema: JsonSchema }>;
  readonly securitySchemes: Named<object>;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  readonly security: readonly Named<readonly string[]>[];
  /** The scope that a key needs, such as `events:write`. Absent if no scope is needed. */
  readonly 'x-scope'?: string;
  /** The feature that the plan must have. */
  readonly 'x-plan-feature'?: string;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly description?: string;
    readonly content: Named<MediaTypeObject>;
  };
  readonly responses: Named<ResponseObject>;
}

export interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly required?: true;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Named<{ readonly $ref: string }>;
  readonly content?: Named<MediaTypeObject>;
  readonly links?: Named<object>;
}

export interface MediaTypeObject {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  /** For errors: one per code, named by the code. */
  readonly examples?: Named<{ readonly $ref: string }>;
}

export type JsonSchema = Named<unknown>;
