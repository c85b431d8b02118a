import { z } from 'zod';
import { isUuid } from '../ids.js';
import type { PlacedSchema, SchemaRegistry } from './openapiSchemas.js';
import type { JsonSchema, ParameterObject } from './openapiTypes.js';
import type { Operation, Route } from './route.js';

/** The parameters of an operation: path, query, and the headers that follow from its route. */
export function parametersOf({ path, route }: Operation, registry: SchemaRegistry): ParameterObject[] {
  const inPath = new Map(fieldsOf(route.params, registry).map((field) => [field.name, field]));
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return [
    ...pathNames.map((name): ParameterObject => {
      const { description, schema, example } = inPath.get(name) ?? { schema: { type: 'string' } };
      return { name, in: 'path', required: true, description, schema: withFormat(schema, example), example };
    }),
    ...fieldsOf(route.query, registry).map(
      ({ name, required, description, schema, example }): ParameterObject => ({
        name,
        in: 'query',
        ...(required && { required }),
        description,
        schema,
        example,
      }),
    ),
    ...headerParameters(route),
  ];
}

/** Schemas accept any text as an id, since a malformed id gives the same 404 as an unknown one. */
function withFormat(schema: JsonSchema, example: unknown): JsonSchema {
  return typeof example === 'string' && isUuid(example) ? { ...schema, format: 'uuid' } : schema;
}

interface Field extends PlacedSchema {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
}

/** The fields of an object schema, one by one. */
function fieldsOf(schema: z.ZodType | undefined, registry: SchemaRegistry): Field[] {
  if (!schema) return [];
  const object = startOf(schema);
  if (!(object instanceof z.ZodObject)) throw new Error('a query or params schema must be an object');
  return Object.entries(object.shape).map(([name, type]) => {
    const { schema: placed } = registry.place(type, 'text');
    const { description, examples, ...rest } = placed;
    const given = type.meta()?.example ?? (Array.isArray(examples) ? examples[0] : undefined);
    const example = typeof given === 'string' && rest.type !== 'string' ? JSON.parse(given) : given;
    const text = typeof description === 'string' ? description : commonDescriptions[name];
    return { name, required: !type.safeParse(undefined).success, description: text, schema: rest, example };
  });
}

/** Default descriptions by name; a description in the schema takes precedence. */
const commonDescriptions: Readonly<Record<string, string>> = {
  limit: 'Maximum number of entries per page.',
  format: 'The form of the answer.',
};

/** A refined or transformed query is a pipe that begins with an object. */
function startOf(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodPipe ? startOf(schema.in as z.ZodType) : schema;
}

function headerParameters(route: Route): ParameterObject[] {
  const headers: ParameterObject[] = [];
  if (route.idempotent) {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      description:
        'Your own name for this request. If you send it again with the same key and the same bytes within 7 days, it is not executed again: you get the first answer, with `Idempotent-Replay: true`.',
      schema: { type: 'string', minLength: 8, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
      example: 'order-4711-delivered',
    });
  }
  if (route.answers[304] !== undefined) {
    headers.push({
      name: 'If-None-Match',
      in: 'header',
      description: 'The `ETag` of your copy. While it is current, the answer is 304 without a body.',
      schema: { type: 'string' },
      example: '"q1Zr0mX2f8c"',
    });
  }
  return headers;
}
