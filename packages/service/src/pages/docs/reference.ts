import type { Steps } from '#kit/backpressure/yielder.js';
import { type Html, html } from '#kit/html.js';
import type { OpenApiDocument, OperationObject } from '#kit/http/openapiSchemas.js';
import { API_PREFIX } from '#kit/http/route.js';
import { deliveryArticle, deliveryTerms } from './delivery.js';
import { heading } from './heading.js';
import { baseUrlOf, operationArticle, type PlacedOperation } from './operation.js';
import { addressOf, type DocsPage, rootFrom, type Section } from './page.js';
import { inline, prose } from './prose.js';
import { schemaFields } from './schemaFields.js';

/** The operations of one tag of the OpenAPI document. */
interface Resource {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly operations: readonly PlacedOperation[];
}

const DELIVERIES = 'reference/deliveries';
const TERMS = 'headers-and-answers';

/** The reference of the API: an index, and below it a page for each resource. */
export function* referencePage(document: OpenApiDocument): Steps<DocsPage> {
  const resources = resourcesOf(document);
  const below: DocsPage[] = [];
  for (const resource of resources) {
    below.push(resourcePage(document, resource));
    yield;
  }
  below.push(deliveriesPage(document));
  return {
    path: 'reference',
    title: 'API reference',
    summary: 'Every operation by resource, with its fields, errors and examples.',
    sections: [],
    below,
    content: () => index(document, resources),
  };
}

/** The pages of operations and deliveries, by what code calls them: `recordEvent`, `POST /events`. */
export function referenceAddresses(document: OpenApiDocument): ReadonlyMap<string, string> {
  const operations = resourcesOf(document).flatMap(({ path, operations }) =>
    operations.flatMap((placed) => {
      const { operationId } = placed.operation;
      const names = [placed.path, placed.path.replace(API_PREFIX, ''), placed.also ?? placed.path];
      return [operationId, ...names.map((name) => operationKey(`${placed.method} ${name}`))].map(
        (name): [string, string] => [name, `${addressOf(path)}#${operationId}`],
      );
    }),
  );
  const deliveries = Object.values(document.webhooks).map(({ post }): [string, string] => [
    post.summary,
    `${addressOf(DELIVERIES)}#${post.operationId}`,
  ]);
  return new Map([...operations, ...deliveries]);
}

/** Texts may name the parameters of a path as they like. */
export function operationKey(name: string): string {
  return name.replace(/\{\w+\}/g, '{}');
}

function resourcesOf(document: OpenApiDocument): Resource[] {
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    path: `reference/${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`,
    operations: operationsWith(document, name),
  }));
}

/** Shows an operation that is served both under /api/v1 and at the root once. */
function operationsWith(document: OpenApiDocument, tag: string): PlacedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(
        ([method, operation]) =>
          operation.tags.includes(tag) && !isTwin(document, API_PREFIX + path, method, operation),
      )
      .map(([method, operation]) => {
        const root = path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path;
        const also = root !== path && isTwin(document, root, method, operation) ? root : undefined;
        return { method: method.toUpperCase(), path, also, operation };
      }),
  );
}

function isTwin(
  document: OpenApiDocument,
  path: string,
  method: string,
  operation: OperationObject,
): boolean {
  return document.paths[path]?.[method]?.summary === operation.summary;
}

function index(document: OpenApiDocument, resources: readonly Resource[]): Html {
  const root = rootFrom('reference');
  return html`<p class="version">API ${document.info.version} <span>${baseUrlOf(document)}</span></p>
${prose(document.info.description)}
<p><a href="${root}openapi.json">OpenAPI 3.1 document</a></p>
${resources.map(
  ({ name, description, path, operations }) => html`<h2><a href="${root}${addressOf(path)}">${name}</a></h2>
<p class="lead">${inline(description)}</p>
<ul class="operations">${operations.map(
    ({ method, path: address, operation: { operationId, summary } }) =>
      html`<li id="${operationId}"><a href="${root}${addressOf(path)}#${operationId}">${methodChip(method)} <span>${summary}</span> <code>${address.replace(API_PREFIX, '')}</code></a></li>`,
  )}</ul>`,
)}
<h2><a href="${root}${addressOf(DELIVERIES)}">Deliveries</a></h2>
<p class="lead">The messages that webhooks and streams receive.</p>
<ul class="operations">${Object.values(document.webhooks).map(
    ({ post: { operationId, summary } }) =>
      html`<li id="${operationId}"><a href="${root}${addressOf(DELIVERIES)}#${operationId}"><code>${summary}</code></a></li>`,
  )}</ul>`;
}

function methodChip(method: string): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

function resourcePage(
  document: OpenApiDocument,
  { name, description, path, operations }: Resource,
): DocsPage {
  return {
    path,
    title: name,
    summary: description,
    isWide: true,
    sections: operations.map((placed) => operationSection(document, placed)),
    content: () => html`<p class="lead">${inline(description)}</p>
${operations.map((placed) => operationArticle(document, placed))}`,
  };
}

function operationSection(document: OpenApiDocument, { method, path, operation }: PlacedOperation): Section {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const schemas = [requestBody, ...Object.values(responses)].flatMap((part) => {
    const schema = part?.content?.['application/json']?.schema;
    return schema ? schemaFields(schema, document.components.schemas) : [];
  });
  const names = new Set([...parameters, ...schemas].map(({ name }) => name));
  return {
    id: operationId,
    title: summary,
    level: 2,
    text: `${method} ${path} ${operationId} ${description} ${[...names].join(' ')}`,
  };
}

function deliveriesPage(document: OpenApiDocument): DocsPage {
  const {
    webhooks,
    components: { schemas },
  } = document;
  const posts = Object.values(webhooks).map(({ post }) => post);
  const [first] = posts;
  return {
    path: DELIVERIES,
    title: 'Deliveries',
    summary: 'The POST requests that webhook endpoints receive, by type.',
    isWide: true,
    sections: [
      { id: TERMS, title: 'Headers and answers', level: 2, text: '' },
      ...posts.map(({ operationId, summary, description }) => ({
        id: operationId,
        title: summary,
        level: 2,
        text: description,
      })),
    ],
    content:
      () => html`<p class="lead">The POST requests that webhook endpoints receive, by type. Headers and the meaning of answers are the same for all types.</p>
${heading(2, TERMS, 'Headers and answers')}
${first && deliveryTerms(first, schemas)}
${posts.map((post) => deliveryArticle(post, schemas, baseUrlOf(document)))}`,
  };
}
