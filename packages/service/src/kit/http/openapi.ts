import type { z } from 'zod';
import components from '../../../data/components.json' with { type: 'json' };
import type { Steps } from '../backpressure/yielder.js';
import { mapValues } from '../lists.js';
import { errorExamples } from './openapiErrors.js';
import { operationObject } from './openapiOperation.js';
import {
  asJson,
  createSchemaRegistry,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  type SchemaRegistry,
} from './openapiSchemas.js';
import { type Examples, examplesFrom, type FieldTexts, parseFieldTexts } from './openapiTexts.js';
import { API_PREFIX, operationsOf, type RouteTable } from './route.js';

export interface OpenApiText {
  readonly baseUrl: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  /** A sentence or two about each tag. Tags appear in this order, unlisted ones last. */
  readonly tags: Readonly<Record<string, string>>;
  readonly fields?: FieldTexts;
  readonly examples?: Examples;
  readonly idSources?: IdSources;
  readonly deliveries?: DeliveryTexts;
}

/**
 * The OpenAPI 3.1 document, derived only from the route table. So it describes exactly the mounted routes. It
 * is made in a step for each operation: the whole takes a quarter of a second. Throws if two schemas share a
 * name, two operations share an operationId, or a route names an unknown error code.
 */
export function* openApiSteps(table: RouteTable, text: OpenApiText): Steps<OpenApiDocument> {
  const { fields = parseFieldTexts([]), examples = examplesFrom({}), idSources = {} } = text;
  const registry = createSchemaRegistry(fields, examples);
  const paths: Record<string, Record<string, OperationObject>> = {};
  const ids = new Set<string>();
  const tags = new Set<string>();
  for (const operation of operationsOf(table)) {
    const described = operationObject(operation, registry);
    if (ids.has(described.operationId))
      throw new Error(`two operations have the operationId ${described.operationId}`);
    ids.add(described.operationId);
    tags.add(operation.route.tag);
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described };
    yield;
  }
  yield;
  const webhooks = text.deliveries ? webhookObjects(text.deliveries, registry) : {};
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const responses = operations.flatMap((operation) => Object.values(operation.responses));
  return {
    openapi: '3.1.1',
    info: {
      title: text.title,
      version: text.version,
      description: text.description,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: text.baseUrl }],
    tags: tagList(tags, text.tags),
    paths: withLinks(paths, idSources),
    webhooks,
    components: {
      schemas: { ...registry.named(), ...components.schemas },
      examples: picked(
        errorExamples(examples),
        responses.flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {})),
      ),
      headers: picked(
        components.headers,
        responses.flatMap(({ headers }) => Object.keys(headers ?? {})),
      ),
      securitySchemes: picked(
        components.securitySchemes,
        operations.flatMap(({ security }) => security.flatMap((scheme) => Object.keys(scheme))),
      ),
    },
  };
}

function tagList(used: ReadonlySet<string>, described: OpenApiText['tags']): OpenApiDocument['tags'] {
  const ordered = new Set([...Object.keys(described).filter((name) => used.has(name)), ...used]);
  return [...ordered].map((name) => ({ name, description: described[name] ?? '' }));
}

function picked<Value>(all: Readonly<Record<string, Value>>, names: readonly string[]) {
  const used = new Set(names);
  return Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
}

/** The document as it is sent. Equal error answers are written once, which makes it a quarter smaller. */
export function withSharedErrors(document: OpenApiDocument): object {
  const responses: Record<string, ResponseObject> = {};
  const share = (response: ResponseObject): ResponseObject | { $ref: string } => {
    const [[type, media] = [], ...others] = Object.entries(response.content ?? {});
    // The codes determine everything else in an error answer, unless it is also a page.
    if (type !== 'application/json' || !media?.examples || others.length > 0) return response;
    const name = Object.keys(media.examples).join('.');
    responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };
  const paths = mapValues(document.paths, (methods) =>
    mapValues(methods, (operation) => ({ ...operation, responses: mapValues(operation.responses, share) })),
  );
  return { ...document, paths, components: { ...document.components, responses } };
}

