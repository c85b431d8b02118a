import { z } from 'zod';
import { MAX_ADDRESS, pathText } from '#kit/http/query.js';
import { everyone, type Route, type RouteTable, route } from '#kit/http/route.js';
import { groupOfToken } from '#kit/ids.js';
import type { AttestationDeps } from '../../features/attestation/attestations/kind.js';
import { confirmationAdapter, referenceAdapter } from './adapters.js';
import { answerHosted, hostedError, showHosted } from './answerHosted.js';
import type { AttestationAdapter } from './attestationAdapter.js';
import { HTML, LanguageQuery } from './pageRoutes.js';

/** The pages on which a counterparty answers (RULES A8). */
export function hostedRoutes(deps: AttestationDeps): RouteTable {
  const { baseUrl } = deps.config;
  return {
    ...pagesOf('Confirmation', confirmationAdapter(deps), baseUrl),
    ...pagesOf('Reference', referenceAdapter(deps), baseUrl),
  };
}

function pagesOf(name: string, adapter: AttestationAdapter, baseUrl: string): RouteTable {
  const noun = name.toLowerCase();
  const common: Pick<Route<typeof everyone>, 'access' | 'tag' | 'errorPage'> = {
    access: everyone,
    tag: 'Hosted pages',
    errorPage: hostedError(baseUrl),
  };
  return {
    [`GET !${adapter.pagePath}/{id}`]: route({
      operationId: `show${name}Page`,
      ...common,
      summary: `Show a ${noun} to its counterparty`,
      description:
        'A page for people, in English or German by `Accept-Language`. Opening it answers nothing, so mail scanners can follow the link. Every state of the request has a page with status 200. A wrong token is 401 and reveals nothing else. If the platform is closed, the page says so with 409. `/verify-embed.js` adds `embed` and `origin` and opens the page in a frame. Only that origin may frame it.',
      params: PathId,
      query: PageQuery,
      groupOf: ({ query }) => groupOfToken(query.token),
      answers: { 200: HTML },
      errors: [adapter.errors.token, 'CONFLICT', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
      handle: (context) => showHosted(adapter, baseUrl, context),
    }),
    [`POST !${adapter.pagePath}/{id}`]: route({
      operationId: `answer${name}Page`,
      ...common,
      summary: `Answer a ${noun} on its page`,
      description:
        'Receives the form of the page. Answers with a page: a thank-you, or the earlier outcome with status 409.',
      params: PathId,
      form: true,
      bodyOptional: true,
      body: PageForm,
      groupOf: ({ body }) => groupOfToken(body.token),
      answers: { 200: HTML },
      errors: [
        adapter.errors.token,
        adapter.errors.state,
        adapter.errors.self,
        'CONFLICT',
        'SERVICE_UNAVAILABLE',
        'OVERLOADED',
      ],
      handle: (context) => answerHosted(adapter, baseUrl, context),
    }),
  };
}

const PathId = z.object({
  id: pathText(MAX_ADDRESS),
});

/** Invalid fields are answered by a page, so nothing is rejected here. */
const field = z.unknown().optional().meta({ type: 'string' });

const frame = {
  ...LanguageQuery.shape,
  embed: field,
  origin: field,
};
const token = field;

const PageQuery = z.object({ token, ...frame });

const PageForm = z.object({ token, decision: field, ...frame }).meta({ id: 'HostedAnswer' });
