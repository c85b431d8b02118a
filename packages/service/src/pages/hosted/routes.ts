import { z } from 'zod';
import type { ConfirmationDeps } from '../../features/attestation/confirmations/deps.js';
import type { ReferenceDeps } from '../../features/attestation/references/deps.js';
import { everyone, type Route, type RouteTable, route } from '../../kit/http/route.js';
import { confirmationAdapter, referenceAdapter } from './adapters.js';
import { answerHosted, hostedFault, showHosted } from './answerHosted.js';
import type { AttestationAdapter } from './attestationAdapter.js';

/** Pages on which a counterparty answers (RULES A8). */
export function hostedRoutes(deps: ConfirmationDeps & ReferenceDeps): RouteTable {
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
    errorPage: hostedFault(baseUrl),
  };
  return {
    [`GET !/${adapter.path}/{id}`]: route({
      operationId: `show${name}Page`,
      ...common,
      summary: `Show a ${noun} to its counterparty`,
      description:
        'A page for people, in English or German by `Accept-Language`. Reading it decides nothing, so links may be looked at by mail scanners. Every state of the request has its page with status 200; a wrong token is 401 and says nothing more. Opened by `/verify-embed.js`, which adds `embed` and `origin`, it may be framed by exactly that origin.',
      params: PathId,
      query: PageQuery,
      answers: { 200: HTML },
      errors: [adapter.tokenFault, 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
      handle: (context) => showHosted(adapter, baseUrl, context),
    }),
    [`POST !/${adapter.path}/{id}`]: route({
      operationId: `answer${name}Page`,
      ...common,
      summary: `Answer a ${noun} on its page`,
      description:
        'What the form of the page posts. A page comes back: the thanks, or with 409 what the request has become before.',
      params: PathId,
      form: true,
      bodyOptional: true,
      body: PageForm,
      answers: { 200: HTML },
      errors: [
        adapter.tokenFault,
        adapter.stateFault,
        adapter.selfFault,
        'SERVICE_UNAVAILABLE',
        'OVERLOADED',
      ],
      handle: (context) => answerHosted(adapter, baseUrl, context),
    }),
  };
}

const HTML = { media: [{ type: 'text/html', example: '<!doctype html>...' }] };

const PathId = z.object({
  id: z
    .string()
    .meta({ description: 'The id of the request.', example: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34' }),
});

/** What is wrong with a field is said on a page, so nothing is refused here. */
const field = (description: string, example: string) =>
  z.unknown().optional().meta({ type: 'string', description, example });

const frame = {
  lang: field('`en` or `de`, in place of what the browser prefers.', 'de'),
  embed: field('`1` where the page is to be shown in a frame.', '1'),
  origin: field('The origin that frames it: https, or http on the same machine.', 'https://platform.example'),
};
const token = field('What the platform handed on: the capability to see and to answer.', 'cft_...');

const PageQuery = z.object({ token, ...frame });

const PageForm = z.object({ token, decision: field('`confirm` or `decline`.', 'confirm'), ...frame }).meta({
  id: 'HostedAnswer',
  description: 'The form of a hosted page.',
  example: { token: 'cft_...', decision: 'confirm' },
});
