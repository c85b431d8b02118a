import { atOnce, type Steps } from '../backpressure/yielder.js';
import { errorExamples, errorSchemas } from './openapiErrors.js';
import { limitHeaderTexts } from './openapiLimits.js';
import { type IdSources, withLinks } from './openapiLinks.js';
import { operationObject } from './openapiOperation.js';
import { createSchemaRegistry } from './openapiSchemas.js';
import type { HeaderObject, OpenApiDocument, OperationObject } from './openapiTypes.js';
import { type DeliveryTexts, webhookObjects } from './openapiWebhooks.js';
import { UNKNOWN_PARAMETERS } from './queryNames.js';
import { operationsOf, type RouteTable } from './route.js';

export interface OpenApiText {
  /** The public address of the service, without a slash at the end. */
  readonly baseUrl: string;
  readonly version: string;
  readonly title: string;
  /** The text about all operations, in Markdown. */
  readonly description: string;
  /** A sentence or two about each tag. Tags appear in this order, unlisted ones last. */
  readonly tags: Readonly<Record<string, string>>;
  /** Default descriptions of fields by name; a description in the schema takes precedence. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The operations that create the ids used in requests. */
  readonly idSources?: IdSources;
  /** The messages that the service sends to receivers. */
  readonly deliveries?: DeliveryTexts;
}

/**
 * The OpenAPI 3.1 document, derived only from the route table. So it describes exactly the mounted
 * routes. Throws if two schemas share a name, two operations share an operationId, or a route names
 * an unknown error code.
 */
export function openApiDocument(table: RouteTable, text: OpenApiText): OpenApiDocument {
  return atOnce(openApiSteps(table, text));
}

/** As `openApiDocument`, in a step for each operation: the whole takes a quarter of a second. */
export function* openApiSteps(table: RouteTable, text: OpenApiText): Steps<OpenApiDocument> {
  const registry = createSchemaRegistry(text.fields);
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
    paths: withLinks(paths, text.idSources ?? {}),
    webhooks,
    components: {
      schemas: { ...registry.named(), ...errorSchemas },
      examples: usedExamples(paths),
      headers: headersOf(paths),
      securitySchemes: schemesOf(paths),
    },
  };
}

function tagList(used: ReadonlySet<string>, described: OpenApiText['tags']): OpenApiDocument['tags'] {
  const ordered = new Set([...Object.keys(described).filter((name) => used.has(name)), ...used]);
  return [...ordered].map((name) => ({ name, description: described[name] ?? '' }));
}

type Paths = OpenApiDocument['paths'];

function responsesOf(paths: Paths) {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => Object.values(operation.responses)),
  );
}

function usedExamples(paths: Paths) {
  const names = responsesOf(paths).flatMap(({ content }) =>
    Object.keys(content?.['application/json']?.examples ?? {}),
  );
  const used = new Set(names);
  return Object.fromEntries(Object.entries(errorExamples()).filter(([code]) => used.has(code)));
}

function headersOf(paths: Paths): Record<string, HeaderObject> {
  const used = new Set(responsesOf(paths).flatMap(({ headers }) => Object.keys(headers ?? {})));
  return Object.fromEntries(Object.entries(headerTexts).filter(([name]) => used.has(name)));
}

const headerTexts: Readonly<Record<string, HeaderObject>> = {
  'X-Request-Id': {
    description: 'The id of this request: the one that you sent, if it is valid, else a new one.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds to wait before you retry the request.',
    schema: { type: 'integer' },
  },
  [UNKNOWN_PARAMETERS]: {
    description: 'Unknown query parameters of the request, percent-encoded. They were ignored.',
    schema: { type: 'string' },
  },
  'Idempotent-Replay': {
    description: '`true` if this is the stored answer of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: { description: 'Identifies this version of the document.', schema: { type: 'string' } },
  Deprecation: {
    description: 'When the operation became deprecated: `@` and Unix seconds.',
    schema: { type: 'string' },
  },
  Sunset: { description: 'When the operation ends, as an HTTP date.', schema: { type: 'string' } },
  Link: { description: 'The page that explains the deprecation.', schema: { type: 'string' } },
  ...limitHeaderTexts,
};

function schemesOf(paths: Paths): Record<string, object> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const used = new Set(
    operations.flatMap(({ security }) => security.flatMap((scheme) => Object.keys(scheme))),
  );
  return Object.fromEntries(Object.entries(securitySchemes).filter(([name]) => used.has(name)));
}

const securitySchemes = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A key of the platform: `Authorization: Bearer crd_live_...`, or `crd_test_...` for the test mode. The key alone selects the mode.',
  },
  adminSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Admin-Secret',
    description: "The installation's operator secret.",
  },
};
