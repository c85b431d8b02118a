import type { ServiceDeps } from '../../features/serviceDeps.js';
import { everyone, type RouteTable, route } from '../../kit/http/route.js';
import { fixedPages, LanguageQuery, pageScript } from '../hosted/fixedPages.js';
import { howPage } from './howPage.js';

/** The page that explains the score to the public, with an example to change. */
export function howRoutes({ config }: Pick<ServiceDeps, 'config'>): RouteTable {
  return {
    'GET !/how': route({
      operationId: 'showHowPage',
      access: everyone,
      tag: 'Scores',
      query: LanguageQuery,
      answers: { 200: { media: [{ type: 'text/html' }] }, 304: null },
      handle: fixedPages(howPage, new URL(config.baseUrl).host),
    }),
    'GET !/how.js': route({
      operationId: 'loadHowScript',
      access: everyone,
      tag: 'Scores',
      answers: { 200: { media: [{ type: 'text/javascript' }] }, 304: null },
      handle: pageScript('how'),
    }),
  };
}
