import type { ErrorCode } from '#domain/errorCatalog.js';
import { fail, type ServiceError } from '#domain/errors.js';
import { tenureDaysOf } from '#domain/tenure.js';
import type { Answer, SerializedAnswer } from '#kit/http/answer.js';
import { errorBody } from '#kit/http/errorAnswer.js';
import { fixedText, preferredType } from '#kit/http/fixedDocument.js';
import type { FailedRequest, PublicAccess, RequestContext } from '#kit/http/route.js';
import { loadProfessionalRecord } from '../../features/records/professionalFigures.js';
import type { ServiceDeps } from '../../features/serviceDeps.js';
import type { VerifyDeps } from '../../features/sharing/verify/readShared.js';
import { REVALIDATE, readShared } from '../../features/sharing/verify/readShared.js';
import { errorPage, inOtherLanguage, plainPage } from '../hosted/endPages.js';
import { brokenLink } from '../hosted/icons.js';
import { hostedAnswer, type Reader, readerOf } from '../hosted/layout.js';
import type { PageText, Texts } from '../texts/texts.js';
import { type VerifyContent, verifyPage } from './verifyPage.js';

export type VerifyPageDeps = VerifyDeps & Pick<ServiceDeps, 'config' | 'db'>;

/** Not validated: a page for people does not reject an address because of its query. */
export interface VerifyPageQuery {
  readonly lang?: unknown;
  readonly profile?: unknown;
}

type Context = RequestContext<PublicAccess, undefined, VerifyPageQuery, { token: string }>;

/** Search engines must not keep a copy, because the token can be withdrawn. */
const PUBLIC_PAGE = {
  ...REVALIDATE,
  Vary: 'Accept, Accept-Language',
  'X-Robots-Tag': 'noindex, noarchive',
};

/** About 15 kB each. */
const MAX_CACHED = 128;

/** GET !/verify/{token}: the page for people, or the answer of GET /verify/{token} if JSON is preferred. */
export function createVerifyPage(deps: VerifyPageDeps): (context: Context) => Promise<SerializedAnswer> {
  const { config, db, clock, loadShared, loadConcentration, loadInclusion } = deps;
  const cached = new Map<string, ReturnType<typeof fixedText> | null>();

  return async (context) => {
    const { params, query, header } = context;
    if (prefersJson(header)) {
      const profile = query.profile === '1' ? '1' : undefined;
      const answer = await readShared(deps, { ...context, query: { profile } });
      return { ...answer, headers: { ...answer.headers, ...PUBLIC_PAGE } };
    }
    const shared = await loadShared(params.token);
    if (!shared) return fail('NOT_FOUND');
    const { score, subjectId } = shared;
    const [record, concentration, inclusion] = await Promise.all([
      shared.includeProfile ? loadProfessionalRecord(db, subjectId) : null,
      score && loadConcentration(score.basis),
      score && loadInclusion(subjectId, score.snapshotNo),
    ]);
    const content = {
      token: params.token,
      baseUrl: config.baseUrl,
      shared,
      record,
      tenureDays: tenureDaysOf(shared.registeredAt, clock.now()),
      concentration,
      inclusion,
    };
    return cachedPage(content, readerOf(query, header, config.baseUrl))(context);
  };

  /** Keyed by the whole content, so entries are never stale. Fills on the second view, since most pages are viewed once. */
  function cachedPage(content: VerifyContent, reader: Reader): ReturnType<typeof fixedText> {
    const key = JSON.stringify([reader.texts.tag, content]);
    const known = cached.get(key);
    if (known) return known;
    const page = pageOf(content, reader);
    const isSecondView = known === null;
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(key, isSecondView ? page : null);
    return page;
  }
}

function pageOf(content: VerifyContent, reader: Reader): ReturnType<typeof fixedText> {
  const { headers, body } = hostedAnswer(verifyPage(content, reader.texts), reader);
  return fixedText('text/html; charset=utf-8', Buffer.from(String(body)), { ...headers, ...PUBLIC_PAGE });
}

/**
 * Renders errors as HTML or JSON, by `Accept`.
 * @param textOf the page's own text of an error, if it has one.
 */
export function verifyError(
  baseUrl: string,
  textOf: (code: ErrorCode, texts: Texts) => PageText | null = nothingShown,
  isForProgram = prefersJson,
): (error: ServiceError, request: FailedRequest) => Answer {
  return (error, { requestId, query, header }) => {
    const vary = { Vary: PUBLIC_PAGE.Vary };
    if (isForProgram(header)) {
      const headers = { 'Content-Type': 'application/json; charset=utf-8', ...vary };
      return { status: error.status, body: errorBody(error, requestId), headers };
    }
    const reader = readerOf(query ?? {}, header, baseUrl);
    const own = textOf(error.code, reader.texts);
    const page = own ? plainPage(error.status, brokenLink, own) : errorPage(error, requestId, reader);
    const answer = hostedAnswer(inOtherLanguage(page), reader);
    return { ...answer, headers: { ...answer.headers, ...vary } };
  };
}

function nothingShown(code: ErrorCode, { verify }: Texts): PageText | null {
  return code === 'NOT_FOUND' ? verify.nothing : null;
}

function prefersJson(header: (name: string) => string | undefined): boolean {
  return preferredType(header('accept'), ['text/html', 'application/json']) === 'application/json';
}
