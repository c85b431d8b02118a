import { z } from 'zod';
import type { ServiceDeps } from '../../features/serviceDeps.js';
import { fixedText, staticText } from '../../kit/http/fixedDocument.js';
import { everyone, type RouteTable, route } from '../../kit/http/route.js';
import { originOf } from '../../ledger/log/logKey.js';
import { hostedAnswer } from '../hosted/layout.js';
import { chooseLanguage } from '../texts/chooseLanguage.js';
import { checkPage } from './checkPage.js';
import { readCheckScript } from './script.js';

const Query = z.object({
  lang: z.unknown().optional().meta({
    type: 'string',
    description: '`en` or `de`. Default: the preference of the browser.',
    example: 'de',
  }),
});

type Answerer = ReturnType<typeof staticText>;

/** The page on which anyone checks a credential or a proof, in the browser (RULES C14). */
export function checkRoutes({ config }: Pick<ServiceDeps, 'config'>): RouteTable {
  const { baseUrl } = config;
  const { host } = new URL(baseUrl);
  const service = { baseUrl, did: `did:web:${encodeURIComponent(host)}`, origin: originOf(baseUrl, 0) };
  const pages = new Map<string, Answerer>();
  let script: Promise<Answerer> | undefined;
  return {
    'GET !/check': route({
      operationId: 'showCheckPage',
      access: everyone,
      tag: 'Verification',
      summary: 'Check a credential or a proof',
      description:
        'A page for people, in English or German by `Accept-Language`. It checks a credential, a receipt or the proof of a score ' +
        'in the browser: signature, dates, status and place in the transparency log. Nothing that is checked is sent.',
      query: Query,
      answers: { 200: { media: [{ type: 'text/html', example: '<!doctype html>...' }] }, 304: null },
      handle(context) {
        const texts = chooseLanguage(context.query.lang, context.header('accept-language'));
        const known = pages.get(texts.tag);
        if (known) return known(context);
        const { headers, body } = hostedAnswer(checkPage(service, texts), { texts, opener: null, host });
        const page = fixedText('text/html; charset=utf-8', Buffer.from(String(body)), headers);
        pages.set(texts.tag, page);
        return page(context);
      },
    }),
    'GET !/check.js': route({
      operationId: 'loadCheckScript',
      access: everyone,
      tag: 'Verification',
      summary: 'Load the script of the check page',
      description:
        'The verifier of receipts, proofs and credentials as one file for browsers, which `/check` loads.',
      answers: { 200: { media: [{ type: 'text/javascript', example: '(()=>{...' }] }, 304: null },
      async handle(context) {
        script ??= readCheckScript().then((text) => staticText('text/javascript; charset=utf-8', text));
        return (await script)(context);
      },
    }),
  };
}
