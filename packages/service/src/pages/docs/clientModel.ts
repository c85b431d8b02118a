import type { JsonSchema, OpenApiDocument, OperationObject } from '#kit/http/openapiSchemas.js';
import { pascal } from './clientNames.js';

/** The API as clients see it: operations and types with names, for every language. */
export interface ClientModel {
  readonly operations: readonly ClientOperation[];
  /** Objects, and choices between objects, in the order of first use. */
  readonly shapes: ReadonlyMap<string, Shape>;
}

export interface ClientOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly pathNames: readonly string[];
  readonly body: { type: ClientType; mediaType: string; takesCsv: boolean; isRequired: boolean } | undefined;
  /** Name of a shape. */
  readonly query: { name: string; isRequired: boolean } | undefined;
  /** It takes an Idempotency-Key. */
  readonly isKeyed: boolean;
  readonly isStream: boolean;
  /** Undefined: nothing is returned. */
  readonly answer: ClientType | undefined;
  /** The list in each of its pages. */
  readonly items: Member | undefined;
}

export type Scalar = string | number | boolean | null;
export type ClientType =
  | { readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'null' | 'any' }
  | { readonly kind: 'values'; readonly values: readonly Scalar[] }
  | { readonly kind: 'list' | 'map'; readonly of: ClientType }
  | { readonly kind: 'union'; readonly of: readonly ClientType[] }
  | { readonly kind: 'shape'; readonly name: string };

export interface Shape {
  readonly name: string;
  /** Of a choice: those of all its variants. */
  readonly members: readonly Member[];
  /** The names of the shapes between which it is a choice. */
  readonly variants: readonly string[];
  /** The body of a PATCH: null and a missing member differ. */
  readonly isChange: boolean;
}

