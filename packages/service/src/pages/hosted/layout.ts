import { fill } from '#domain/fill.js';
import { parsedUrl } from '#domain/parsedUrl.js';
import { type Html, html } from '#kit/html.js';
import { type SerializedAnswer, serializedAnswer } from '#kit/http/answer.js';
import { chooseLanguage } from '../texts/chooseLanguage.js';
import { languages, type Texts } from '../texts/texts.js';
import { hostedStyle, type Stylesheet } from './style.js';

/** The reader of a page. */
export interface Reader {
  readonly texts: Texts;
  readonly opener: Opener | null;
  /** The public host of the service. */
  readonly host: string;
}

/** In the requested language, else the one that the browser prefers. */
export function readerOf(
  { lang }: { readonly lang?: unknown },
  header: (name: string) => string | undefined,
  baseUrl: string,
  opener: Opener | null = null,
): Reader {
  return { texts: chooseLanguage(lang, header('accept-language')), opener, host: new URL(baseUrl).host };
}

export interface HostedPage {
  readonly status: number;
  readonly title: string;
  readonly main: Html;
  /** Isolated (`bidiIsolate`). null: the page must not name the platform. */
  readonly platform: string | null;
  /**
   * The form that changes the language. Answers to a POST have none, because they cannot be
   * requested twice.
   */
  readonly languageForm?: { readonly action: string; readonly token?: string };
  /** A file of this service, by its path from the page, which loads public documents of the service. */
  readonly script?: string;
  /** The path of `local-times.js`, if the page has `momentElement`s. */
  readonly localTimes?: string;
  /** In addition to the style of all pages. */
  readonly style?: Stylesheet;
  /** The preview in chats and social networks. */
  readonly preview?: LinkPreview;
  /** The result for an embedding website. */
  readonly result?: 'confirmed' | 'declined' | null;
}

/** Absolute addresses. Nothing about a person beyond the public page itself. */
export interface LinkPreview {
  readonly url: string;
  readonly description: string;
  readonly image: { readonly url: string; readonly type: string; readonly alt: string };
}

/**
 * Renders the page. It loads nothing from elsewhere, and only the website that opened it may frame
 * it.
 */
export function hostedAnswer(page: HostedPage, reader: Reader): SerializedAnswer {
  const { texts, opener } = reader;
  return serializedAnswer({
    status: page.status,
    body: documentOf(page, reader).text,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': texts.tag,
      'Content-Security-Policy': contentSecurityPolicy(page, opener),
      Vary: 'Accept-Language',
    },
  });
}

function contentSecurityPolicy({ style, script, localTimes }: HostedPage, opener: Opener | null): string {
  return [
    "default-src 'none'",
    `style-src '${hostedStyle.hash}'${style ? ` '${style.hash}'` : ''}`,
    ...(opener !== null || script || localTimes ? ["script-src 'self'"] : []),
    ...(script ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${opener ?? "'none'"}`,
  ].join('; ');
}

function documentOf(page: HostedPage, reader: Reader): Html {
  const { texts, opener, host } = reader;
  return html`<!doctype html>
<html lang="${texts.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${page.title}</title>
${page.preview && previewTags(page.title, page.preview, reader)}
${hostedStyle.element}${page.style?.element}
${page.script && html`<script src="${page.script}" defer></script>`}${page.localTimes && html`<script src="${page.localTimes}" defer></script>`}
</head>
<body${opener !== null && html` class="embedded"`}>
<header>
<p>${host}</p>
${page.languageForm && languageForm(page.languageForm, reader)}
</header>
<main>
${page.main}
</main>
<footer>${page.platform !== null && html`<p>${fill(texts.shownBy, { host, platform: page.platform })}</p>`}</footer>
${opener !== null && html`<script src="../verify-embed.js" data-opener="${opener}" data-result="${page.result ?? ''}"></script>`}
</body>
</html>
`;
}

/** Open Graph (ogp.me). */
function previewTags(title: string, { url, description, image }: LinkPreview, { host }: Reader): Html {
  const properties = {
    type: 'website',
    site_name: host,
    title,
    description,
    url,
    image: image.url,
    'image:type': image.type,
    'image:alt': image.alt,
  };
  return html`${Object.entries(properties).map(([name, content]) => html`<meta property="og:${name}" content="${content}">`)}`;
}

/** A form, since a link would carry the token. */
function languageForm(
  { action, token }: NonNullable<HostedPage['languageForm']>,
  { texts, opener }: Reader,
): Html {
  return html`<form method="get" action="${action}" aria-label="${texts.languageLabel}">
${token !== undefined && html`<input type="hidden" name="token" value="${token}">`}
${embedFields(opener)}
${languages
  .filter(({ tag }) => tag !== texts.tag)
  .map(({ tag, name }) => html`<button name="lang" value="${tag}" lang="${tag}">${name}</button>`)}
</form>`;
}

/** Keeps the page in its frame from one step to the next. */
export function embedFields(opener: Opener | null): Html | null {
  if (opener === null) return null;
  return html`<input type="hidden" name="embed" value="1"><input type="hidden" name="origin" value="${opener}">`;
}

/** The origin of the website that opened the page in a frame, by `/verify-embed.js`. */
export type Opener = string;

const ORIGIN = /^https:\/\/[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/;
/** A developer's own machine, which rarely has a certificate. */
const LOCAL_ORIGIN = /^http:\/\/(localhost|127\.0\.0\.1)(:\d{1,5})?$/;
const MAX_ORIGIN_LENGTH = 300;

/**
 * The only origin that may frame the page and receives its result. null: the page is not embedded.
 * The value goes into a header and browsers compare it literally, so it must be exactly as a
 * browser writes it.
 */
export function openerOf({ embed, origin }: { embed?: unknown; origin?: unknown }): Opener | null {
  if (embed !== '1' || typeof origin !== 'string' || origin.length > MAX_ORIGIN_LENGTH) return null;
  if (!ORIGIN.test(origin) && !LOCAL_ORIGIN.test(origin)) return null;
  return parsedUrl(origin)?.origin === origin ? origin : null;
}
