import { z } from 'zod';
import components from '../../../data/components.json' with { type: 'json' };
import { isUuid } from '../ids.js';
import { mapValues } from '../lists.js';
import { isMediaAnswer, type MediaAnswer } from './answer.js';
import { FORM_TYPE } from './bodies.js';
import { UNKNOWN_PARAMETERS } from './mount.js';
import { errorResponses, headerReferences } from './openapiErrors.js';
import {
  type JsonSchema,
  type MediaTypeObject,
  mediaType,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  type SchemaRegistry,
} from './openapiSchemas.js';
import { type Access, API_PREFIX, type Operation, type Route } from './route.js';

export function operationObject(operation: Operation, registry: SchemaRegistry): OperationObject {
  const { route } = operation;
  const parameters = parametersOf(operation, registry);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    ...(route.deprecated && { deprecated: true }),
    security: securityOf(route.access),
    ...(route.access.kind === 'key' &&
      route.access.scope && { 'x-scope': scopeOf(route.access.scope, operation.method) }),
    ...(route.plan && { 'x-plan-feature': route.plan }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBodyOf(route.body, route, registry) }),
    responses: responsesOf(operation, registry),
  };
}

function descriptionOf(route: Route): string {
  const { deprecated, description } = route;
  if (!deprecated) return description;
  const { replacement, link } = deprecated;
  const [since, end] = [deprecated.since, deprecated.sunset].map((date) => date.toISOString().slice(0, 10));
  return `${description}\n\nDeprecated since ${since}, ends on ${end}. Instead: ${replacement}. See ${link}`;
}

function securityOf(access: Access): OperationObject['security'] {
  if (access.kind === 'public') return [];
  return access.kind === 'key' ? [{ apiKey: [] }] : [{ adminSecret: [] }];
}

function scopeOf({ resource, action }: { resource: string; action: string }, method: string): string {
  if (action === 'either') return `${resource}:read or ${resource}:write`;
  if (action !== 'byMethod') return `${resource}:${action}`;
  return `${resource}:${method === 'GET' ? 'read' : 'write'}`;
}

function parametersOf({ path, route }: Operation, registry: SchemaRegistry): ParameterObject[] {
  const inPath = parametersIn('path', route.params, registry, (name) => [
    `${ownerOf(route)}.${name}`,
    `${path.slice(0, path.indexOf(`{${name}}`)).replace(API_PREFIX, '')}{${name}}`,
  ]);
  return [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']): ParameterObject => {
      const described = inPath.find((parameter) => parameter.name === name);
      return described ?? { name, in: 'path', required: true, schema: { type: 'string' } };
    }),
    ...parametersIn('query', route.query, registry, (name) => [`${ownerOf(route)}.${name}`]),
    ...(route.idempotent ? [components.parameters.idempotencyKey] : []),
    ...(route.answers[304] !== undefined ? [components.parameters.ifNoneMatch] : []),
  ];
}

function ownerOf({ twinOf, operationId }: Route): string {
  return twinOf ?? operationId;
}

/** @param ownersOf a parameter: under these names `data/` can have its text and its example */
function parametersIn(
  where: 'path' | 'query',
  schema: z.ZodType | undefined,
  registry: SchemaRegistry,
  ownersOf: (name: string) => string[],
): ParameterObject[] {
  if (!schema) return [];
  const object = startOf(schema);
  if (!(object instanceof z.ZodObject)) throw new Error('a query or params schema must be an object');
  const { texts, examples } = registry;
  return Object.entries(object.shape).map(([name, type]) => {
    const owners = ownersOf(name);
    const {
      description,
      examples: [inSchema] = [],
      ...placed
    } = registry.place(type, 'text', name).schema as ParameterSchema;
    const any = `Any parameter.${name}`;
    const own = first(owners, examples.of) ?? type.meta()?.example ?? inSchema;
    const given = own ?? (placed.type === 'string' ? examples.of(any) : undefined);
    const example = typeof given === 'string' && placed.type !== 'string' ? JSON.parse(given) : given;
    // Schemas accept any text as an id, since a malformed id gives the same 404 as an unknown one.
    const isId = where === 'path' && typeof example === 'string' && isUuid(example);
    return {
      name,
      in: where,
      ...((where === 'path' || !type.safeParse(undefined).success) && { required: true }),
      description: first(owners, texts.of) ?? description ?? texts.of(any),
      schema: isId ? { ...placed, format: 'uuid' } : placed,
      example,
    };
  });
}