type IdSources = Readonly<Record<string, string>>;

/**
 * The source of a placeholder of an address (`/webhooks/{id}`), or of a field of the query (`?`) or
 * body (`#`): the operation, and a JSON pointer into the body of its answer, with the leading slash.
 */
export function sourceOf(
  sources: IdSources,
  path: string,
  location: 'path' | '?' | '#',
  name: string,
): { operationId: string; pointer: string } | null {
  const address = path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path;
  const end = address.indexOf(`{${name}}`) + name.length + 2;
  const source = sources[location === 'path' ? address.slice(0, end) : `${address}${location}${name}`];
  if (source === undefined) return null;
  const [operationId = ''] = source.split('/', 1);
  return { operationId, pointer: source.slice(operationId.length) };
}

interface Placed {
  readonly path: string;
  readonly operation: OperationObject;
}

/** The paths, with links from each operation that creates an id to the operations that take it. */
function withLinks(paths: OpenApiDocument['paths'], sources: IdSources): OpenApiDocument['paths'] {
  const takers = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
  return mapValues(paths, (methods, path) =>
    mapValues(methods, (operation) => {
      const links: Record<string, object> = {};
      for (const taker of takers) {
        const parameters = suppliedBy({ path, operation }, taker, sources);
        const { operationId } = taker.operation;
        if (parameters) links[operationId] = { operationId, parameters };
      }
      if (Object.keys(links).length === 0) return operation;
      const responses = mapValues(operation.responses, (response, status) =>
        Number(status) < 300 ? { ...response, links } : response,
      );
      return { ...operation, responses };
    }),
  );
}

function suppliedBy(
  maker: Placed,
  taker: Placed,
  sources: IdSources,
): Readonly<Record<string, string>> | null {
  const fromAnswer: Record<string, string> = {};
  const fromRequest: Record<string, string> = {};
  for (const { name, in: where } of taker.operation.parameters ?? []) {
    if (where === 'header') continue;
    const source = sourceOf(sources, taker.path, where === 'path' ? 'path' : '?', name);
    if (source === null) continue;
    if (source.operationId === maker.operation.operationId)
      fromAnswer[name] = `$response.body#${source.pointer}`;
    else if (
      where === 'path' &&
      sourceOf(sources, maker.path, 'path', name)?.operationId === source.operationId
    )
      fromRequest[name] = `$request.path.${name}`;
  }
  return Object.keys(fromAnswer).length === 0 ? null : { ...fromRequest, ...fromAnswer };
}

/** The messages to receivers. All have the same headers and the same answers. */
export interface DeliveryTexts {
  readonly tag: string;
  readonly headers: readonly Omit<ParameterObject, 'in' | 'required'>[];
  /** The meaning of an answer to the service, by status or range of statuses (`2XX`). */
  readonly answers: Readonly<Record<string, string>>;
  /** `schema` is that of the whole body, of a type such as `score.updated`. It has a name (`id` in its meta). */
  readonly messages: readonly { type: string; description: string; schema: z.ZodType; example: object }[];
}

function webhookObjects(
  { tag, headers, answers, messages }: DeliveryTexts,
  registry: SchemaRegistry,
): OpenApiDocument['webhooks'] {
  const parameters = headers.map((header) => ({ ...header, in: 'header', required: true }) as const);
  const responses = mapValues(answers, (description) => ({ description }));
  return Object.fromEntries(
    messages.map(({ type, description, schema: given, example }) => {
      const { schema } = registry.place(given, 'output', type);
      const post = {
        operationId: `on${pascalCased(type)}`,
        tags: [tag],
        summary: type,
        description,
        security: [],
        parameters,
        requestBody: {
          required: true,
          content: { 'application/json': { schema, example: asJson(example) } },
        },
        responses,
      };
      return [type, { post }];
    }),
  );
}

/** `score.band_changed` gives `ScoreBandChanged`. */
export function pascalCased(type: string): string {
  return type.replace(/(?:^|[._])(.?)/g, (_, letter: string) => letter.toUpperCase());
}
