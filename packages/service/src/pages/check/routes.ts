import type { ServiceDeps } from '../../features/serviceDeps.js';
import { everyone, type RouteTable, route } from '../../kit/http/route.js';
import { originOf } from '../../ledger/log/logKey.js';
import { fixedPages, LanguageQuery, pageScript } from '../hosted/fixedPages.js';
import { checkPage } from './checkPage.js';

/** The page on which anyone checks a credential or a proof, in the browser (RULES C14). */
export function checkRoutes({ config }: Pick<ServiceDeps, 'config'>): RouteTable {
  const { baseUrl } = config;
  const { host } = new URL(baseUrl);
  const service = { baseUrl, did: `did:web:${encodeURIComponent(host)}`, origin: originOf(baseUrl, 0) };
  return {
    'GET !/check': route({
      operationId: 'showCheckPage',
      access: everyone,
      tag: 'Verification',
      query: LanguageQuery,
      answers: { 200: { media: [{ type: 'text/html' }] }, 304: null },
      handle: fixedPages((texts) => checkPage(service, texts), host),
    }),
    'GET !/check.js': route({
      operationId: 'loadCheckScript',
      access: everyone,
      tag: 'Verification',
      answers: { 200: { media: [{ type: 'text/javascript' }] }, 304: null },
      handle: pageScript('check'),
    }),
  };
}
