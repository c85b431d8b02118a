import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ErrorCode } from '#domain/errorCatalog.js';
import { fail, ServiceError } from '#domain/errors.js';
import { recordWords } from '#domain/languages.js';
import { created, ok, type SerializedAnswer, type TypedAnswer } from '#kit/http/answer.js';
import { preferredType } from '#kit/http/fixedDocument.js';
import { cursorParam, MAX_ADDRESS, pageLimit, pathText } from '#kit/http/query.js';
import {
  byShareToken,
  everyone,
  type PublicAccess,
  type RequestContext,
  type Route,
  type RouteTable,
  route,
} from '#kit/http/route.js';
import type { OpenRecord, RecordLinks } from '#ledger/issuing/recordLinks.js';
import type { ShareTokens } from '#ledger/issuing/shareTokens.js';
import type { SubjectReviews } from '../../features/attestation/reviews/openReviews.js';
import { Review, ReviewBody } from '../../features/attestation/reviews/schemas.js';
import { HeldData } from '../../features/records/held/schemas.js';
import { readOwnRecord } from '../../features/records/own/readOwnRecord.js';
import type { ServiceDeps } from '../../features/serviceDeps.js';
import type {
  SuggestedSubject,
  Suggestions,
} from '../../features/subjects/scores/suggestions/suggestions.js';
import { hostedAnswer, type Reader, readerOf } from '../hosted/layout.js';
import { HTML, LanguageQuery } from '../hosted/pageRoutes.js';
import type { PageText, Texts } from '../texts/texts.js';
import { verifyError } from '../verify/answerVerify.js';
import { recordPage } from './recordPage.js';
import { RecordAnswer, recordAnswerOf } from './schemas.js';

export interface RecordPageDeps extends Pick<ServiceDeps, 'config' | 'db' | 'clock'> {
  recordLinks: RecordLinks;
  shareTokens: ShareTokens;
  reviews: SubjectReviews;
  suggest(subject: SuggestedSubject): Promise<Suggestions>;
  heldJson(record: OpenRecord): AsyncIterable<string>;
  heldCsv(record: OpenRecord): AsyncIterable<string>;
}

/** Nobody keeps a copy: the link can be withdrawn, and what it opens is private. */
const PRIVATE = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, noarchive',
  Vary: 'Accept, Accept-Language',
};

const READS_PER_MINUTE = 120;
const WRITES_PER_MINUTE = 30;
const FILES_PER_MINUTE = 10;
const OUTCOMES_PER_PAGE = 8;
/** A form writes a letter of some languages in nine bytes. */
const REVIEW_BYTES = 24 * 1024;

const TokenPath = z.object({ token: pathText(MAX_ADDRESS) });
const ReviewPath = TokenPath.extend({ reviewId: pathText() });
/** Of a page: what it does not know it ignores. */
const sent = z.unknown().optional().meta({ type: 'string' });
const PageQuery = LanguageQuery.extend({ page: cursorParam });
const RecordQuery = PageQuery.extend({ event: sent, cursor: cursorParam, limit: pageLimit(100, 25) });
const ShareForm = z.object({ action: z.enum(['start', 'stop']) }).meta({ id: 'RecordShare' });
const ShareAnswer = z.object({ verifyUrl: z.url().nullable() }).meta({ id: 'RecordShared' });
const ReviewAnswer = z.object({ review: Review }).meta({ id: 'ReviewOpened' });

