import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { fixedText, onFirstRequest, staticText } from '#kit/http/fixedDocument.js';
import { everyone, type Route, route } from '#kit/http/route.js';
import { packageFile } from '#kit/packageFile.js';
import { english, german, type Texts } from '../texts/texts.js';
import { type HostedPage, hostedAnswer, readerOf } from './layout.js';

/** The answer of a page, for the OpenAPI document. */
export const HTML = { media: [{ type: 'text/html' }] };

/** The query of pages for people. */
export const LanguageQuery = z.object({
  lang: z.unknown().optional().meta({ type: 'string' }),
});

/** A page that differs in its language alone, rendered once for each. */
export function fixedPage(
  operationId: string,
  tag: string,
  baseUrl: string,
  render: (texts: Texts) => HostedPage,
): Route {
  const { host } = new URL(baseUrl);
  const pageIn = (texts: Texts) =>
    onFirstRequest(() => {
      const { headers, body } = hostedAnswer(render(texts), { texts, opener: null, host });
      return fixedText('text/html; charset=utf-8', Buffer.from(String(body)), headers);
    });
  const pages = { en: pageIn(english), de: pageIn(german) };
  return route({
    operationId,
    access: everyone,
    tag,
    query: LanguageQuery,
    answers: { 200: HTML, 304: null },
    handle: (context) => pages[readerOf(context.query, context.header, baseUrl).texts.tag](context),
  });
}

/** The route of a script of the pages. */
export function scriptRoute(operationId: string, tag: string, name: PageScript): Route {
  return route({
    operationId,
    access: everyone,
    tag,
    answers: { 200: { media: [{ type: 'text/javascript' }] }, 304: null },
    handle: pageScript(name),
  });
}

type PageScript = 'check' | 'docs' | 'how' | 'localTimes' | 'offer';

/** A script of the pages (`browser/`), read on its first request. */
export function pageScript(name: PageScript) {
  return onFirstRequest(async () => staticText('text/javascript; charset=utf-8', await readScript(name)));
}

/** As `bundle.mjs` built it. When the service runs from its sources, it is built now. */
async function readScript(name: PageScript): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return readFile(packageFile(`dist/pages/${name}.js`), 'utf8');
  const bundler = (await import(packageFile('bundle.mjs').href)) as {
    bundlePageScript(name: PageScript): Promise<string>;
  };
  return bundler.bundlePageScript(name);
}
