import { type ErrorCode, errorCatalog } from '#domain/errorCatalog.js';
import type { ServiceError } from '#domain/errors.js';
import { fill } from '#domain/fill.js';
import { parsedUrl } from '#domain/parsedUrl.js';
import { fillHtml, type Html, type HtmlValue, html } from '#kit/html.js';
import { PlatformIsClosed } from '../../features/attestation/attestations/attestation.js';
import { bidiIsolate, type PageText, type Texts } from '../texts/texts.js';
import { nameOf } from './askPage.js';
import type { HostedRequest } from './attestationAdapter.js';
import { momentElement } from './formats.js';
import { back, brokenLink, clock, cross, tick } from './icons.js';
import type { HostedPage, Reader } from './layout.js';

/** The outcome of a request that is no longer pending, for the holder of its token. */
export function outcomePage(
  request: HostedRequest,
  reader: Reader,
  { isFresh, status }: { isFresh: boolean; status: 200 | 409 },
): HostedPage {
  const platform = bidiIsolate(request.platformName);
  const { icon, text, values } = isFresh ? thanks(request, reader.texts) : decided(request, reader.texts);
  return {
    status,
    title: fill(text.title, { platform }),
    platform,
    main: html`${body(icon, text, { platform, ...values })}${returnLink(request.returnUrl, reader)}`,
    localTimes: '../local-times.js',
    result: results[request.status] ?? null,
  };
}

const results: Readonly<Partial<Record<string, 'confirmed' | 'declined'>>> = {
  CONFIRMED: 'confirmed',
  DECLINED: 'declined',
};

interface EndText {
  readonly icon: Html;
  readonly text: PageText;
  readonly values?: Readonly<Record<string, HtmlValue>>;
}

/** Right after the answer. */
function thanks(request: HostedRequest, texts: Texts): EndText {
  const values = { subject: bidiIsolate(nameOf(request)) };
  if (request.status !== 'CONFIRMED') return { icon: cross, text: texts.declined, values };
  const text = request.entry.kind === 'confirmation' ? texts.confirmed : texts.referenceConfirmed;
  return { icon: tick, text, values };
}

/** For later visits. */
function decided({ status, respondedAt, expiresAt }: HostedRequest, texts: Texts): EndText {
  const answered = (answer: string) => ({
    answer,
    given: respondedAt && fillHtml(texts.answerGiven, { moment: momentElement(respondedAt, texts) }),
  });
  switch (status) {
    case 'CONFIRMED':
      return { icon: tick, text: texts.alreadyAnswered, values: answered(texts.ask.yes) };
    case 'DECLINED':
      return { icon: cross, text: texts.alreadyAnswered, values: answered(texts.ask.no) };
    case 'CANCELLED':
      return { icon: back, text: texts.cancelled };
    default:
      return { icon: clock, text: texts.expired, values: { moment: momentElement(expiresAt, texts) } };
  }
}

/**
 * Names the host, because the platform chose the address. Omitted in a frame, where the opening
 * website is still there.
 */
function returnLink(returnUrl: string | null, { texts, opener }: Reader): Html | null {
  const url = returnUrl === null || opener !== null ? null : parsedUrl(returnUrl);
  if (url?.protocol !== 'https:') return null;
  return html`<p class="onward"><a href="${url.href}" rel="noreferrer">${fill(texts.backTo, { host: url.host })}</a></p>`;
}

/** An error page. It reveals nothing about a request, not even whether it exists. */
export function errorPage(error: ServiceError, requestId: string, { texts }: Reader): HostedPage {
  const isClosed = error.cause instanceof PlatformIsClosed;
  const { icon, text, namesRequest }: ErrorText = isClosed
    ? { icon: clock, text: texts.closed }
    : errorText(error.code, texts);
  const page = {
    status: error.status,
    title: text.title,
    platform: null,
    main: html`${body(icon, text)}${namesRequest && html`<p class="soft">${texts.requestId} <code>${requestId}</code></p>`}`,
  };
  // Only where the token is wrong: the choice of the language loses it.
  return text === texts.wrongLink ? inOtherLanguage(page) : page;
}

interface ErrorText extends EndText {
  readonly namesRequest?: true;
}

function errorText(code: ErrorCode, texts: Texts): ErrorText {
  switch (code) {
    case 'CONFIRMATION_TOKEN_INVALID':
    case 'REFERENCE_TOKEN_INVALID':
      return { icon: brokenLink, text: texts.wrongLink };
    case 'CONFIRMATION_SELF':
    case 'REFERENCE_SELF':
      return { icon: brokenLink, text: texts.noOtherParty };
    case 'RATE_LIMIT_EXCEEDED':
      return { icon: clock, text: texts.tooMany };
    case 'SERVICE_UNAVAILABLE':
    case 'OVERLOADED':
      return { icon: clock, text: texts.unavailable };
    default:
      return errorCatalog[code].status < 500
        ? { icon: brokenLink, text: texts.unreadable }
        : { icon: brokenLink, text: texts.failed, namesRequest: true };
  }
}

/** With a choice of the language: the address of the page itself, without its query. */
export function inOtherLanguage(page: HostedPage): HostedPage {
  return { ...page, languageForm: { action: '?' } };
}

/** A page with only a text. */
export function plainPage(status: number, icon: Html, text: PageText): HostedPage {
  return { status, title: text.title, platform: null, main: body(icon, text) };
}

function body(icon: Html, { heading, paragraphs }: PageText, values: EndText['values'] = {}): Html {
  return html`<div class="icon">${icon}</div>
<h1>${heading}</h1>
${paragraphs.map((paragraph) => html`<p>${fillHtml(paragraph, values)}</p>`)}`;
}
