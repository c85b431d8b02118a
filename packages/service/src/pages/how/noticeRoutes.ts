import { z } from 'zod';
import { fixedText } from '#kit/http/fixedDocument.js';
import { pathText } from '#kit/http/query.js';
import { everyone, type RouteTable, route } from '#kit/http/route.js';
import type { ServiceDeps } from '../../features/serviceDeps.js';
import { readNotice } from '../../features/tenancy/platforms/store.js';
import { errorPage, inOtherLanguage, plainPage } from '../hosted/endPages.js';
import { brokenLink } from '../hosted/icons.js';
import { hostedAnswer, readerOf } from '../hosted/layout.js';
import { HTML, LanguageQuery } from '../hosted/pageRoutes.js';
import { noticePage } from './noticePage.js';

const PlatformPath = z.object({ platform: pathText() });

/** The notice for the people that a platform scores (RULES Z11). */
export function noticeRoutes({
  config,
  db,
  clock,
}: Pick<ServiceDeps, 'config' | 'db' | 'clock'>): RouteTable {
  const { baseUrl, reviewWindowMs, retentionTextDays } = config;
  return {
    'GET !/how/{platform}': route({
      operationId: 'showTransparencyNotice',
      access: everyone,
      tag: 'Scores',
      params: PlatformPath,
      query: LanguageQuery,
      answers: { 200: HTML, 304: null },
      errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE'],
      errorPage(error, { requestId, query, header }) {
        const reader = readerOf(Object(query), header, baseUrl);
        const page =
          error.code === 'NOT_FOUND'
            ? plainPage(404, brokenLink, reader.texts.notice.unknown)
            : errorPage(error, requestId, reader);
        return hostedAnswer(inOtherLanguage(page), reader);
      },
      async handle(context) {
        const reader = readerOf(context.query, context.header, baseUrl);
        const platform = await readNotice(db, context.params.platform);
        const terms = { reviewWindowMs, retentionTextDays, now: clock.now() };
        const { headers, body } = hostedAnswer(noticePage(platform, terms, reader), reader);
        return fixedText('text/html; charset=utf-8', Buffer.from(String(body)), headers)(context);
      },
    }),
  };
}
