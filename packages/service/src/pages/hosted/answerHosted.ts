import { ServiceError } from '#domain/errors.js';
import type { Answer, SerializedAnswer } from '#kit/http/answer.js';
import type { FailedRequest, PublicAccess, RequestContext } from '#kit/http/route.js';
import { answererOf } from '../../features/attestation/attestations/respond.js';
import { askPage } from './askPage.js';
import type { AttestationAdapter } from './attestationAdapter.js';
import { errorPage, outcomePage } from './endPages.js';
import { hostedAnswer, openerOf, readerOf } from './layout.js';

/** Fields of the query or the form, not validated: errors are answered by a page too. */
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

/** GET /confirm/{id} and /reference/{id}: the question or its outcome. Changes nothing. */
export async function showHosted(
  adapter: AttestationAdapter,
  baseUrl: string,
  { params, query, header }: RequestContext<PublicAccess, undefined, PageFields, PathId>,
): Promise<SerializedAnswer> {
  const reader = readerOf(query, header, baseUrl, openerOf(query));
  const request = await adapter.show(params.id, query.token);
  const page =
    request.status === 'PENDING'
      ? askPage(request, { id: params.id, token: String(query.token) }, reader, 200)
      : outcomePage(request, reader, { isFresh: false, status: 200 });
  return hostedAnswer(page, reader);
}

/** POST to the same addresses: records the answer, or shows the earlier outcome with status 409. */
export async function answerHosted(
  adapter: AttestationAdapter,
  baseUrl: string,
  { params, body, header, ...sent }: RequestContext<PublicAccess, PageFields, undefined, PathId>,
): Promise<SerializedAnswer> {
  const reader = readerOf(body, header, baseUrl, openerOf(body));
  const answerer = answererOf({ ...sent, header }, 'page');
  const isRecorded = await adapter.answer(params.id, body, answerer).then(
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
      : outcomePage(request, reader, { isFresh: isRecorded, status: isRecorded ? 200 : 409 });
  return hostedAnswer(page, reader);
}

/** The token is valid, but the answer is missing or late: the page can show the request. */
function isAboutAnswer({ errors }: AttestationAdapter, error: unknown): boolean {
  return error instanceof ServiceError && [errors.state, 'VALIDATION_ERROR'].includes(error.code);
}

/** Renders any other error as a page. */
export function hostedError(baseUrl: string): (error: ServiceError, request: FailedRequest) => Answer {
  return (error, { requestId, query, body, header }) => {
    const sent: PageFields = { ...asFields(query), ...asFields(body) };
    const reader = readerOf(sent, header, baseUrl, openerOf(sent));
    return hostedAnswer(errorPage(error, requestId, reader), reader);
  };
}

function asFields(sent: unknown): PageFields {
  return typeof sent === 'object' && sent !== null ? sent : {};
}
