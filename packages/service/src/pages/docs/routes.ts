import { z } from 'zod';
import { fail } from '#domain/errors.js';
import { inTurns } from '#kit/backpressure/yielder.js';
import type { SerializedAnswer } from '#kit/http/answer.js';
import { onFirstRequest, staticText } from '#kit/http/fixedDocument.js';
import type { OpenApiDocument } from '#kit/http/openapiSchemas.js';
import { MAX_ADDRESS, pathText } from '#kit/http/query.js';
import { everyone, type RouteTable, route } from '#kit/http/route.js';
import { HELD_SCHEMA_PATH } from '../../features/records/held/schemas.js';
import type { ServiceDeps } from '../../features/serviceDeps.js';
import { HTML, pageScript } from '../hosted/pageRoutes.js';
import { changelogFeed } from './changelogFeed.js';
import { HELD_SCHEMA_TYPE, heldSchema } from './heldSchema.js';
import { docsHtml, policyOf } from './layout.js';
import { docsError, MissingPage } from './missingPage.js';
import { SearchIndex, searchIndex } from './searchIndex.js';
import { type DocsSite, siteSteps } from './site.js';
import { css } from './style.js';

type Context = Parameters<ReturnType<typeof staticText>>[0];
type Answerer = (context: Context) => SerializedAnswer | Promise<SerializedAnswer>;

const JsonSchemaFile = z.record(z.string(), z.unknown());

const DocsPath = z.object({
  rest: pathText(MAX_ADDRESS),
});

export interface DocsDeps extends Pick<ServiceDeps, 'config'> {
  document(): Promise<OpenApiDocument>;
}

/** The documentation (RULES Y7, Y9): guides, and the reference from the OpenAPI document. */
export function docsRoutes(deps: DocsDeps): RouteTable {
  const answererOf = docsAnswerers(async () =>
    inTurns(siteSteps(await deps.document(), deps.config.baseUrl)),
  );
  const common = { access: everyone, tag: 'System' } as const;
  return {
    'GET !/docs': route({
      ...common,
      operationId: 'showApiReference',
      answers: { 200: HTML, 304: null },
      handle: (context) => answererOf('')(context),
    }),
    'GET !/docs/changelog.xml': route({
      ...common,
      operationId: 'readChangelogFeed',
      answers: { 200: { media: [{ type: 'application/atom+xml' }] }, 304: null },
      handle: staticText('application/atom+xml; charset=utf-8', changelogFeed(deps.config.baseUrl)),
    }),
    [`GET !${HELD_SCHEMA_PATH}`]: route({
      ...common,
      tag: 'Own record',
      operationId: 'readHeldDataSchema',
      answers: { 200: { media: [{ type: HELD_SCHEMA_TYPE, schema: JsonSchemaFile }] }, 304: null },
      handle: onFirstRequest(async () =>
        heldSchema(await deps.document(), `${deps.config.baseUrl}${HELD_SCHEMA_PATH}`),
      ),
    }),
    'GET !/llms.txt': route({
      ...common,
      operationId: 'readLlmsText',
      answers: { 200: { media: [{ type: 'text/plain' }] }, 304: null },
      handle: (context) => answererOf('llms.txt')(context),
    }),
    'GET !/docs/verify-embed': route({
      ...common,
      tag: 'Embeds',
      operationId: 'showVerifyEmbedExample',
      answers: { 200: HTML, 304: null },
      handle: (context) => answererOf('verify-embed')(context),
    }),
    'GET !/docs/trust-badge': route({
      ...common,
      tag: 'Embeds',
      operationId: 'showTrustBadgeExample',
      answers: { 200: HTML, 304: null },
      handle: (context) => answererOf('trust-badge')(context),
    }),
    'GET !/docs/{rest}': route({
      ...common,
      operationId: 'loadDocsPage',
      params: DocsPath,
      answers: {
        200: {
          json: SearchIndex,
          media: [
            ...HTML.media,
            { type: 'text/markdown' },
            { type: 'text/css' },
            { type: 'text/javascript' },
          ],
        },
        304: null,
      },
      errors: ['NOT_FOUND'],
      errorPage: docsError(deps.config.baseUrl),
      handle: (context) => answererOf(context.params.rest || '/')(context),
    }),
  };
}

/** The answers by their path below `/docs/`, each made once. */
function docsAnswerers(openSite: () => Promise<DocsSite>): (path: string) => Answerer {
  const made = new Map<string, Answerer>([
    ['docs.css', staticText('text/css; charset=utf-8', css)],
    ['docs.js', pageScript('docs')],
  ]);
  let site: Promise<DocsSite> | undefined;
  return (path) => async (context) => {
    const known = made.get(path);
    if (known) return known(context);
    site ??= openSite();
    const answerer = answererIn(await site, path);
    made.set(path, answerer);
    return answerer(context);
  };
}

function answererIn(site: DocsSite, path: string): Answerer {
  const { pages, menu, llms } = site;
  if (path === 'llms.txt') return staticText('text/plain; charset=utf-8', llms);
  if (path === 'search.json')
    return staticText('application/json; charset=utf-8', JSON.stringify(searchIndex(pages.values())));
  const { markdown } = pages.get(path.replace(/\.md$/, '')) ?? {};
  if (path.endsWith('.md') && markdown !== undefined)
    return staticText('text/markdown; charset=utf-8', markdown);
  const page = pages.get(path);
  if (!page)
    fail('NOT_FOUND', {
      message: `The documentation has no page "${path}". /docs lists its pages.`,
      cause: new MissingPage(path, site),
    });
  const headers = { 'Content-Security-Policy': policyOf(page) };
  return staticText('text/html; charset=utf-8', docsHtml(page, menu), headers);
}
