import { fail, type ServiceError } from '../../domain/errors.js';
import { loadProfessionalRecord } from '../../features/credentials/professionalRecord/professionalRecords.js';
import type { VerifyDeps } from '../../features/credentials/verify/deps.js';
import { ASK_EACH_TIME, readShared } from '../../features/credentials/verify/readShared.js';
import type { Database } from '../../kit/db/database.js';
import { preferredType } from '../../kit/http/acceptRanges.js';
import type { Answer } from '../../kit/http/answer.js';
import { errorBody } from '../../kit/http/errorAnswer.js';
import { fixedText } from '../../kit/http/fixedDocument.js';
import type { FailedRequest, PublicAccess, RequestContext } from '../../kit/http/route.js';
import { errorPage, plainPage } from '../hosted/endPages.js';
import { hostedAnswer, type Reader } from '../hosted/layout.js';
import { gap } from '../hosted/signs.js';
import { chooseLanguage } from '../texts/chooseLanguage.js';
import { type Shown, verifyPage } from './verifyPage.js';

export interface VerifyPageDeps extends VerifyDeps {
  config: { baseUrl: string };
  db: Database;
}

/** As sent: a page for people refuses nobody over a word in its address. */
export interface VerifyPageQuery {
  readonly lang?: unknown;
  readonly profile?: unknown;
}

type Context = RequestContext<PublicAccess, undefined, VerifyPageQuery, { token: string }>;

/** Search engines keep no copy of what may be taken back. */
const PUBLIC_PAGE = {
  ...ASK_EACH_TIME,
  Vary: 'Accept, Accept-Language',
  'X-Robots-Tag': 'noindex, noarchive',
};

/** Some 15 kB each: those that are looked at again and again. */
const MAX_KEPT = 128;

/** GET !/verify/{token}: the page for people, or what GET /verify/{token} answers for whoever prefers JSON. */
export function createVerifyPage(deps: VerifyPageDeps): (context: Context) => Promise<Answer> {
  const { config, db, loadShared } = deps;
  const kept = new Map<string, ReturnType<typeof fixedText> | null>();

  return async (context) => {
    const { params, query, header } = context;
    if (prefersJson(header)) {
      const profile = query.profile === '1' ? '1' : undefined;
      const answer = await readShared(deps, { ...context, query: { profile } });
      return { ...answer, headers: { ...answer.headers, ...PUBLIC_PAGE } };
    }
    const shared = await loadShared(params.token);
    if (!shared) return fail('NOT_FOUND');
    const record = shared.includeProfile ? await loadProfessionalRecord(db, shared.subjectId) : null;
    const shown = { token: params.token, baseUrl: config.baseUrl, shared, record };
    return recall(shown, readerOf(query.lang, header, config.baseUrl))(context);
  };

  /** By all that it shows, so what is kept is never out of date; from its second look on, since most are looked at once. */
  function recall(shown: Shown, reader: Reader): ReturnType<typeof fixedText> {
    const key = JSON.stringify([reader.texts.tag, shown]);
    const known = kept.get(key);
    if (known) return known;
    const page = pageOf(shown, reader);
    const isAskedAgain = known === null;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, isAskedAgain ? page : null);
    return page;
  }
}

function pageOf(shown: Shown, reader: Reader): ReturnType<typeof fixedText> {
  const { headers, body } = hostedAnswer(verifyPage(shown, reader.texts), reader);
  return fixedText('text/html; charset=utf-8', Buffer.from(String(body)), { ...headers, ...PUBLIC_PAGE });
}

/** What goes wrong on the way, in the form that was asked for. */
export function verifyFault(baseUrl: string): (error: ServiceError, request: FailedRequest) => Answer {
  return (error, { requestId, query, header }) => {
    const vary = { Vary: PUBLIC_PAGE.Vary };
    if (prefersJson(header)) {
      const headers = { 'Content-Type': 'application/json; charset=utf-8', ...vary };
      return { status: error.status, body: errorBody(error, requestId), headers };
    }
    const { lang } = typeof query === 'object' && query !== null ? (query as VerifyPageQuery) : {};
    const reader = readerOf(lang, header, baseUrl);
    const page =
      error.code === 'NOT_FOUND'
        ? plainPage(error.status, gap, reader.texts.verify.nothing)
        : errorPage(error, requestId, reader);
    const answer = hostedAnswer(page, reader);
    return { ...answer, headers: { ...answer.headers, ...vary } };
  };
}

function prefersJson(header: (name: string) => string | undefined): boolean {
  return preferredType(header('accept'), ['text/html', 'application/json']) === 'application/json';
}

function readerOf(lang: unknown, header: (name: string) => string | undefined, baseUrl: string): Reader {
  const texts = chooseLanguage(lang, header('accept-language'));
  return { texts, opener: null, host: new URL(baseUrl).host };
}
