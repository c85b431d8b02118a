import { isUtf8 } from 'node:buffer';
import secureJson from 'secure-json-parse';
import { fail, failValidation, type ValidationDetail } from '../../domain/errors.js';
import { shapeOf } from './jsonShape.js';
import { parseWithLargeIntegers } from './largeIntegers.js';
import { countNames, findRepeatedName } from './repeatedName.js';
import { findUnstorable } from './text.js';

/** A parsed JSON body. */
export interface ReadJson {
  readonly body: unknown;
  /** The first text or number that cannot be stored. The route decides whether the whole request fails. */
  readonly storageError: ValidationDetail | null;
}

/** Parses a body outside of the main thread. Throws as `readJson` does. */
export type JsonReader = (raw: Buffer) => Promise<ReadJson>;

const ESCAPE = Buffer.from('\\u');

/**
 * Parses a body: valid UTF-8 only, size limits before parsing, no prototype pollution, no repeated
 * names, all digits of integers in the caller's own values. Texts and numbers that cannot be stored
 * are reported. Valid UTF-8 has a NUL or lone surrogate only as a \u escape, so the walk through the
 * body is rarely needed.
 * Throws BAD_REQUEST, PAYLOAD_TOO_LARGE or VALIDATION_ERROR.
 */
export function readJson(raw: Buffer): ReadJson {
  if (!isUtf8(raw)) fail('BAD_REQUEST', { message: 'The body is not valid UTF-8.' });
  const { members, hasLargeInteger, mayOverflow } = shapeOf(raw);
  const text = raw.toString('utf8');
  let body = parse(text);
  if (countNames(body) !== members) refuseRepeatedName(text);
  if (hasLargeInteger) body = parseWithLargeIntegers(text, parse);
  return { body, storageError: mayOverflow || raw.includes(ESCAPE) ? findUnstorable(body) : null };
}

function refuseRepeatedName(text: string): void {
  const repeated = findRepeatedName(text);
  if (repeated) failValidation([repeated]);
}

/** Whether a name may pollute a prototype. The patterns of the library take as long as the parsing. */
function isSuspect(text: string): boolean {
  return (
    text.includes('__proto__') ||
    text.includes('constructor') ||
    text.includes('\\u') ||
    text.startsWith(BYTE_ORDER_MARK)
  );
}

/** The library skips it. */
const BYTE_ORDER_MARK = '\uFEFF';

function parse(text: string): unknown {
  try {
    return isSuspect(text) ? secureJson.parse(text) : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it cannot be parsed';
    if (reason === FORBIDDEN) fail('BAD_REQUEST', { message: PROTOTYPE_NAMES });
    return fail('BAD_REQUEST', { message: `The body is not JSON: ${withoutQuotation(reason)}` });
  }
}

/** From the library's message. */
const FORBIDDEN = 'Object contains forbidden prototype property';
const PROTOTYPE_NAMES =
  'The body has a member named `__proto__`, or `constructor` with a `prototype`. Such names are refused: rename it.';

/** V8 quotes the text around the error, which may be a secret; its position is enough. */
function withoutQuotation(reason: string): string {
  return reason
    .replace(/, ?(\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, '')
    .replace(/".*"(\.\.\.)? is not valid JSON$/s, 'not valid JSON');
}
