import { isUtf8 } from 'node:buffer';
import secureJson from 'secure-json-parse';
import { fail, type ValidationDetail } from '../../domain/errors.js';
import { shapeOf } from './jsonShape.js';
import { findUnstorableText } from './text.js';

/** A JSON body as its line goes on with it. */
export interface ReadJson {
  readonly body: unknown;
  /** The first text that cannot be stored; the route decides what falls with it. */
  readonly textFault: ValidationDetail | null;
}

/** Reads a body somewhere else than among the requests. Throws as `readJson` does. */
export type JsonReader = (raw: Buffer) => Promise<ReadJson>;

const ESCAPE = Buffer.from('\\u');

/**
 * Valid UTF-8 only, bounded before there is a tree, no prototype tricks, texts that cannot be stored found out. A valid UTF-8 text
 * holds a NUL or a lone surrogate only where it spells one with \u, so the walk through the body is rarely needed.
 * Throws BAD_REQUEST or PAYLOAD_TOO_LARGE.
 */
export function readJson(raw: Buffer): ReadJson {
  if (!isUtf8(raw)) fail('BAD_REQUEST', { message: 'The body is not valid UTF-8.' });
  shapeOf(raw);
  const body = parse(raw.toString('utf8'));
  return { body, textFault: raw.includes(ESCAPE) ? findUnstorableText(body) : null };
}

function parse(text: string): unknown {
  try {
    return secureJson.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it cannot be parsed';
    return fail('BAD_REQUEST', { message: `The body is not JSON: ${withoutQuotation(reason)}` });
  }
}

/** V8 quotes the text around the fault, which may be a secret; the position says enough. */
function withoutQuotation(reason: string): string {
  return reason
    .replace(/, ?(\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, '')
    .replace(/".*"(\.\.\.)? is not valid JSON$/s, 'not valid JSON');
}
