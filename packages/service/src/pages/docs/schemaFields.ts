import type { JsonSchema, OpenApiDocument } from '#kit/http/openapiSchemas.js';

/** A field of a body with its path: `events[].dueDate`. */
export interface SchemaField {
  readonly parent: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

type Named = OpenApiDocument['components']['schemas'];

/** Deeper fields are left to the example. */
const MAX_DEPTH = 5;

/** All fields of a schema, parents before children. */
export function schemaFields(schema: JsonSchema, named: Named, parent = '', depth = 0): SchemaField[] {
  const { step, shape } = shapeOf(schema, named);
  const required = new Set(listOf(shape.required));
  return Object.entries((shape.properties ?? {}) as Record<string, JsonSchema>).flatMap(
    ([name, property]) => {
      const location = parent + step;
      const within = location === '' ? '' : `${location}.`;
      const field: SchemaField = {
        parent: within,
        name,
        type: typeText(property, named),
        required: required.has(name),
        description: textOf(property.description ?? resolved(property, named).description),
      };
      const below = depth < MAX_DEPTH ? schemaFields(property, named, within + name, depth + 1) : [];
      return [field, ...below];
    },
  );
}

/**
 * The object of a schema, through references, `null` alternatives and lists. `step`: what lists add
 * to the path.
 */
function shapeOf(schema: JsonSchema, named: Named): { step: string; shape: JsonSchema } {
  const plain = withoutNull(resolved(schema, named), named);
  if (typeof plain.items !== 'object' || plain.items === null) return { step: '', shape: plain };
  const inner = shapeOf(plain.items as JsonSchema, named);
  return { step: `[]${inner.step}`, shape: inner.shape };
}

function resolved(schema: JsonSchema, named: Named): JsonSchema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return name === undefined ? schema : (named[name] ?? schema);
}

function withoutNull(schema: JsonSchema, named: Named): JsonSchema {
  const others = alternativesOf(schema).filter((alternative) => alternative.type !== 'null');
  const [only] = others;
  return others.length === 1 && only ? resolved(only, named) : schema;
}

function alternativesOf(schema: JsonSchema): readonly JsonSchema[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  return Array.isArray(alternatives) ? (alternatives as JsonSchema[]) : [];
}

/** A type in words: `string, 1 to 255 characters`, `list of objects`, `integer or null`. */
export function typeText(given: JsonSchema, named: Named): string {
  const schema = resolved(given, named);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return joined(alternatives.map((one) => typeText(one, named)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(' | ') + fallback(schema);
  if (schema.type === 'array') {
    const items = typeText((schema.items ?? {}) as JsonSchema, named);
    return `list of ${items === 'object' ? 'objects' : items}${sizeText(schema, 'Items', 'items')}`;
  }
  return namesOf(schema) + sizeText(schema, 'Length', 'characters') + rangeText(schema) + fallback(schema);
}

function joined(types: readonly string[]): string {
  return types.join(types.some((type) => type.includes(',')) ? ', or ' : ' or ');
}

function namesOf(schema: JsonSchema): string {
  const names = typeof schema.type === 'string' ? [schema.type] : listOf(schema.type);
  if (names.length === 0) return 'anything';
  return names.map((name) => (name === 'string' ? stringName(schema.format) : name)).join(' or ');
}

function stringName(format: unknown): string {
  switch (format) {
    case 'date-time':
      return 'timestamp';
    case 'date':
    case 'uuid':
    case 'email':
      return format;
    case 'uri':
      return 'URL';
    default:
      return 'string';
  }
}

function sizeText(schema: JsonSchema, noun: 'Items' | 'Length', unit: string): string {
  const range = between(schema[`min${noun}`], schema[`max${noun}`]);
  return range === '' ? '' : `, ${range} ${unit}`;
}

function rangeText(schema: JsonSchema): string {
  const range = between(schema.minimum, schema.maximum);
  return range === '' ? '' : `, ${range}`;
}

function between(min: unknown, max: unknown): string {
  if (min !== undefined && max !== undefined) return `${numberText(min)} to ${numberText(max)}`;
  if (max !== undefined) return `at most ${numberText(max)}`;
  return min === undefined || min === 0 ? '' : `at least ${numberText(min)}`;
}

/** Groups the digits of long numbers. */
function numberText(value: unknown): string {
  return typeof value === 'number' && Math.abs(value) >= 10_000 ? value.toLocaleString('en') : String(value);
}

function fallback(schema: JsonSchema): string {
  return schema.default === undefined ? '' : `, default ${JSON.stringify(schema.default)}`;
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
