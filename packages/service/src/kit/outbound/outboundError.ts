import { errors } from 'undici';

export type OutboundFailure =
  | 'refused_target'
  | 'timeout'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'protocol'
  | 'aborted';

/**
 * Why there is no answer. The message is for the owner of the receiver and has no addresses or
 * internals. The operator finds these in `cause`.
 */
export class OutboundError extends Error {
  readonly reason: OutboundFailure;

  constructor(reason: OutboundFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.reason = reason;
  }
}

/** An error of the connection, worded for the owner of the receiver. */
export function connectionFailure(error: unknown): OutboundError {
  if (isNotHttp(error)) return failure('protocol', 'The answer is not HTTP/1.1.', error);
  const known = CONNECTION_FAILURES[codeOf(error)] ?? [
    'connection',
    'The connection to the receiver failed.',
  ];
  return failure(...known, error);
}

/** Whether the connection was closed before an answer. */
export function isEndOfConnection(error: unknown): boolean {
  return CONNECTION_FAILURES[codeOf(error)]?.[1] === CLOSED && !isNotHttp(error);
}

/** An error of the caller, not of the receiver: a header or path that cannot be sent. */
export function isMistakeOfCaller(error: unknown): boolean {
  return error instanceof errors.InvalidArgumentError || error instanceof errors.NotSupportedError;
}

export function dnsFailure(error: unknown): OutboundError {
  const isUnknown = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME'].includes(codeOf(error));
  const message = isUnknown ? 'The host name has no address.' : 'The host name could not be looked up.';
  return failure('dns', message, error);
}

export function tlsFailure(error: unknown): OutboundError {
  const message = CERTIFICATE_FAILURES[codeOf(error)] ?? 'The TLS handshake with the receiver failed.';
  return failure('tls', message, error);
}

function failure(reason: OutboundFailure, message: string, error: unknown): OutboundError {
  return error instanceof OutboundError ? error : new OutboundError(reason, message, error);
}

/** The code of a system error. An AggregateError of several attempts has the code of the first. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * undici's parser failed, or it got an upgrade or a 100 that it had not requested ("bad response",
 * "bad upgrade").
 */
function isNotHttp(error: unknown): boolean {
  if (error instanceof errors.HTTPParserError) return true;
  return error instanceof errors.SocketError && error.message.startsWith('bad ');
}

const CLOSED = 'The receiver closed the connection before it answered.';
const UNREACHABLE = 'The receiver cannot be reached.';

const CONNECTION_FAILURES: Partial<Record<string, readonly [OutboundFailure, string]>> = {
  ECONNREFUSED: ['connection', 'The receiver refused the connection.'],
  ECONNRESET: ['connection', CLOSED],
  EPIPE: ['connection', CLOSED],
  UND_ERR_SOCKET: ['connection', CLOSED],
  EHOSTUNREACH: ['connection', UNREACHABLE],
  ENETUNREACH: ['connection', UNREACHABLE],
  EADDRNOTAVAIL: ['connection', UNREACHABLE],
  ETIMEDOUT: ['timeout', 'The receiver did not accept the connection in time.'],
  UND_ERR_HEADERS_OVERFLOW: ['protocol', 'The headers of the answer are too large.'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: [
    'protocol',
    'The answer does not have the length that Content-Length says.',
  ],
};

const CERTIFICATE_FAILURES: Partial<Record<string, string>> = {
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  CERT_NOT_YET_VALID: "The receiver's certificate is not valid yet.",
  CERT_REVOKED: "The receiver's certificate has been revoked.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The receiver's certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "The receiver's certificate chain ends in an authority that is not trusted.",
  UNABLE_TO_GET_ISSUER_CERT: "The receiver's certificate chain is incomplete.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "The receiver's certificate comes from an authority that is not trusted.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The receiver's certificate chain is incomplete.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host name.",
};
