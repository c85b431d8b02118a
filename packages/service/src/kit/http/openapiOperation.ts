import { z } from 'zod';
import { errorResponses } from './openapiErrors.js';
import type { PlacedSchema, SchemaShelf } from './openapiSchemas.js';
import type {
  JsonSchema,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
} from './openapiTypes.js';
import {
  type Access,
  API_PREFIX,
  isMediaAnswer,
  type MediaAnswer,
  type Operation,
  type Route,
} from './route.js';

/** One line of the route table as OpenAPI says it. */
export function operationObject(operation: Operation, shelf: SchemaShelf): OperationObject {
  const { route } = operation;
  const parameters = parametersOf(operation, shelf);
  return {
    operationId: operationIdOf(operation),
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    ...(route.deprecated && { deprecated: true }),
    security: securityOf(route.access),
    ...(route.access.kind === 'key' &&
      route.access.scope && { 'x-scope': scopeOf(route.access.scope, operation.method) }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBodyOf(route.body, route, shelf) }),
    responses: joined(operation, successResponses(route, shelf), errorResponses(operation)),
  };
}

type Responses = Record<string, ResponseObject>;

function joined({ method, path }: Operation, answers: Responses, errors: Responses): Responses {
  const twice = Object.keys(answers).find((status) => errors[status]);
  if (twice)
    throw new Error(`${method} ${path} names ${twice} both as an answer and, by its errors, as an error`);
  return { ...answers, ...errors };
}

/** `GET /users/{id}/score` is getUsersScore, `GET /webhooks/{id}` getWebhooksById, an address at the root starts getRoot. */
export function operationIdOf({ method, path }: Operation): string {
  const isRoot = !path.startsWith(`${API_PREFIX}/`);
  const segments = (isRoot ? path : path.slice(API_PREFIX.length))
    .split('/')
    .filter((segment) => segment !== '');
  const words = segments.flatMap((segment, index) => {
    const name = /^\{(\w+)\}/.exec(segment)?.[1];
    if (name === undefined) return segment.split(/[^A-Za-z0-9]+/);
    return index === segments.length - 1 ? ['by', name] : [];
  });
  return method.toLowerCase() + [isRoot ? 'root' : '', ...words].map(capitalised).join('');
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function descriptionOf(route: Route): string | undefined {
  const { deprecated } = route;
  const ending = deprecated
    ? `Deprecated since ${isoDay(deprecated.since)}, ends on ${isoDay(deprecated.sunset)}. Instead: ${deprecated.replacement}. See ${deprecated.link}`
    : undefined;
  const paragraphs = [route.description, ending].filter((paragraph) => paragraph !== undefined);
  return paragraphs.length === 0 ? undefined : paragraphs.join('\n\n');
}

function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

function securityOf(access: Access): OperationObject['security'] {
  if (access.kind === 'public') return [];
  return access.kind === 'key' ? [{ apiKey: [] }] : [{ adminSecret: [] }];
}

function scopeOf({ resource, action }: { resource: string; action: string }, method: string): string {
  if (action !== 'byMethod') return `${resource}:${action}`;
  return `${resource}:${method === 'GET' ? 'read' : 'write'}`;
}

function parametersOf({ path, route }: Operation, shelf: SchemaShelf): ParameterObject[] {
  const inPath = new Map(fieldsOf(route.params, shelf).map((field) => [field.name, field]));
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return [
    ...pathNames.map((name): ParameterObject => {
      const { description, schema, example } = inPath.get(name) ?? { schema: { type: 'string' } };
      return { name, in: 'path', required: true, description, schema, example };
    }),
    ...fieldsOf(route.query, shelf).map(
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

interface Field extends PlacedSchema {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
}

/** The fields of an object schema, each on its own. */
function fieldsOf(schema: z.ZodType | undefined, shelf: SchemaShelf): Field[] {
  if (!schema) return [];
  const object = startOf(schema);
  if (!(object instanceof z.ZodObject)) throw new Error('a query or params schema has to be an object');
  return Object.entries(object.shape).map(([name, type]) => {
    const { schema: placed } = shelf.place(type, 'text');
    const { description, examples, ...rest } = placed;
    const given = type.meta()?.example ?? (Array.isArray(examples) ? examples[0] : undefined);
    const isNumber = rest.type === 'integer' || rest.type === 'number';
    const example = isNumber && typeof given === 'string' ? Number(given) : given;
    const said = typeof description === 'string' ? description : commonDescriptions[name];
    return { name, required: !type.safeParse(undefined).success, description: said, schema: rest, example };
  });
}

/** What means the same wherever it stands, unless the line says more. */
const commonDescriptions: Readonly<Record<string, string>> = {
  limit: 'How many entries a page holds at most.',
  format: 'The form of the answer.',
};

/** A query that is checked as a whole is still an object at its beginning. */
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
        'A name of your own for this request. Sent again under the same key within 7 days, the request is not done twice: the first answer comes back with `Idempotent-Replay: true`.',
      schema: { type: 'string', minLength: 8, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
      example: 'order-4711-delivered',
    });
  }
  if (route.answers[304] !== undefined) {
    headers.push({
      name: 'If-None-Match',
      in: 'header',
      description:
        'The `ETag` of the copy you hold. While it is still right the answer is 304 without a body.',
      schema: { type: 'string' },
      example: '"q1Zr0mX2f8c"',
    });
  }
  return headers;
}

function requestBodyOf(body: z.ZodType, route: Route, shelf: SchemaShelf): RequestBodyObject {
  return {
    required: !route.bodyOptional,
    content: { 'application/json': mediaType(shelf.place(body, 'input')) },
  };
}

function mediaType({ schema, example }: PlacedSchema): MediaTypeObject {
  return example === undefined ? { schema } : { schema, example: asJson(example) };
}

/** Examples may be written with Date objects, as handlers answer with them. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function successResponses(route: Route, shelf: SchemaShelf): Responses {
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, answer]) => {
      const content = answer === null ? undefined : contentOf(answer, shelf);
      const description = descriptionOfAnswer(Number(status), answer);
      return [status, { description, headers: successHeaders(route), ...(content && { content }) }];
    }),
  );
}

function contentOf(answer: z.ZodType | MediaAnswer, shelf: SchemaShelf): Record<string, MediaTypeObject> {
  if (!isMediaAnswer(answer)) return { 'application/json': mediaType(shelf.place(answer, 'output')) };
  const text: JsonSchema = { type: 'string' };
  return {
    ...(answer.json && { 'application/json': mediaType(shelf.place(answer.json, 'output')) }),
    ...Object.fromEntries(
      answer.media.map(({ type, example }) => [essenceOf(type), { schema: text, example }]),
    ),
  };
}

/** A media type without its parameters: `text/csv; charset=utf-8` is text/csv. */
export function essenceOf(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

function descriptionOfAnswer(status: number, answer: z.ZodType | MediaAnswer | null): string {
  const schema = answer === null ? undefined : isMediaAnswer(answer) ? answer.json : answer;
  return schema?.meta()?.description ?? sentences[status] ?? 'Done.';
}

const sentences: Readonly<Record<number, string>> = {
  200: 'The answer.',
  201: 'Created.',
  202: 'Accepted; the work goes on.',
  204: 'Done; there is nothing to say.',
  304: 'The copy named in `If-None-Match` is still right.',
};

function successHeaders(route: Route): ResponseObject['headers'] {
  const names = [
    'X-Request-Id',
    ...(route.idempotent ? ['Idempotent-Replay'] : []),
    ...(route.answers[304] !== undefined ? ['ETag'] : []),
    ...(route.deprecated ? ['Deprecation', 'Sunset', 'Link'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
