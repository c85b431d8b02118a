import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ErrorCode } from '#domain/errorCatalog.js';
import { fail, failValidation, sentenceOf, type ValidationDetail } from '#domain/errors.js';
import { detailsOf, meantName, misspellings, misspeltDetail, namesTaken } from '#domain/validationDetails.js';
import { derivedUuid, sha256 } from '../crypto.js';
import { isCsvStream } from '../csv.js';
import { type Admission, admit, countAnswer, countRows } from './admission.js';
import type { Answer } from './answer.js';
import { FORM_TYPE } from './bodies.js';
import { handleBound } from './cursor.js';
import { logError, logOf, toServiceError } from './errorAnswer.js';
import { fetchAsCaller } from './fetchAsCaller.js';
import {
  answerPreflights,
  isConsoleRequest,
  isReadableByScripts,
  READABLE_BY_SCRIPTS,
  shadowedAddresses,
} from './origins.js';
import {
  type Access,
  type Caller,
  type Deprecation,
  type IdempotencyClaim,
  type Operation,
  operationsOf,
  type RequestContext,
  type Route,
  type RouteTable,
  routerPath,
} from './route.js';

/** Body limit for requests without a key: a token and a decision, or the proof of a wallet. */
const PUBLIC_BODY_BYTES = 16 * 1024;

type OnOpened = (request: FastifyRequest, reply: FastifyReply) => void;

export function mountRoutes(
  app: FastifyInstance,
  table: RouteTable,
  admission: Admission,
  onOpened: OnOpened = () => {},
  refuseSubject: RefuseSubject = () => {},
): void {
  app.decorateRequest('caller', null);
  app.decorateRequest('month', null);
  app.decorateRequest('isFailedLogin', false);
  app.decorateRequest('isDryRun', false);
  for (const operation of operationsOf(table)) mount(app, operation, admission, onOpened, refuseSubject);
  for (const { method, path } of shadowedAddresses(table)) {
    app.route({ method, url: path, handler: (_, reply) => reply.callNotFound() });
  }
  answerPreflights(app, table);
}

function mount(
  app: FastifyInstance,
  operation: Operation,
  admission: Admission,
  onOpened: OnOpened,
  refuseSubject: RefuseSubject,
): void {
  const { name, method, path, route } = operation;
  const { meter } = admission;
  const fixedHeaders = fixedHeadersOf(route);
  const answerError = route.errorPage ?? route.errorShape?.answer;
  const checkQueryNames = createQueryCheck(route);
  const isPaged = route.query !== undefined && namesTaken(route.query)?.has('cursor') === true;
  const canBeDry = route.query !== undefined && namesTaken(route.query)?.has('dryRun') === true;
  const namedSubjects = namedSubjectsOf(operation);
  const url = routerPath(path);
  app.route({
    method,
    url,
    config: { takes: takenBy(route) },
    bodyLimit: route.bodyLimitBytes ?? (route.access.kind === 'public' ? PUBLIC_BODY_BYTES : undefined),
    ...(answerError && { errorHandler: errorsAnsweredBy(answerError) }),
    // Before the body is read: unauthenticated requests are not parsed.
    onRequest: async (request, reply) => {
      request.pattern = url;
      request.isDryRun = canBeDry && Object(request.query).dryRun === '1';
      if (fixedHeaders) reply.headers(fixedHeaders);
      await admit(admission, route, request, reply);
    },
    handler: async (request, reply) => {
      checkQueryNames(request, reply);
      const context = contextOf(route, request);
      if (namedSubjects) for (const subject of namedSubjects(context)) refuseSubject(subject);
      const answer = await (isPaged
        ? handleBound(name, context, (own) => route.handle(own))
        : route.handle(context));
      if (meter && isCsvStream(answer.body)) countRows(meter, name, request, answer.body);
      if (answer.isOpenEnded) {
        request.isCounted = true;
        reply.code(answer.status);
        if (meter) countAnswer(meter, name, request, reply);
        onOpened(request, reply);
      }
      startAnswer(reply, answer);
      // Fastify sends the returned body. Sending it here and returning the reply would cost one
      // more promise.
      return answer.body ?? undefined;
    },
    onResponse: (request, reply, done) => {
      if (meter && !request.isCounted) countAnswer(meter, name, request, reply);
      done();
    },
  });
}

