import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type SerializedAnswer, serializedAnswer } from './answer.js';

interface Conditional {
  header(name: string): string | undefined;
}

/** Serialised once. Routes that use it have `304: null` in their answers. */
export function fixedDocument(content: object): FixedAnswer<Conditional> {
  return staticText('application/json; charset=utf-8', JSON.stringify(content));
}

export function onFirstRequest<C>(
  make: () => FixedAnswer<C> | Promise<FixedAnswer<C>>,
): (context: C) => Promise<SerializedAnswer> {
  let handler: ReturnType<typeof make> | undefined;
  return async (context) => {
    handler ??= make();
    return (await handler)(context);
  };
}

type FixedAnswer<C> = (context: C) => SerializedAnswer | Promise<SerializedAnswer>;

/** Compression does not reduce the packets of smaller answers. */
export const COMPRESSED_BYTES = 1024;

/** Compressed once, in the thread pool. Each form has its own ETag (RFC 9110, 8.8.3.3). */
export function staticText(
  type: string,
  text: string | Buffer,
  extraHeaders: Readonly<Record<string, string>> = {},
): FixedAnswer<Conditional> {
  if (Buffer.byteLength(text) < COMPRESSED_BYTES) return fixedText(type, text, extraHeaders);
  const headers = { ...extraHeaders, Vary: 'Accept-Encoding' };
  const plain = fixedText(type, text, headers);
  let packed: Promise<ReturnType<typeof fixedText>> | null = null;
  return async (context) => {
    if (!takesGzip(context.header('accept-encoding'))) return plain(context);
    packed ??= pack(text).then((bytes) => fixedText(type, bytes, { ...headers, 'Content-Encoding': 'gzip' }));
    const answer = (await packed)(context);
    if (answer.status !== 304) return answer;
    const { 'Content-Encoding': _, ...others } = answer.headers ?? {};
    return { ...answer, headers: others };
  };
}

const pack = promisify(gzip);

function takesGzip(header: string | undefined): boolean {
  const ranges = acceptRanges(header ?? '');
  const named = ranges.find(({ range }) => range === 'gzip' || range === 'x-gzip');
  return ((named ?? ranges.find(({ range }) => range === '*'))?.weight ?? 0) > 0;
}

/**
 * As `fixedDocument`, for a text with its own media type. `Cache-Control` in the headers overrides
 * the default of five minutes.
 * @param text a Buffer if it is long: a string would be encoded twice, for its ETag and to be sent.
 * @param etag the result of `etagOf`, if the caller has it.
 */
export function fixedText(
  type: string,
  text: string | Buffer,
  extraHeaders: Readonly<Record<string, string>> = {},
  etag: string = etagOf(text),
): (context: Conditional) => SerializedAnswer {
  // A Buffer: Fastify adds a charset to a string whose type has none.
  const body = typeof text === 'string' && !type.includes('charset=') ? Buffer.from(text) : text;
  const common = { 'Cache-Control': 'public, max-age=300', ...extraHeaders };
  const isCompressible = Buffer.byteLength(text) >= COMPRESSED_BYTES && !extraHeaders['Content-Encoding'];
  return (context) => {
    // The server may compress the answer: a weak ETag covers both forms.
    const isWeak = isCompressible && takesGzip(context.header('accept-encoding'));
    const headers = { ...common, ETag: isWeak ? `W/${etag}` : etag };
    const known = context.header('if-none-match');
    if (known !== undefined && names(known, etag))
      return serializedAnswer({ status: 304, body: null, headers });
    return serializedAnswer({ status: 200, body, headers: { ...headers, 'Content-Type': type } });
  };
}

export function etagOf(text: string | Buffer): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

function names(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag);
}

/** An entry of `Accept` or a similar header (RFC 9110, 12.4.2): in lower case, its weight 0 to 1. */
export interface AcceptRange {
  readonly range: string;
  readonly weight: number;
}

export function acceptRanges(header: string): AcceptRange[] {
  return header.split(',', MAX_RANGES).flatMap((entry) => {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return range !== '' && QUALITY.test(quality) ? [{ range, weight: Number(quality) }] : [];
  });
}

const MAX_RANGES = 50;
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** With equal weights, without an Accept header, or if the client accepts none, the first one. */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly [Type, ...Type[]],
): Type {
  const ranges = acceptRanges(accept ?? '');
  const weightOf = (type: string) => {
    const [group] = type.split('/');
    for (const name of [type, `${group}/*`, '*/*']) {
      const found = ranges.find(({ range }) => range === name);
      if (found) return found.weight;
    }
    return 0;
  };
  return types.reduce((best, type) => (weightOf(type) > weightOf(best) ? type : best), types[0]);
}

/** The Content-Security-Policy of pages whose scripts and styles are files of the service. */
export function ownFilesPolicy(...more: string[]): string {
  return ["default-src 'none'", ...more, ...DIRECTIVES].join('; ');
}

const DIRECTIVES = [
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