/** The page of a record link, and what its reader can do (RULES Z2, Z7). */
export function recordRoutes(deps: RecordPageDeps): RouteTable {
  const { db, clock, config, recordLinks, shareTokens, reviews } = deps;
  const common = {
    access: everyone,
    tag: 'Own record',
    params: TokenPath,
    groupOf: byShareToken,
    errorPage: recordError(config.baseUrl),
    errors: ['NOT_FOUND', 'SERVICE_UNAVAILABLE', 'OVERLOADED'] as const,
  };
  const writes = { perTokenPerMinute: WRITES_PER_MINUTE, query: PageQuery };
  const files = { ...common, perTokenPerMinute: FILES_PER_MINUTE };

  /** Throws NOT_FOUND, the same for every link that opens nothing. */
  async function opened(token: string): Promise<OpenRecord> {
    const record = await recordLinks.open(db, token, clock.now());
    return record ?? fail('NOT_FOUND', { message: 'This link is unknown, has expired or was withdrawn.' });
  }

  return {
    'GET !/record/{token}': route({
      operationId: 'showRecord',
      ...common,
      perTokenPerMinute: READS_PER_MINUTE,
      query: RecordQuery,
      answers: { 200: { json: RecordAnswer, ...HTML } },
      errors: [...common.errors, 'BAD_REQUEST'],
      async handle(context) {
        const { params, query, header } = context;
        const record = await opened(params.token);
        const reader = readerIn(context, record);
        if (!isForProgram(header)) {
          const eventId = typeof query.event === 'string' ? query.event : null;
          return showRecord(params.token, record, reader, { page: query.page, eventId, refused: null });
        }
        const read = await readAll(record, reader, query);
        const answer = recordAnswerOf(read.record, read.suggestions, read.reviews);
        return ok(answer, { ...PRIVATE, 'Content-Language': reader.texts.tag });
      },
    }),
    'POST !/record/{token}/reviews': route({
      operationId: 'openReview',
      ...common,
      ...writes,
      body: ReviewBody,
      formBody: true,
      bodyLimitBytes: REVIEW_BYTES,
      answers: { 201: ReviewAnswer, 303: null },
      errors: [...common.errors, 'CONFLICT'],
      async handle(context) {
        const { params, query, body } = context;
        const record = await opened(params.token);
        if (!isForm(context)) return created({ review: await reviews.open(record, body) }, PRIVATE);
        const isOpen = await succeeds(reviews.open(record, body));
        if (isOpen) return backTo(context, 1, 'reviews');
        const { eventId = null, text: refused } = body;
        const shown = { page: query.page, eventId, refused };
        return showRecord(params.token, record, readerIn(context, record), shown);
      },
    }),
    'POST !/record/{token}/reviews/{reviewId}/withdraw': route({
      operationId: 'withdrawReview',
      ...common,
      ...writes,
      params: ReviewPath,
      groupOf: ({ params }) => byShareToken({ params }),
      formBody: true,
      answers: { 200: ReviewAnswer, 303: null },
      errors: [...common.errors, 'CONFLICT'],
      async handle(context) {
        const { token, reviewId } = context.params;
        const withdrawal = reviews.withdraw(await opened(token), reviewId);
        if (!isForm(context)) return ok({ review: await withdrawal }, PRIVATE);
        await succeeds(withdrawal); // answered meanwhile: the page shows the answer
        return backTo(context, 3, 'reviews');
      },
    }),
    'POST !/record/{token}/share': route({
      operationId: 'shareRecord',
      ...common,
      ...writes,
      body: ShareForm,
      formBody: true,
      answers: { 200: ShareAnswer, 303: null },
      errors: [...common.errors, 'TEST_MODE_NOT_ALLOWED'],
      async handle(context) {
        const { subjectId, livemode } = await opened(context.params.token);
        if (!livemode) return fail('TEST_MODE_NOT_ALLOWED');
        const act = { subjectId, actor: 'subject', now: clock.now() };
        const share = await db.transaction(async (tx) => {
          if (context.body.action === 'start') return shareTokens.ensure(tx, act);
          await shareTokens.withdraw(tx, act);
          return null;
        });
        return isForm(context)
          ? backTo(context, 1, 'share')
          : ok({ verifyUrl: share?.verifyUrl ?? null }, PRIVATE);
      },
    }),
    'GET !/record/{token}/data.json': route({
      operationId: 'downloadRecord',
      ...files,
      answers: { 200: { json: HeldData, media: [] } },
      handle: async ({ params }) => download(await opened(params.token), 'json', deps.heldJson),
    }),
    'GET !/record/{token}/data.csv': route({
      operationId: 'downloadRecordTable',
      ...files,
      errorPage: recordError(config.baseUrl, () => false),
      answers: { 200: { media: [{ type: 'text/csv' }] } },
      handle: async ({ params }) => download(await opened(params.token), 'csv', deps.heldCsv),
    }),
  };

  function readerIn(
    { query, header }: Pick<PageContext, 'query' | 'header'>,
    { language }: OpenRecord,
  ): Reader {
    return readerOf({ lang: query.lang ?? language ?? undefined }, header, config.baseUrl);
  }

  async function readAll(
    open: OpenRecord,
    { texts }: Reader,
    { cursor, limit }: { cursor?: string | undefined; limit: number },
  ) {
    const [record, { suggestions }, found] = await Promise.all([
      readOwnRecord(deps, open, { cursor, limit }, recordWords[texts.tag]),
      deps.suggest(open),
      reviews.ofSubject(open),
    ]);
    return { record, suggestions, reviews: found };
  }

  async function showRecord(
    token: string,
    open: OpenRecord,
    reader: Reader,
    shown: { page: string | undefined; eventId: string | null; refused: string | null },
  ): Promise<SerializedAnswer> {
    const { livemode, subjectId } = open;
    const [read, share] = await Promise.all([
      readAll(open, reader, { cursor: shown.page, limit: OUTCOMES_PER_PAGE }),
      livemode ? shareTokens.findActive(db, subjectId) : null,
    ]);
    const answer = hostedAnswer(
      recordPage({ token, livemode, share, ...read, ...shown }, reader.texts),
      reader,
    );
    return { ...answer, headers: { ...answer.headers, ...PRIVATE } };
  }
}

