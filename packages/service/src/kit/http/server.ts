import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { serviceError } from '../../domain/errors.js';
import { errorBody, toServiceError } from './errorAnswer.js';
import { takeJsonBodies } from './jsonBody.js';

export const BODY_LIMIT_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** An id of 255 characters, each at most four bytes, each byte percent-encoded. */
const MAX_PARAM_LENGTH = 255 * 4 * 3;

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** On every answer. Pages that need more than nothing override the policy. */
const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
} as const;

interface ServerOptions {
  log: FastifyBaseLogger;
  /** Methods that a path takes, for 405; empty for an unknown path. */
  methodsOf(path: string): readonly string[];
}

/** The web server with what holds for every request: ids, security headers, one shape of errors, bounds. */
export function createServer({ log, methodsOf }: ServerOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    clientErrorHandler: answerUnparsable,
  });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('X-Request-Id', request.id);
    done();
  });
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url.split('?', 1)[0] ?? '');
    const error =
      allowed.length === 0
        ? serviceError('NOT_FOUND', {
            message: 'There is no such address. /openapi.json lists those there are.',
          })
        : serviceError('METHOD_NOT_ALLOWED', { headers: { Allow: allowed.join(', ') } });
    sendError(error, request, reply);
  });
  takeJsonBodies(app);
  return app;
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toServiceError(thrown);
  if (error.status >= 500)
    request.log.error({ err: error.cause ?? error, code: error.code }, 'request failed');
  else if (error.status === 401 || error.status === 403)
    request.log.info({ code: error.code }, 'request refused');
  // Hooks have not run where the URL itself could not be read.
  if (!reply.hasHeader('X-Request-Id')) reply.headers(SECURITY_HEADERS).header('X-Request-Id', request.id);
  reply
    .code(error.status)
    .headers(error.headers)
    .header('Content-Type', 'application/json; charset=utf-8')
    .send(errorBody(error, request.id));
}

/** What is not even HTTP gets the same shape, written by hand: there is no request to reply to. */
function answerUnparsable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const requestId = randomUUID();
  const isTooSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const message = isTooSlow
    ? 'The request took too long to arrive.'
    : 'The request cannot be read as HTTP: its first line or a header is malformed or too long.';
  const body = JSON.stringify(errorBody(serviceError('BAD_REQUEST', { message }), requestId));
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `${name}: ${value}`),
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
