import type { Steps } from '../backpressure/yielder.js';
import { mapValues } from '../mapValues.js';
import { errorExamples, errorSchemas } from './openapiErrors.js';
import { headerTexts } from './openapiHeaders.js';
import { type IdSources, withLinks } from './openapiLinks.js';
import { operationObject } from './openapiOperation.js';
import { createSchemaRegistry } from './openapiSchemas.js';
import type { OpenApiDocument, OperationObject, ResponseObject } from './openapiTypes.js';
import { type DeliveryTexts, webhookObjects } from './openapiWebhooks.js';
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
 * routes. It is made in a step for each operation: the whole takes a quarter of a second.
 * Throws if two schemas share a name, two operations share an operationId, or a route names an
 * unknown error code.
 */
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
    paths: withLinks(paths, text.idSources ?? {}),
    webhooks,
    components: {
      schemas: { ...registry.named(), ...errorSchemas },
      examples: picked(
        errorExamples(),
        responses.flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {})),
      ),
      headers: picked(
        headerTexts,
        responses.flatMap(({ headers }) => Object.keys(headers ?? {})),
      ),
      securitySchemes: picked(
        securitySchemes,
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