function takenBy(route: Route) {
  if (route.form) return 'form';
  if (route.textBody) return 'text';
  if (route.csvBody) return 'csv';
  return route.formBody ? 'jsonOrForm' : 'json';
}

function fixedHeadersOf(route: Route): Record<string, string> | null {
  const headers = {
    ...(isReadableByScripts(route) ? READABLE_BY_SCRIPTS : {}),
    ...(route.deprecated ? deprecationHeaders(route.deprecated) : {}),
  };
  return Object.keys(headers).length === 0 ? null : headers;
}

/** Headers of a deprecated operation: RFC 9745, RFC 8594 (RULES Y3). */
function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    Sunset: sunset.toUTCString(),
    Link: `<${link}>; rel="deprecation"; type="text/html", <${link}>; rel="sunset"; type="text/html"`,
  };
}

function pathValuesOf({ params }: FastifyRequest): unknown {
  const values = params as Record<string, string>;
  return '*' in values ? { ...values, rest: values['*'] } : values;
}

function contextOf(route: Route, request: FastifyRequest): RequestContext<Access, unknown, unknown, unknown> {
  const { caller, storageError } = request;
  if (!caller) throw new Error('a request reached its handler without admission');
  if (storageError && !route.itemsStandAlone) failValidation([storageError]);
  return {
    caller,
    owner: caller.kind === 'key' ? caller : null,
    params: route.params ? parsed(route.params, pathValuesOf(request)) : undefined,
    query: route.query ? parsed(route.query, request.query, [], route.queryError) : undefined,
    body: route.body ? parsedBody(route, route.body, request.body) : undefined,
    claim: route.idempotent ? claimOf(request, caller) : null,
    hasUnstorable: storageError !== null,
    remoteAddress: request.socket.remoteAddress ?? '',
    clientAddress: request.ip,
    isHead: request.method === 'HEAD',
    header: headerReader(request),
    log: () => logOf(request),
    fetchAsCaller: (asked) => fetchAsCaller(request, asked),
  };
}

function headerReader(request: FastifyRequest): (name: string) => string | undefined {
  return (name) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
}

function errorsAnsweredBy(answerError: NonNullable<Route['errorPage']>) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = toServiceError(thrown);
    logError(error, request);
    const { id: requestId, query, body } = request;
    const answer = answerError(error, { requestId, query, body, header: headerReader(request) });
    startAnswer(reply.headers(error.headers), answer).send(answer.body ?? undefined);
  };
}

function parsedBody(route: Route, schema: z.ZodType, raw: unknown): unknown {
  if (raw !== undefined) {
    // Protocols of others say to ignore unknown parameters: RFC 6749, 3.2.
    return parsed(schema, raw, route.errorShape ? [] : misspellings(schema, raw));
  }
  if (route.bodyOptional) return parsed(schema, {});
  if (route.textBody) return fail('BAD_REQUEST', { message: 'This operation needs a body.' });
  const [kind, type] = route.form ? ['form', FORM_TYPE] : ['JSON', 'application/json'];
  return fail('BAD_REQUEST', { message: `This operation needs a ${kind} body (Content-Type: ${type}).` });
}

/** @param misspelt errors that the schema does not detect. */
function parsed(
  schema: z.ZodType,
  raw: unknown,
  misspelt: readonly ValidationDetail[] = [],
  codeOf: (path: string) => ErrorCode = () => 'VALIDATION_ERROR',
): unknown {
  const result = schema.safeParse(raw);
  if (result.success && misspelt.length === 0) return result.data;
  const details = [...misspelt, ...(result.success ? [] : detailsOf(result.error, raw))];
  return fail(codeOf(details[0]?.path ?? ''), { message: sentenceOf(details), details });
}

/** Of a dry run, the address of the request that would write. */
function writtenAddress({ url, isDryRun }: FastifyRequest): string {
  return isDryRun ? url.replace(/[?&]dryRun=1(?=&|$)/, '').replace(/^([^?&]*)&/, '$1?') : url;
}

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{8,255}$/;

