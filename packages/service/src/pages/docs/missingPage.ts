import type { ServiceError } from '#domain/errors.js';
import { html } from '#kit/html.js';
import { type Answer, serializedAnswer } from '#kit/http/answer.js';
import { errorBody } from '#kit/http/errorAnswer.js';
import { preferredType } from '#kit/http/fixedDocument.js';
import type { FailedRequest } from '#kit/http/route.js';
import { docsHtml, policyOf } from './layout.js';
import { addressOf, type DocsPage } from './page.js';
import type { DocsSite } from './site.js';

/** Why there is no such page: what was asked for, and the pages that there are. */
export class MissingPage extends Error {
  constructor(
    readonly path: string,
    readonly site: DocsSite,
  ) {
    super(path);
  }
}

/**
 * Errors of the documentation: a page with ways on for people, JSON for programs.
 * @param baseUrl the public address of this service
 */
export function docsError(baseUrl: string): (error: ServiceError, request: FailedRequest) => Answer {
  // Not relative, as on other pages: the address has any number of slashes.
  const root = new URL(`${baseUrl}/`).pathname;
  return (error, { requestId, header }) => {
    const { status, cause } = error;
    const common = { Vary: 'Accept', 'Cache-Control': 'no-store' };
    if (preferredType(header('accept'), ['application/json', 'text/html']) !== 'text/html')
      return { status, body: errorBody(error, requestId), headers: { ...common, 'Content-Type': JSON_TYPE } };
    const missing = cause instanceof MissingPage ? cause : null;
    const page = errorPage(error, missing, root);
    return serializedAnswer({
      status,
      body: docsHtml(page, missing?.site.menu ?? [], root),
      headers: {
        ...common,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policyOf(page),
      },
    });
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';

function errorPage({ message }: ServiceError, missing: MissingPage | null, root: string): DocsPage {
  const near = missing ? pagesLike(missing) : [];
  return {
    path: 'error',
    title: missing ? 'Page not found' : 'This page cannot be shown',
    summary: '',
    sections: [],
    content:
      () => html`<p>${missing ? html`The documentation has no page <code>${missing.path}</code>.` : message}</p>
${near.length > 0 && html`<h2>Did you mean</h2><ul>${near.map(({ path, title }) => html`<li><a href="${root}${addressOf(path)}">${title}</a></li>`)}</ul>`}
<p><a class="begin" href="${root}docs">All pages</a></p>
<p>Search the documentation at the top of this page, or press <kbd>/</kbd>.</p>`,
  };
}

const MAX_NEAR = 5;

/** The page above it, and pages with a word of its name in theirs. */
function pagesLike({ path, site }: MissingPage): DocsPage[] {
  const above = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const words = path
    .slice(above.length)
    .toLowerCase()
    .split(/[^a-z0-9]+/, 20);
  const stems = words.filter((word) => word.length > 3).map((word) => word.slice(0, 6));
  return [...site.pages.values()]
    .filter((page) => page.path !== '')
    .filter((page) => page.path === above || stems.some((stem) => page.path.includes(stem)))
    .slice(0, MAX_NEAR);
}
