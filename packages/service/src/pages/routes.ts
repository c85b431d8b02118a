import { readFileSync } from 'node:fs';
import { staticText } from '#kit/http/fixedDocument.js';
import { everyone, type Route, type RouteTable, route } from '#kit/http/route.js';
import { packageFile } from '#kit/packageFile.js';
import { originOf } from '#ledger/log/logKey.js';
import type { AttestationDeps } from '../features/attestation/attestations/kind.js';
import type { Status } from '../features/system/system/schemas.js';
import { achievementRoutes } from './achievements/routes.js';
import { checkPage } from './check/checkPage.js';
import { consolePages } from './console/routes.js';
import { type DocsDeps, docsRoutes } from './docs/routes.js';
import { hostedAnswer, readerOf } from './hosted/layout.js';
import { fixedPage, HTML, LanguageQuery, scriptRoute } from './hosted/pageRoutes.js';
import { hostedRoutes } from './hosted/routes.js';
import { howPage } from './how/howPage.js';
import { noticeRoutes } from './how/noticeRoutes.js';
import { type OfferPageDeps, offerRoutes } from './offer/routes.js';
import { type RecordPageDeps, recordRoutes } from './record/routes.js';
import { statusPage } from './status/statusPage.js';
import type { VerifyPageDeps } from './verify/answerVerify.js';
import { verifyPageRoutes } from './verify/routes.js';

interface PagesDeps extends AttestationDeps, DocsDeps, OfferPageDeps, RecordPageDeps, VerifyPageDeps {
  readStatus(): Promise<Status>;
}

/** Every page of the service, with the scripts that they load. */
export function pageRoutes(deps: PagesDeps): RouteTable {
  const { baseUrl } = deps.config;
  const did = `did:web:${encodeURIComponent(new URL(baseUrl).host)}`;
  const service = { baseUrl, did, origin: originOf(baseUrl, 0) };
  return {
    ...verifyPageRoutes(deps),
    // In the browser anyone checks a credential or a proof (RULES C14).
    'GET !/check': fixedPage('showCheckPage', 'Verification', baseUrl, (texts) => checkPage(service, texts)),
    'GET !/check.js': scriptRoute('loadCheckScript', 'Verification', 'check'),
    ...consolePages(deps),
    'GET !/how': fixedPage('showHowPage', 'Scores', baseUrl, howPage),
    'GET !/how.js': scriptRoute('loadHowScript', 'Scores', 'how'),
    ...noticeRoutes(deps),
    ...offerRoutes(deps),
    'GET !/offer.js': scriptRoute('loadOfferScript', 'Wallets', 'offer'),
    'GET !/status': route({
      operationId: 'showStatusPage',
      access: everyone,
      tag: 'System',
      query: LanguageQuery,
      answers: { 200: HTML },
      async handle({ query, header }) {
        const reader = readerOf(query, header, baseUrl);
        const page = statusPage(await deps.readStatus(), deps.clock.now(), reader.texts);
        const answer = hostedAnswer(page, reader);
        return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'no-store' } };
      },
    }),
    ...docsRoutes(deps),
    ...achievementRoutes(deps),
    ...hostedRoutes(deps),
    ...recordRoutes(deps),
    'GET !/local-times.js': scriptRoute('loadLocalTimesScript', 'Hosted pages', 'localTimes'),
    'GET !/verify-embed.js': embedScript('loadVerifyEmbed', 'verify-embed.js'),
    'GET !/trust-badge.js': embedScript('loadTrustBadge', 'trust-badge.js'),
  };
}

/**
 * A script for other websites (RULES C10), with a page about it in the documentation. Any website may
 * load it, even a cross-origin isolated one.
 */
function embedScript(operationId: string, name: string): Route {
  const text = readFileSync(packageFile(`browser/${name}`), 'utf8');
  return route({
    operationId,
    access: everyone,
    tag: 'Embeds',
    answers: { 200: { media: [{ type: 'text/javascript' }] }, 304: null },
    handle: staticText('text/javascript; charset=utf-8', text, {
      'Cross-Origin-Resource-Policy': 'cross-origin',
    }),
  });
}
