import { fail } from '../../domain/errors.js';
import type { ServiceDeps } from '../../features/serviceDeps.js';
import type { LoadOffer } from '../../features/sharing/wallets/offers.js';
import { offerPath } from '../../features/sharing/wallets/schemas.js';
import { everyone, type RouteTable, route } from '../../kit/http/route.js';
import { groupOfToken } from '../../kit/ids.js';
import { errorPage, inOtherLanguage, plainPage } from '../hosted/endPages.js';
import { LanguageQuery, pageScript } from '../hosted/fixedPages.js';
import { brokenLink } from '../hosted/icons.js';
import { hostedAnswer, type Reader } from '../hosted/layout.js';
import { chooseLanguage } from '../texts/chooseLanguage.js';
import { offerPage } from './offerPage.js';

interface OfferPageDeps extends Pick<ServiceDeps, 'config'> {
  loadOffer: LoadOffer;
}

/** The page of a credential offer (RULES W5). */
export function offerRoutes({ config, loadOffer }: OfferPageDeps): RouteTable {
  const { host } = new URL(config.baseUrl);
  const readerOf = (lang: unknown, header: (name: string) => string | undefined): Reader => ({
    texts: chooseLanguage(lang, header('accept-language')),
    opener: null,
    host,
  });
  return {
    'GET !/offers/{id}': route({
      operationId: 'showOfferPage',
      access: everyone,
      tag: 'Wallets',
      params: offerPath,
      query: LanguageQuery,
      groupOf: ({ params }) => groupOfToken(params.id),
      answers: { 200: { media: [{ type: 'text/html' }] } },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
      async handle({ params, query, header }) {
        const offer = await loadOffer(params.id);
        if (!offer) return fail('NOT_FOUND');
        const reader = readerOf(query.lang, header);
        return hostedAnswer(offerPage(offer, reader.texts), reader);
      },
      errorPage(error, { requestId, query, header }) {
        const reader = readerOf((query as { lang?: unknown } | null)?.lang, header);
        const page =
          error.code === 'NOT_FOUND'
            ? plainPage(error.status, brokenLink, reader.texts.offer.ended)
            : errorPage(error, requestId, reader);
        return hostedAnswer(inOtherLanguage(page), reader);
      },
    }),
    'GET !/offer.js': route({
      operationId: 'loadOfferScript',
      access: everyone,
      tag: 'Wallets',
      answers: { 200: { media: [{ type: 'text/javascript' }] }, 304: null },
      handle: pageScript('offer'),
    }),
  };
}