export interface Member {
  readonly name: string;
  readonly type: ClientType;
  readonly isRequired: boolean;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * Whether clients have a method for the operation. Left out: pages, the protocols of wallets and of
 * agents, and second addresses of an operation.
 */
export function isForPrograms(path: string, operation: OperationObject): boolean {
  if (/AtRoot$|^serveMcp$/.test(operation.operationId) || !/^\/(api|log|\.well-known)\//.test(path))
    return false;
  return Object.keys(successOf(operation)?.content ?? { none: true }).some((type) =>
    /json|none|text\/(plain|event-stream)/.test(type),
  );
}

const models = new WeakMap<OpenApiDocument, ClientModel>();

export function clientModelOf(document: OpenApiDocument): ClientModel {
  const known = models.get(document) ?? readModel(document);
  models.set(document, known);
  return known;
}

function readModel({ paths, components }: OpenApiDocument): ClientModel {
  const shapes = new Map<string, Shape>();
  /** Objects without a name of their own that are equal share the name of the first. */
  const nameless = new Map<string, string>();
  const named = components.schemas;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      return operation && isForPrograms(path, operation) ? [operationOf(path, method, operation)] : [];
    }),
  );
  for (const name of Object.keys(named)) {
    if (name.endsWith('Envelope') || name === 'ValidationDetail') referenceTo(name);
  }
  return { operations, shapes };

  function operationOf(path: string, method: string, operation: OperationObject): ClientOperation {
    const { operationId: id, parameters = [], requestBody, summary } = operation;
    const owner = pascal(id);
    const query = parameters.filter((parameter) => parameter.in === 'query');
    const content = successOf(operation)?.content ?? {};
    const json = Object.entries(content).find(([type]) => type.endsWith('json'))?.[1].schema;
    const answer = json
      ? typeOf(json, `${owner}Answer`)
      : Object.keys(content).length > 0
        ? ({ kind: 'text' } as const)
        : undefined;
    const [[mediaType, body] = []] = Object.entries(requestBody?.content ?? {});
    const bodyType = body && typeOf(body.schema, `${owner}Body`);
    if (method === 'patch' && bodyType?.kind === 'shape') markAsChange(bodyType.name);
    return {
      id,
      method: method.toUpperCase(),
      path,
      summary,
      pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
      body: bodyType && {
        type: bodyType,
        mediaType: mediaType ?? '',
        takesCsv: 'text/csv' in (requestBody?.content ?? {}),
        isRequired: requestBody?.required ?? false,
      },
      query:
        query.length === 0
          ? undefined
          : {
              name: shapeNamed(
                `${owner}Query`,
                query.map(({ name, schema, required = false }) => ({
                  name,
                  type: typeOf(schema, `${owner}Query${pascal(name)}`),
                  isRequired: required,
                })),
              ),
              isRequired: query.some(({ required }) => required),
            },
      isKeyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
      isStream: 'text/event-stream' in content,
      answer,
      items: query.some(({ name }) => name === 'cursor') ? itemsOf(id, answer) : undefined,
    };
  }

  function itemsOf(id: string, answer: ClientType | undefined): Member | undefined {
    const members = (answer?.kind === 'shape' && shapes.get(answer.name)?.members) || [];
    if (!members.some(({ name }) => name === 'nextCursor')) return undefined;
    const lists = members.filter(({ type }) => type.kind === 'list');
    if (lists.length !== 1) throw new Error(`${id}: a page has one list`);
    return lists[0];
  }

  /** @param owner names the type if it is an object without a name */
  function typeOf(schema: JsonSchema, owner: string): ClientType {
    const { $ref, type, items, properties, additionalProperties: others } = schema;
    if ($ref !== undefined) return referenceTo(String($ref).split('/').at(-1) ?? '');
    const choices = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined;
    if (choices) return choiceOf(choices, owner);
    if ('const' in schema) return { kind: 'values', values: [schema.const as Scalar] };
    if (schema.enum) return enumerated(schema.enum as readonly Scalar[]);
    if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, owner)));
    if (type === 'array') return { kind: 'list', of: itemType(schema, items as JsonSchema, owner) };
    if (type === 'object' || properties) {
      if (properties) return { kind: 'shape', name: namelessShape(schema, owner) };
      const isTyped = typeof others === 'object' && others !== null;
      return { kind: 'map', of: isTyped ? typeOf(others as JsonSchema, singular(owner)) : { kind: 'any' } };
    }
    if (type === 'string') return { kind: 'text' };
    if (type === 'integer' || type === 'number' || type === 'boolean' || type === 'null')
      return { kind: type };
    if (type === undefined && !schema.allOf) return { kind: 'any' };
    throw new Error(`${owner}: clients cannot be generated for ${JSON.stringify(schema)}`);
  }

  function itemType({ prefixItems }: JsonSchema, items: JsonSchema | undefined, owner: string): ClientType {
    if (!prefixItems) return items ? typeOf(items, singular(owner)) : { kind: 'any' };
    return union((prefixItems as readonly JsonSchema[]).map((item) => typeOf(item, singular(owner))));
  }

  function referenceTo(name: string): ClientType {
    const schema = named[name];
    if (!schema) throw new Error(`no schema is named ${name}`);
    // Other named schemas are short: their type is written where it is used.
    if (!schema.properties && !schema.anyOf && !schema.oneOf) return typeOf(schema, name);
    if (schema.properties && !shapes.has(name)) shapeOf(schema, name);
    return schema.properties ? { kind: 'shape', name } : typeOf(schema, name);
  }

  /** Of objects: a choice with a name. Of others: the types. */
  function choiceOf(choices: readonly JsonSchema[], owner: string): ClientType {
    const others = choices.filter(({ type }) => type !== 'null');
    if (others.length === 1) return union(choices.map((choice) => typeOf(choice, owner)));
    const types = others.map((choice, index) => typeOf(choice, variantName(choice, owner, index)));
    const variants = types.flatMap((type) => (type.kind === 'shape' ? [type.name] : []));
    const isOfObjects = variants.length === types.length;
    const chosen: ClientType = isOfObjects ? { kind: 'shape', name: owner } : union(types);
    if (isOfObjects) shapes.set(owner, { name: owner, variants, members: merged(variants), isChange: false });
    return others.length === choices.length ? chosen : union([chosen, { kind: 'null' }]);
  }

  function variantName({ properties = {} }: JsonSchema, owner: string, index: number): string {
    const own = Object.values(properties as Record<string, JsonSchema>).find(
      (member) => typeof member.const === 'string',
    );
    return owner + (own ? pascal(String(own.const)) : index + 1);
  }

  function merged(variants: readonly string[]): Member[] {
    const all = variants.map((name) => shapes.get(name)?.members ?? []);
    const names = new Set(all.flat().map(({ name }) => name));
    return [...names].map((name) => {
      const found = all.flatMap((members) => members.filter((member) => member.name === name));
      const used = found.filter(({ type }) => type.kind !== 'null');
      const isRequired = used.length === all.length && used.every((member) => member.isRequired);
      return { name, type: union(used.map(({ type }) => type)), isRequired };
    });
  }

  function namelessShape(schema: JsonSchema, owner: string): string {
    const content = JSON.stringify(schema, (key, value) => (key === 'description' ? undefined : value));
    const known = nameless.get(content);
    if (known !== undefined) return known;
    const name = freeName(owner);
    nameless.set(content, name);
    return shapeOf(schema, name);
  }

  /** A schema of the document can have the name that an object within another would get. */
  function freeName(owner: string): string {
    return owner in named || shapes.has(owner) ? freeName(`${owner}Data`) : owner;
  }

  function shapeOf(schema: JsonSchema, name: string): string {
    const required = (schema.required ?? []) as readonly string[];
    const shape = { name, variants: [], members: [] as Member[], isChange: false };
    shapes.set(name, shape); // first, since it can contain itself
    for (const [member, type] of Object.entries(schema.properties as Record<string, JsonSchema>)) {
      const isRequired = required.includes(member);
      shape.members.push({ name: member, type: typeOf(type, name + pascal(member)), isRequired });
    }
    return name;
  }

  function shapeNamed(name: string, members: readonly Member[]): string {
    const content = JSON.stringify(members);
    const known = nameless.get(content) ?? name;
    nameless.set(content, known);
    if (known === name) shapes.set(name, { name, members, variants: [], isChange: false });
    return known;
  }

  function markAsChange(name: string): void {
    const shape = shapes.get(name);
    if (shape) shapes.set(name, { ...shape, isChange: true });
  }
}

