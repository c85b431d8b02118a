import { type Html, html } from '../../kit/html.js';
import type { OpenApiDocument, OperationObject } from '../../kit/http/openapiTypes.js';
import { API_PREFIX } from '../../kit/http/route.js';
import { deliveryArticle, deliveryTerms } from './delivery.js';
import { errorSentence, operationArticle, type PlacedOperation } from './operation.js';
import { inline, prose } from './prose.js';
import { style } from './style.js';

/** The API reference: one page without script, generated from the OpenAPI document. */
export function docsPage(document: OpenApiDocument): Html {
  const groups = document.tags.map((tag) => ({ ...tag, operations: operationsWith(document, tag.name) }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title}: API reference</title>
${style}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<div class="page">
<nav aria-label="Operations">${contents(groups)}</nav>
<main id="content">
<header>
<p class="version">API ${document.info.version} <span>${document.servers[0]?.url}</span></p>
<h1>${document.info.title}</h1>
${prose(document.info.description)}
<p class="links"><a href="/openapi.json">OpenAPI 3.1 document</a>, <a href="/docs/verify-embed">how to embed the hosted pages</a>, <a href="/docs/trust-badge">how to show a trust badge</a></p>
</header>
${groups.map(
  ({ name, description, operations }) => html`<section aria-labelledby="${anchorOf(name)}">
<h2 id="${anchorOf(name)}">${name}</h2>
<p class="lead">${inline(description)}</p>
${operations.map((operation) => operationArticle(document, operation))}
</section>`,
)}
${deliveries(document)}
${errorTable(document)}
</main>
</div>
</body>
</html>
`;
}

interface Group {
  readonly name: string;
  readonly operations: readonly PlacedOperation[];
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

function anchorOf(tag: string): string {
  return `tag-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
}

/** Collapsed on narrow screens. On wide screens the style shows it beside the text. */
function contents(groups: readonly Group[]): Html {
  return html`<details><summary>Contents</summary>
${groups.map(
  ({ name, operations }) =>
    html`<p><a href="#${anchorOf(name)}">${name}</a></p><ul>${operations.map(
      ({ method, operation }) =>
        html`<li><a href="#${operation.operationId}"><span class="method ${method.toLowerCase()}">${method}</span> <span>${operation.summary}</span></a></li>`,
    )}</ul>`,
)}
<p><a href="#deliveries">Deliveries</a></p><p><a href="#errors">Errors</a></p></details>`;
}

function deliveries({ webhooks, components }: OpenApiDocument): Html {
  const [first] = Object.values(webhooks);
  return html`<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>
<p class="lead">The POST requests that webhook endpoints receive, by type. Headers and the meaning of answers are the same for all types.</p>
${first && deliveryTerms(first.post, components.schemas)}
${Object.values(webhooks).map(({ post }) => deliveryArticle(post, components.schemas))}</section>`;
}

function errorTable(document: OpenApiDocument): Html {
  const statuses = statusesOf(document);
  return html`<section aria-labelledby="errors"><h2 id="errors">Errors</h2>
<p class="lead">Every error has the same shape. Handle errors by <code>code</code>. For an unknown code, use the status.</p>
<ul class="fields errors">${Object.keys(document.components.examples).map((code) => {
    const value = document.components.examples[code]?.value as { retryable?: boolean };
    return html`<li id="${code}"><code>${code}</code> <small>${statuses.get(code)}</small>
${value.retryable && html`<span class="chip">retry</span>`}<p>${inline(errorSentence(document, code))}</p></li>`;
  })}</ul></section>`;
}

function statusesOf(document: OpenApiDocument): Map<string, string> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return new Map(
    operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        Object.keys(content?.['application/json']?.examples ?? {}).map((code): [string, string] => [
          code,
          status,
        ]),
      ),
    ),
  );
}
