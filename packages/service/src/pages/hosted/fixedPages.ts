import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { SerializedAnswer } from '../../kit/http/answer.js';
import { fixedText, staticText } from '../../kit/http/fixedDocument.js';
import { packageFile } from '../../kit/packageFile.js';
import { chooseLanguage } from '../texts/chooseLanguage.js';
import type { Texts } from '../texts/texts.js';
import { type HostedPage, hostedAnswer } from './layout.js';

/** The query of pages for people. */
export const LanguageQuery = z.object({
  lang: z.unknown().optional().meta({ type: 'string' }),
});

interface PageContext {
  readonly query: { readonly lang?: unknown };
  header(name: string): string | undefined;
}

/** A page that differs in its language alone, rendered once for each. */
export function fixedPages(
  render: (texts: Texts) => HostedPage,
  host: string,
): (context: PageContext) => SerializedAnswer {
  const pages = new Map<string, ReturnType<typeof fixedText>>();
  return (context) => {
    const texts = chooseLanguage(context.query.lang, context.header('accept-language'));
    const known = pages.get(texts.tag);
    if (known) return known(context);
    const { headers, body } = hostedAnswer(render(texts), { texts, opener: null, host });
    const page = fixedText('text/html; charset=utf-8', Buffer.from(String(body)), headers);
    pages.set(texts.tag, page);
    return page(context);
  };
}

type PageScript = 'check' | 'docs' | 'how' | 'localTimes' | 'offer';

/** A script of the pages (`browser/`), read on its first request. */
export function pageScript(
  name: PageScript,
): (context: Pick<PageContext, 'header'>) => Promise<SerializedAnswer> {
  let script: Promise<ReturnType<typeof staticText>> | undefined;
  return async (context) => {
    script ??= readScript(name).then((text) => staticText('text/javascript; charset=utf-8', text));
    return (await script)(context);
  };
}

/** As `bundle.mjs` built it. When the service runs from its sources, it is built now. */
async function readScript(name: PageScript): Promise<string> {
  if (!import.meta.url.endsWith('.ts')) return readFile(packageFile(`dist/pages/${name}.js`), 'utf8');
  const bundler = (await import(packageFile('bundle.mjs').href)) as {
    bundlePageScript(name: PageScript): Promise<string>;
  };
  return bundler.bundlePageScript(name);
}
