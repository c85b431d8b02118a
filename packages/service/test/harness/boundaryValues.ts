import type { JsonSchema, OpenApiDocument } from '#kit/http/openapiSchemas.js';

/** A value for one field of a request, and whether its schema accepts it. */
export interface Probe {
  /** The dotted path, as in errors: `claim.kind`, `events.0.userId`. */
  readonly path: string;
  readonly value: unknown;
  readonly isInside: boolean;
}

/** Marks an omitted field. */
export const LEFT_OUT = Symbol('left out');

/**
 * The object or list schema behind references and `null` alternatives. Larger unions are returned
 * unchanged.
 */
export function plainSchema(document: OpenApiDocument, schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return plainSchema(document, document.components.schemas[name] ?? {});
  }
  const others = ((schema.anyOf ?? []) as JsonSchema[]).filter(({ type }) => type !== 'null');
  const [only] = others;
  return others.length === 1 && only ? plainSchema(document, only) : schema;
}

/**
 * Values just inside and just outside each bound of a body, one field at a time, based on its
 * example.
 */
export function bodyProbes(
  document: OpenApiDocument,
  given: JsonSchema,
  example: unknown,
  path = '',
): Probe[] {
  const schema = plainSchema(document, given);
  if (schema.type === 'array' && Array.isArray(example)) {
    const [first] = example;
    const inner =
      typeof first === 'object'
        ? bodyProbes(document, (schema.items ?? {}) as JsonSchema, first, at(path, '0'))
        : [];
    return [...listProbes(schema, first, path), ...inner];
  }
  if (schema.type !== 'object' || schema.properties === undefined) return valueProbes(schema, path, 4711);
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries(schema.properties as Record<string, JsonSchema>).flatMap(([name, field]) => {
    const value = (example as Record<string, unknown> | undefined)?.[name];
    const location = at(path, name);
    return [
      ...(required.has(name) ? [{ path: location, value: LEFT_OUT, isInside: false }] : []),
      ...bodyProbes(document, field, value, location),
    ];
  });
}

function at(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function listProbes({ minItems, maxItems }: JsonSchema, item: unknown, path: string): Probe[] {
  const sizes = [Number(minItems) - 1, Number(maxItems) + 1].filter((size) => size >= 0);
  return sizes.map((size) => ({ path, value: Array(size).fill(item), isInside: false }));
}

/** @param wrongType a value of another type; undefined if every value is text, as in a query. */
export function valueProbes(schema: JsonSchema, path: string, wrongType?: unknown): Probe[] {
  const { inside, outside } = boundsOf(schema);
  const wrong = wrongType === undefined || inside.length === 0 || isNumeric(schema) ? [] : [wrongType];
  return [
    ...inside.map((value) => ({ path, value, isInside: true })),
    ...[...outside, ...wrong].map((value) => ({ path, value, isInside: false })),
  ];
}

function isNumeric({ type, anyOf }: JsonSchema): boolean {
  if (Array.isArray(anyOf)) return anyOf.some(isNumeric);
  return type === 'integer' || type === 'number';
}

function isText({ type, format, pattern, enum: values }: JsonSchema): boolean {
  return type === 'string' && (format ?? pattern ?? values) === undefined;
}

interface Bounds {
  readonly inside: readonly unknown[];
  readonly outside: readonly unknown[];
}

function boundsOf(schema: JsonSchema): Bounds {
  if (Array.isArray(schema.enum)) {
    return { inside: [schema.enum[0], schema.enum.at(-1)], outside: ['no-such-value'] };
  }
  if (Array.isArray(schema.anyOf)) {
    const alternatives = schema.anyOf.map((one) => boundsOf(one as JsonSchema));
    // A value refused by one alternative may fit another; only a value of another type is refused
    // by all.
    const takesText = schema.anyOf.some(isText);
    return { inside: alternatives.flatMap(({ inside }) => inside), outside: takesText ? [] : ['yesterday'] };
  }
  if (isNumeric(schema)) return numberBounds(schema);
  if (schema.type === 'boolean') return { inside: [true, false], outside: ['perhaps'] };
  if (schema.type !== 'string' || schema.pattern !== undefined) return { inside: [], outside: [] };
  return byFormat[String(schema.format)] ?? lengthBounds(schema);
}

function numberBounds({ type, minimum, maximum }: JsonSchema): Bounds {
  const least = minimum === undefined ? [] : [Number(minimum)];
  const most = maximum === undefined ? [] : [Number(maximum)];
  const outside = [
    ...least.map((value) => value - 1),
    ...most.map((value) => value + Math.max(1, value / 1e6)),
  ];
  return {
    inside: [...least, ...most],
    outside: [...outside, ...(type === 'integer' ? [1.5] : []), 'many'],
  };
}

function lengthBounds({ minLength, maxLength }: JsonSchema): Bounds {
  const text = (length: number) => 'a'.repeat(length);
  const least = Number(minLength ?? 0);
  return {
    inside: [
      ...(least > 0 ? [text(least)] : []),
      ...(maxLength === undefined ? [] : [text(Number(maxLength))]),
    ],
    outside: [
      ...(least > 0 ? [text(least - 1)] : []),
      ...(maxLength === undefined ? [] : [text(Number(maxLength) + 1)]),
    ],
  };
}

const byFormat: Readonly<Record<string, Bounds>> = {
  date: { inside: ['2026-03-01'], outside: ['2026-02-30', 'tomorrow'] },
  'date-time': {
    inside: ['2026-03-01T09:30:00.000Z', '2026-03-01T09:30:00+02:00'],
    outside: ['2026-03-01', '2026-02-30T09:30:00Z', 'tomorrow'],
  },
  uuid: { inside: ['0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34'], outside: ['4711'] },
  uri: { inside: [], outside: ['not an address'] },
  email: { inside: [], outside: ['nobody'] },
};