type ParameterSchema = JsonSchema & { readonly description?: string; readonly examples?: readonly unknown[] };

function first<Value>(keys: readonly string[], find: (key: string) => Value | undefined): Value | undefined {
  for (const key of keys) {
    const found = find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A refined or transformed query is a pipe that begins with an object. */
function startOf(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodPipe ? startOf(schema.in as z.ZodType) : schema;
}

function requestBodyOf(
  body: z.ZodType,
  route: Route,
  registry: SchemaRegistry,
): OperationObject['requestBody'] {
  const owner = ownerOf(route);
  return {
    required: !route.bodyOptional,
    content: {
      [bodyTypeOf(route)]: mediaType(registry.place(body, 'input', owner)),
      ...(route.formBody && { [FORM_TYPE]: mediaType(registry.place(body, 'input', owner)) }),
      ...(route.csvBody && {
        'text/csv': { schema: { type: 'string' }, example: registry.examples.of(`${owner} text/csv`) },
      }),
    },
  };
}

function bodyTypeOf({ textBody, form }: Route): string {
  if (typeof textBody === 'string') return textBody;
  return textBody ? 'text/plain' : form ? FORM_TYPE : 'application/json';
}

function responsesOf(operation: Operation, registry: SchemaRegistry): OperationObject['responses'] {
  const answers = successResponses(operation.route, registry);
  const errors = errorResponses(operation, registry);
  const twice = Object.keys(answers).find((status) => errors[status]);
  if (!twice) return { ...answers, ...errors };
  const { method, path } = operation;
  throw new Error(`${method} ${path} has status ${twice} both in its answers and in its errors`);
}

function successResponses(route: Route, registry: SchemaRegistry): Record<string, ResponseObject> {
  return mapValues(route.answers, (answer, status) => ({
    description: descriptionOfAnswer(Number(status), answer, registry),
    headers: successHeaders(route),
    ...(answer && { content: contentOf(answer, `${ownerOf(route)} ${status}`, registry) }),
  }));
}

function successHeaders(route: Route): ResponseObject['headers'] {
  return headerReferences([
    'X-Request-Id',
    UNKNOWN_PARAMETERS,
    ...(route.unmetered ? [] : headersNamed('RateLimit-')),
    ...(route.access.kind === 'key' ? headersNamed('X-Quota-') : []),
    ...(route.idempotent ? ['Idempotent-Replay'] : []),
    ...(route.answers[304] !== undefined ? ['ETag'] : []),
    ...(route.deprecated ? ['Deprecation', 'Sunset', 'Link'] : []),
  ]);
}

function headersNamed(prefix: string): string[] {
  return Object.keys(components.headers).filter((name) => name.startsWith(prefix));
}

/** @param owner of the examples, and of the texts of a schema without a name */
function contentOf(
  answer: z.ZodType | MediaAnswer,
  owner: string,
  registry: SchemaRegistry,
): Record<string, MediaTypeObject> {
  const json = isMediaAnswer(answer) ? answer.json : answer;
  return {
    ...(json && { 'application/json': answerOf(json, owner) }),
    ...Object.fromEntries(
      (isMediaAnswer(answer) ? answer.media : []).map(({ type: fullType, schema }) => {
        const type = essenceOf(fullType);
        const named = `${owner} ${type}`;
        const example = registry.examples.of(named) ?? registry.examples.of(`Any answer ${type}`);
        return [type, schema ? answerOf(schema, named) : { schema: { type: 'string' }, example }];
      }),
    ),
  };

  function answerOf(schema: z.ZodType, key: string): MediaTypeObject {
    const placed = registry.place(schema, 'output', key);
    return mediaType({ ...placed, example: registry.examples.of(key) ?? placed.example });
  }
}

export function essenceOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

function descriptionOfAnswer(
  status: number,
  answer: z.ZodType | MediaAnswer | null,
  registry: SchemaRegistry,
): string {
  const schema = answer === null ? undefined : isMediaAnswer(answer) ? answer.json : answer;
  return (schema && registry.descriptionOf(schema)) ?? sentences[status] ?? 'Done.';
}

const sentences: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'Created.',
  202: 'Accepted; the work continues in the background.',
  204: 'Done. The answer has no body.',
  303: 'The answer is at the address in `Location`.',
  304: 'The copy named in `If-None-Match` is still current.',
};