function claimOf(request: FastifyRequest, caller: Caller): IdempotencyClaim | null {
  const given = request.headers['idempotency-key'];
  if (given === undefined || caller.kind === 'public') return null;
  if (typeof given !== 'string' || !IDEMPOTENCY_KEY.test(given)) {
    const message = 'must be 8 to 255 printable ASCII characters';
    return failValidation([{ path: 'Idempotency-Key', code: 'invalid_format', message }]);
  }
  const platformId = caller.kind === 'key' ? caller.platformId : null;
  const livemode = caller.kind === 'key' ? caller.livemode : true;
  const { authorization, 'x-admin-secret': adminSecret, cookie } = request.headers;
  const credential = isConsoleRequest(request) ? cookie : (authorization ?? String(adminSecret));
  return {
    keyId: derivedUuid('request', platformId ?? 'operator', livemode ? 'live' : 'test', given),
    platformId,
    livemode,
    fingerprint: sha256(request.method, writtenAddress(request), request.bodyHash ?? ''),
    secret: `${credential}\n${given}`,
  };
}

function startAnswer(reply: FastifyReply, { status, headers, serialize }: Answer): FastifyReply {
  if (serialize) reply.serializer(serialize as (body: unknown) => string);
  return headers ? reply.code(status).headers(headers) : reply.code(status);
}

export const UNKNOWN_PARAMETERS = 'X-Unknown-Parameters';
const MAX_NAMED = 10;
const MAX_CHECKED = 100;
const MAX_NAME = 64;

/**
 * Checks for unknown query parameters. A likely misspelling (`scoreMim`) is refused with the operation's own
 * code, because ignoring it would answer a different question. Others are ignored and named in a header.
 */
function createQueryCheck(route: Route): (request: FastifyRequest, reply: FastifyReply) => void {
  const known: ReadonlySet<string> = (route.query && namesTaken(route.query)) ?? new Set();
  return ({ query }, reply) => {
    const unknown: string[] = [];
    for (const name in query as object) if (!known.has(name)) unknown.push(name);
    if (unknown.length === 0) return;
    for (const name of unknown.slice(0, MAX_CHECKED)) {
      const meant = meantName(name, known);
      if (meant === null) continue;
      const details = [misspeltDetail(name, meant)];
      const code = route.queryError?.(meant) ?? 'VALIDATION_ERROR';
      fail(code, { message: sentenceOf(details), details });
    }
    reply.header(UNKNOWN_PARAMETERS, unknown.slice(0, MAX_NAMED).map(printable).join(', '));
  };
}

/** Percent-encoded, so that a name cannot look like two names or end the header. */
function printable(name: string): string {
  return encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed());
}

type NamedSubject =
  | { readonly platformId: string; readonly livemode: boolean; readonly externalId: string }
  | { readonly subjectId: string };

/** Throws if nothing may be read or written about the subject. */
export type RefuseSubject = (subject: NamedSubject) => void;

type Context = RequestContext<Access, unknown, unknown, unknown>;
type FindNamed = (context: Context) => readonly NamedSubject[];

/** In the path, or as `userId` in query and body. Null: they name none, or several. */
export function namedSubjectsOf({ name, route }: Operation): FindNamed | null {
  if (route.answersErased) return null;
  const [, path = ''] = name.split(' ');
  if (path.startsWith('/admin/users/{id}')) return namedByOperator;
  const inPath = /\/users\/\{(\w+)\}/.exec(path)?.[1];
  const isIn = [route.query, route.body].map((schema) =>
    Boolean(schema && namesTaken(schema)?.has('userId')),
  );
  if (inPath === undefined && !isIn.includes(true)) return null;
  return ({ owner, params, query, body }) => {
    const platform = owner ?? { platformId: textOf(params, 'id') ?? '', livemode: true };
    const { platformId, livemode } = platform;
    const named = [
      inPath === undefined ? null : textOf(params, inPath),
      textOf(query, 'userId'),
      textOf(body, 'userId'),
    ];
    return named.flatMap((externalId) => (externalId === null ? [] : [{ platformId, livemode, externalId }]));
  };
}

function namedByOperator({ params, query }: Context): NamedSubject[] {
  const id = textOf(params, 'id') ?? '';
  const platformId = textOf(query, 'platformId');
  if (platformId === null) return [{ subjectId: id.toLowerCase() }];
  const livemode = textOf(query, 'mode') !== 'test';
  return [{ platformId, livemode, externalId: id }];
}

function textOf(from: unknown, name: string): string | null {
  if (typeof from !== 'object' || from === null) return null;
  const value = (from as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}