/** Without what occurs twice, and of one type the type itself. */
function union(types: readonly ClientType[]): ClientType {
  const flat = types.flatMap((type) => (type.kind === 'union' ? type.of : [type]));
  const values = [...new Set(flat.flatMap((type) => (type.kind === 'values' ? type.values : [])))];
  const others = new Map(
    flat.filter(({ kind }) => kind !== 'values').map((type) => [JSON.stringify(type), type]),
  );
  const distinct = [...(values.length > 0 ? [{ kind: 'values', values } as const] : []), ...others.values()];
  return distinct.length === 1 && distinct[0] ? distinct[0] : { kind: 'union', of: distinct };
}

function enumerated(values: readonly Scalar[]): ClientType {
  const known = { kind: 'values', values: values.filter((value) => value !== null) } as const;
  return known.values.length < values.length ? union([known, { kind: 'null' }]) : known;
}

/** The type without null, and whether null is among its values. */
export function splitNull(type: ClientType): { type: ClientType; isNullable: boolean } {
  if (type.kind !== 'union') return { type, isNullable: type.kind === 'null' };
  const others = type.of.filter(({ kind }) => kind !== 'null');
  return { type: union(others), isNullable: others.length < type.of.length };
}

/** `factors` names a list of `factor`. */
function singular(name: string): string {
  return /[^su]s$/.test(name) ? name.slice(0, -1) : `${name}Item`;
}

function successOf({ responses }: Pick<OperationObject, 'responses'>) {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
}