/** As a stream: a record can hold a hundred thousand outcomes. */
function download(record: OpenRecord, type: 'json' | 'csv', read: RecordPageDeps['heldJson']) {
  const headers = {
    ...PRIVATE,
    'Content-Type': `${type === 'csv' ? 'text/csv' : 'application/json'}; charset=utf-8`,
    'Content-Disposition': `attachment; filename="record.${type}"`,
  };
  return { status: 200, body: Readable.from(read(record)), headers } as const;
}

type PageContext = RequestContext<PublicAccess, unknown, { lang?: unknown }, { token: string }>;

function isForm({ header }: Pick<PageContext, 'header'>): boolean {
  return header('content-type')?.startsWith('application/x-www-form-urlencoded') === true;
}

/** False: what the reader asks for conflicts with what is recorded. */
function succeeds(act: Promise<unknown>): Promise<boolean> {
  return act.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ServiceError && error.code === 'CONFLICT') return false;
      throw error;
    },
  );
}

/** To the page of the record, so that a reload sends nothing again. @param depth of the address below it. */
function backTo({ params, query }: PageContext, depth: number, part: string): TypedAnswer<303, null> {
  const language = query.lang === 'de' || query.lang === 'en' ? `?lang=${query.lang}` : '';
  const up = '../'.repeat(depth);
  const Location = `${up}${encodeURIComponent(params.token)}${language}#${part}`;
  return { status: 303, body: null, headers: { ...PRIVATE, Location } };
}

/** Browsers name HTML. */
function isForProgram(header: PageContext['header']): boolean {
  return preferredType(header('accept'), ['application/json', 'text/html']) === 'application/json';
}

function recordError(baseUrl: string, isData = isForProgram): NonNullable<Route['errorPage']> {
  const answerError = verifyError(baseUrl, textOf, isData);
  return (error, request) => {
    const answer = answerError(error, request);
    return { ...answer, headers: { ...answer.headers, ...PRIVATE } };
  };
}

function textOf(code: ErrorCode, { record }: Texts): PageText | null {
  if (code === 'NOT_FOUND') return record.nothing;
  return code === 'VALIDATION_ERROR' || code === 'BAD_REQUEST' ? record.unreadable : null;
}
