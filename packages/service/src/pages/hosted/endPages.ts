import { type ErrorCode, errorCatalog } from '../../domain/errorCatalog.js';
import type { ServiceError } from '../../domain/errors.js';
import { parsedUrl } from '../../domain/parsedUrl.js';
import { PlatformIsInactive } from '../../features/attestation/attestationRequest.js';
import { type Html, html } from '../../kit/html.js';
import type { PageText } from '../texts/pageText.js';
import { setApart, type Texts } from '../texts/texts.js';
import type { HostedRequest } from './attestationAdapter.js';
import { momentText } from './formats.js';
import type { HostedPage, Reader } from './layout.js';
import { back, clock, cross, gap, tick } from './signs.js';

/** What became of a request, for whom holds its token. Never called while it is pending. */
export function outcomePage(
  request: HostedRequest,
  reader: Reader,
  { isFresh, status }: { isFresh: boolean; status: 200 | 409 },
): HostedPage {
  const platform = setApart(request.platformName);
  const { sign, text } = isFresh ? thanks(request, reader.texts) : standing(request, reader.texts);
  return {
    status,
    title: text.title,
    platform,
    main: html`${body(sign, text)}${returnLink(request.returnUrl, reader)}`,
    result: results[request.status] ?? null,
  };
}

const results: Readonly<Partial<Record<string, 'confirmed' | 'declined'>>> = {
  CONFIRMED: 'confirmed',
  DECLINED: 'declined',
};

interface EndText {
  readonly sign: Html;
  readonly text: PageText;
}

/** To whom has just answered. */
function thanks({ status, platformName, subject, entry }: HostedRequest, texts: Texts): EndText {
  const names = [setApart(platformName), setApart(subject)] as const;
  if (status !== 'CONFIRMED') return { sign: cross, text: texts.declined(...names) };
  const confirmed = entry.kind === 'confirmation' ? texts.confirmed : texts.referenceConfirmed;
  return { sign: tick, text: confirmed(...names) };
}

/** To whom comes to a request that is decided. */
function standing({ status, platformName, respondedAt, expiresAt }: HostedRequest, texts: Texts): EndText {
  const platform = setApart(platformName);
  const moment = respondedAt === null ? '' : momentText(respondedAt, texts);
  switch (status) {
    case 'CONFIRMED':
      return { sign: tick, text: texts.alreadyAnswered('yes', moment, platform) };
    case 'DECLINED':
      return { sign: cross, text: texts.alreadyAnswered('no', moment, platform) };
    case 'CANCELLED':
      return { sign: back, text: texts.cancelled(platform) };
    default:
      return { sign: clock, text: texts.expired(momentText(expiresAt, texts), platform) };
  }
}

/** Says its host aloud, since the platform chose it. Within a frame the website that opened it is there already. */
function returnLink(returnUrl: string | null, { texts, opener }: Reader): Html | null {
  const url = returnUrl === null || opener !== null ? null : parsedUrl(returnUrl);
  if (url?.protocol !== 'https:') return null;
  return html`<p class="onward"><a href="${url.href}" rel="noreferrer">${texts.backTo(url.host)}</a></p>`;
}

/** A page that cannot say more than what went wrong: nothing of a request, not even whether there is one. */
export function errorPage(error: ServiceError, requestId: string, { texts }: Reader): HostedPage {
  const isClosed = error.cause instanceof PlatformIsInactive;
  const { sign, text, namesRequest }: FaultText = isClosed
    ? { sign: clock, text: texts.closed }
    : faultText(error.code, texts);
  return {
    status: error.status,
    title: text.title,
    platform: null,
    main: html`${body(sign, text)}${namesRequest && html`<p class="soft">${texts.requestId} <code>${requestId}</code></p>`}`,
  };
}

interface FaultText extends EndText {
  readonly namesRequest?: true;
}

function faultText(code: ErrorCode, texts: Texts): FaultText {
  switch (code) {
    case 'CONFIRMATION_TOKEN_INVALID':
    case 'REFERENCE_TOKEN_INVALID':
      return { sign: gap, text: texts.wrongLink };
    case 'CONFIRMATION_SELF':
    case 'REFERENCE_SELF':
      return { sign: gap, text: texts.noOtherParty };
    case 'RATE_LIMIT_EXCEEDED':
      return { sign: clock, text: texts.tooMany };
    case 'SERVICE_UNAVAILABLE':
    case 'OVERLOADED':
      return { sign: clock, text: texts.unavailable };
    default:
      return errorCatalog[code].status < 500
        ? { sign: gap, text: texts.unreadable }
        : { sign: gap, text: texts.failed, namesRequest: true };
  }
}

/** A page of nothing but a text. */
export function plainPage(status: number, sign: Html, text: PageText): HostedPage {
  return { status, title: text.title, platform: null, main: body(sign, text) };
}

function body(sign: Html, { heading, paragraphs }: PageText): Html {
  return html`<div class="sign">${sign}</div>
<h1>${heading}</h1>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}`;
}
