import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import compress, { type FastifyCompressOptions } from '@fastify/compress';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onSendHookHandler,
} from 'fastify';
import { serviceError } from '#domain/errors.js';
import { stringifyExact } from '#domain/exactInteger.js';
import { type TextSeparator, takeBodies } from './bodies.js';
import { type ConnectionLimits, limitConnections } from './connections.js';
import { countRefusals, errorBody, logError, toServiceError } from './errorAnswer.js';
import { COMPRESSED_BYTES } from './fixedDocument.js';
import type { Throttle } from './limits.js';
import { guardConsoleRequest, rewriteConsoleUrl } from './origins.js';

export const BODY_LIMIT_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Less than REQUEST_TIMEOUT_MS: slow headers are a sign of an attack, slow bodies are not. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node enforces these timeouts. With its default of 30 s they would be 40 and 60 s. */
const TIMEOUTS_CHECKED_EVERY_MS = 1000;
/** Idle connections are cheap to open, and every one of them takes a place from somebody else. */
const IDLE_TIMEOUT_MS = 5000;
/** Longer than proxies keep theirs (60 s), which would else send requests on closing connections. */
const IDLE_PROXY_TIMEOUT_MS = 72_000;
/**
 * Never compressed. Hashes do not become shorter, and the library takes bytes that begin like a zlib
 * header for compressed: it would send one tile in 500 as it is and label it gzip.
 */
const HASHES_TYPE = 'application/octet-stream';
/** An id of 255 characters, each up to four bytes, each byte percent-encoded. */
const MAX_PARAM_LENGTH = 255 * 4 * 3;

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/**
 * Sent with every answer. Pages override the policy if they need scripts or styles. Names are in lower case
 * here, in limits.ts and in meter.ts, as Fastify stores them: converting a dozen names took 3 µs per request.
 */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

interface ServerOptions extends ConnectionLimits {
  log: FastifyBaseLogger;
  methodsOf(path: string): readonly string[];
  throttle?: Throttle;
  readLargeJson?: TextSeparator | undefined;
  hasConsole?: boolean;
}

/**
 * The web server with everything that applies to all requests: ids, security headers, error bodies, limits.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, methodsOf, throttle, trustProxy, readLargeJson, maxConnections, hasConsole = false } = options;
  const app = Fastify({
    loggerInstance: log,
    childLoggerFactory: (parent) => parent, // logOf makes those of the few requests that log something
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS },
    keepAliveTimeout: trustProxy === undefined ? IDLE_TIMEOUT_MS : IDLE_PROXY_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // During a stop, requests on open connections are still answered.
    return503OnClosing: false,
    ...(hasConsole && { rewriteUrl: rewriteConsoleUrl }),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    genReqId: (request) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    trustProxy: typeof trustProxy === 'number' ? (_, hop) => hop < trustProxy : (trustProxy ?? false),
    frameworkErrors: (error, request, reply) => {
      // A malformed address: no hook has run for it.
      const answer = (thrown: unknown) => sendError(thrown, request, reply);
      void (throttle?.admitAnonymous(request, reply) ?? Promise.resolve()).then(() => answer(error), answer);
    },
    clientErrorHandler: answerUnparsable,
  });
  countRefusals(app, log);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    const minute = request.is404 && throttle?.admitAnonymous(request, reply);
    if (minute) minute.then(() => done(), done);
    else done();
  });
  // Not an operation: programs get the 404 of every unknown address.
  app.get('/', (request, reply) => {
    if (!request.headers.accept?.includes('text/html')) return reply.callNotFound();
    return reply.header('vary', 'Accept').redirect(hasConsole ? '/console' : '/docs');
  });
  if (hasConsole) {
    app.addHook('onRequest', (request, _, done) => {
      guardConsoleRequest(request);
      done();
    });
  }
  app.setReplySerializer(stringifyExact);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(request.url.split('?', 1)[0] ?? '');
    const message = 'There is no such address. GET /openapi.json lists all addresses.';
    const error =
      allowed.length === 0
        ? serviceError('NOT_FOUND', { message })
        : serviceError('METHOD_NOT_ALLOWED', { headers: { Allow: allowed.join(', ') } });
    sendError(error, request, reply);
  });
  compressAnswers(app);
  takeBodies(app, readLargeJson);
  // Node would answer 417 without a body to other expectations than 100-continue. They may be ignored
  // (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  limitConnections(app, { maxConnections, trustProxy }, log);
  return app;
}

/**
 * Compresses JSON, CSV and pages of 1 KiB and more for clients that accept gzip. Live streams are
 * excluded: a frame would wait in the compressor. Level 4 takes half the time of the default and
 * makes answers a tenth larger. Up to 16 KiB are compressed synchronously in less than half a
 * millisecond, the rest in the thread pool.
 */
function compressAnswers(app: FastifyInstance): void {
  const options: FastifyCompressOptions = {
    encodings: ['gzip'],
    threshold: COMPRESSED_BYTES,
    syncThreshold: 16 * 1024,
    zlibOptions: { level: 4 },
    globalDecompression: false,
  };
  // Not with `register`, which loads the plugin after the routes are added: they would not be
  // compressed.
  compress(app, options, (error) => {
    if (error) throw error;
  });
  app.addHook('onRoute', (route) => {
    const hooks = route.onSend;
    if (!Array.isArray(hooks)) return;
    const compressing = hooks.pop() as onSendHookHandler<unknown>;
    hooks.push(function compressLong(request, reply, payload, done) {
      // Short texts are most answers, and the library's own checks cost 3 µs.
      const isShort = typeof payload === 'string' && Buffer.byteLength(payload) < COMPRESSED_BYTES;
      if (isShort || reply.getHeader('content-type') === HASHES_TYPE) done();
      else compressing.call(this, request, reply, payload, done);
    });
  });
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toServiceError(thrown);
  logError(error, request);
  // Hooks do not run for a malformed URL.
  if (!reply.hasHeader('x-request-id')) reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
  // Fastify closes the connection after any error of a body. If a part of it is still to come, that
  // resets the connection, and many clients then report the reset instead of the answer.
  request.raw.resume();
  reply
    .removeHeader('connection')
    .code(error.status)
    .headers(error.headers)
    .header('content-type', 'application/json; charset=utf-8')
    .send(errorBody(error, request.id));
}

/** Answers malformed HTTP with the usual error body, written by hand: there is no request to reply to. */
function answerUnparsable(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
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
      // The answer to a HEAD has no body, even if its headers were unreadable.
      String(error.rawPacket ?? '').startsWith('HEAD ') ? '' : body,
    ].join('\r\n'),
  );
}
