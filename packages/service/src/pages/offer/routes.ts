import { fail } from '#domain/errors.js';
import { everyone, type RouteTable, route } from '#kit/http/route.js';
import { groupOfToken } from '#kit/ids.js';
import type { ServiceDeps } from '../../features/serviceDeps.js';
import type { LoadOffer } from '../../features/sharing/wallets/offers.js';
import { offerPath } from '../../features/sharing/wallets/schemas.js';
import { errorPage, inOtherLanguage, plainPage } from '../hosted/endPages.js';
import { brokenLink } from '../hosted/icons.js';
import { hostedAnswer, readerOf } from '../hosted/layout.js';
import { HTML, LanguageQuery } from '../hosted/pageRoutes.js';
import { offerPage } from './offerPage.js';

export interface OfferPageDeps extends Pick<ServiceDeps, 'config'> {
  loadOffer: LoadOffer;
}

/** The page of a credential offer (RULES W5). */
export function offerRoutes({ config, loadOffer }: OfferPageDeps): RouteTable {
  const { baseUrl } = config;
  return {
    'GET !/offers/{id}': route({
      operationId: 'showOfferPage',
      access: everyone,
      tag: 'Wallets',
      params: offerPath,
      query: LanguageQuery,
      groupOf: ({ params }) => groupOfToken(params.id),
      answers: { 200: HTML },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE', 'OVERLOADED'],
      async handle({ params, query, header }) {
        const offer = await loadOffer(params.id);
        if (!offer) return fail('NOT_FOUND');
        const reader = readerOf(query, header, baseUrl);
        return hostedAnswer(offerPage(offer, reader.texts), reader);
      },
      errorPage(error, { requestId, query, header }) {
        const reader = readerOf(query ?? {}, header, baseUrl);
        const page =
          error.code === 'NOT_FOUND'
            ? plainPage(error.status, brokenLink, reader.texts.offer.ended)
            : errorPage(error, requestId, reader);
        return hostedAnswer(inOtherLanguage(page), reader);
      },
    }),
  };
}
