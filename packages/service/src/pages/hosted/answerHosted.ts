import { ServiceError } from '../../domain/errors.js';
import { answererOf } from '../../features/attestation/answerEvidence.js';
import type { Answer } from '../../kit/http/answer.js';
import type { FailedRequest, PublicAccess, RequestContext } from '../../kit/http/route.js';
import { chooseLanguage } from '../texts/chooseLanguage.js';
import { askPage } from './askPage.js';
import type { AttestationAdapter } from './attestationAdapter.js';
import { errorPage, outcomePage } from './endPages.js';
import { hostedAnswer, type Reader } from './layout.js';
import { openerOf } from './opener.js';

/** What a page is asked with, in its query or its form: as sent, since a fault is answered by a page, too. */
export interface PageFields {
  readonly token?: unknown;
  readonly decision?: unknown;
  readonly lang?: unknown;
  readonly embed?: unknown;
  readonly origin?: unknown;
}

interface PathId {
  readonly id: string;
}

/** GET /confirm/{id} and /reference/{id}: the question, or what became of it. Changes nothing. */
export async function showHosted(
  adapter: AttestationAdapter,
  baseUrl: string,
  { params, query, header }: RequestContext<PublicAccess, undefined, PageFields, PathId>,
): Promise<Answer> {
  const reader = readerOf(query, header, baseUrl);
  const request = await adapter.show(params.id, query.token);
  const page =
    request.status === 'PENDING'
      ? askPage(request, { id: params.id, token: String(query.token) }, reader, 200)
      : outcomePage(request, reader, { isFresh: false, status: 200 });
  return hostedAnswer(page, reader);
}

/** POST of the same addresses: takes the answer and thanks for it, or shows by 409 what had become of the request before. */
export async function answerHosted(
  adapter: AttestationAdapter,
  baseUrl: string,
  { params, body, header, ...sent }: RequestContext<PublicAccess, PageFields, undefined, PathId>,
): Promise<Answer> {
  const reader = readerOf(body, header, baseUrl);
  const answerer = answererOf({ ...sent, header }, 'page');
  const isTaken = await adapter.answer(params.id, body.token, body.decision, answerer).then(
    () => true,
    (error) => {
      if (isAboutAnswer(adapter, error)) return false;
      throw error;
    },
  );
  const request = await adapter.show(params.id, body.token);
  const page =
    request.status === 'PENDING'
      ? askPage(request, { id: params.id, token: String(body.token) }, reader, 400)
      : outcomePage(request, reader, { isFresh: isTaken, status: isTaken ? 200 : 409 });
  return hostedAnswer(page, reader);
}

/** The token is right, and the answer is none or comes too late: there is more to show than the fault. */
function isAboutAnswer({ stateFault }: AttestationAdapter, error: unknown): boolean {
  return error instanceof ServiceError && [stateFault, 'VALIDATION_ERROR'].includes(error.code);
}

/** Everything else that can go wrong on the way to these pages, as a page. */
export function hostedFault(baseUrl: string): (error: ServiceError, request: FailedRequest) => Answer {
  return (error, { requestId, query, body, header }) => {
    const reader = readerOf({ ...asFields(query), ...asFields(body) }, header, baseUrl);
    return hostedAnswer(errorPage(error, requestId, reader), reader);
  };
}

function asFields(sent: unknown): PageFields {
  return typeof sent === 'object' && sent !== null ? sent : {};
}

function readerOf(
  { lang, embed, origin }: PageFields,
  header: (name: string) => string | undefined,
  baseUrl: string,
): Reader {
  return {
    texts: chooseLanguage(lang, header('accept-language')),
    opener: openerOf(embed, origin),
    host: new URL(baseUrl).host,
  };
}
