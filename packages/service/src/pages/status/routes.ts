import type { ServiceDeps } from '../../features/serviceDeps.js';
import type { Status } from '../../features/system/system/schemas.js';
import { everyone, type RouteTable, route } from '../../kit/http/route.js';
import { LanguageQuery } from '../hosted/fixedPages.js';
import { hostedAnswer } from '../hosted/layout.js';
import { chooseLanguage } from '../texts/chooseLanguage.js';
import { statusPage } from './statusPage.js';

interface StatusPageDeps extends Pick<ServiceDeps, 'config' | 'clock'> {
  readStatus(): Promise<Status>;
}

/** The state of the service for people, beside `/status.json`. */
export function statusRoutes({ config, clock, readStatus }: StatusPageDeps): RouteTable {
  const { host } = new URL(config.baseUrl);
  return {
    'GET !/status': route({
      operationId: 'showStatusPage',
      access: everyone,
      tag: 'System',
      query: LanguageQuery,
      answers: { 200: { media: [{ type: 'text/html' }] } },
      async handle({ query, header }) {
        const texts = chooseLanguage(query.lang, header('accept-language'));
        const page = statusPage(await readStatus(), clock.now(), texts);
        const answer = hostedAnswer(page, { texts, opener: null, host });
        return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'no-store' } };
      },
    }),
  };
}
