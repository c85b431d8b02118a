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
      summary: 'Explain how the score works',
      description:
        'A page for people, in English or German by `Accept-Language`: what counts, the formula, and an example record that the ' +
        'reader changes. The browser calculates its score by the code that the service uses.',
      query: LanguageQuery,
      answers: { 200: { media: [{ type: 'text/html', example: '<!doctype html>...' }] }, 304: null },
      handle: fixedPages(howPage, new URL(config.baseUrl).host),
    }),
    'GET !/how.js': route({
      operationId: 'loadHowScript',
      access: everyone,
      tag: 'Scores',
      summary: 'Load the script of the page /how',
      description: 'The scoring formula as one file for browsers, which `/how` loads.',
      answers: { 200: { media: [{ type: 'text/javascript', example: '(()=>{...' }] }, 304: null },
      handle: pageScript('how'),
    }),
  };
}
