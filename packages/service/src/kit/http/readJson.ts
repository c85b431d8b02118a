import { isUtf8 } from 'node:buffer';
import secureJson from 'secure-json-parse';
import { fail, failValidation, type ValidationDetail } from '../../domain/errors.js';
import { markIntegers, reviveIntegers } from '../../domain/exactInteger.js';
import { scanJson } from '../../domain/jsonScan.js';
import { atOnce, inTurns, type Steps } from '../backpressure/yielder.js';
import { SHORT_BYTES } from './rawBody.js';
import { findUnstorable } from './text.js';

/** A parsed JSON body. */
export interface ReadJson {
  readonly body: unknown;
  /** The first text or number that cannot be stored. The route decides whether the whole request fails. */
  readonly storageError: ValidationDetail | null;
}

const ESCAPE = Buffer.from('\\u');

/** Parses a body of up to 1 MiB: a short one at once, else each step takes at most some milliseconds. */
export function readJson(raw: Buffer): ReadJson | Promise<ReadJson> {
  return raw.length <= SHORT_BYTES ? atOnce(jsonSteps(raw)) : inTurns(jsonSteps(raw));
}

/**
 * Parses a body: valid UTF-8 only, size limits before parsing, no prototype pollution, no repeated
 * names, all digits of integers in the caller's own values. Texts and numbers that cannot be stored
 * are reported. Valid UTF-8 has a NUL or lone surrogate only as a \u escape, so the walk through the
 * body is rarely needed.
 * Throws BAD_REQUEST, PAYLOAD_TOO_LARGE or VALIDATION_ERROR.
 */
function* jsonSteps(raw: Buffer): Steps<ReadJson> {
  if (!isUtf8(raw)) fail('BAD_REQUEST', { message: 'The body is not valid UTF-8.' });
  const { members, largeIntegers, mayOverflow } = scanJson(raw);
  const text = raw.toString('utf8');
  yield;
  let body = parse(text);
  yield;
  if (countNames(body) !== members) refuseRepeatedName(raw);
  if (largeIntegers.length > 0) {
    yield;
    const marked = markIntegers(raw, largeIntegers);
    body = parse(marked.text);
    yield;
    body = reviveIntegers(body, marked.mark, 'look');
  }
  yield;
  return { body, storageError: mayOverflow || raw.includes(ESCAPE) ? findUnstorable(body) : null };
}

/** JSON.parse ignores all but the last. */
function refuseRepeatedName(raw: Buffer): void {
  const { repeated } = scanJson(raw, { findsRepeated: true });
  if (repeated) failValidation([repeated]);
}

/** The number of names in all objects of a body. Recursion is safe: `scanJson` has limited the depth. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countNames(item);
    return count;
  }
  for (const name in value) count += 1 + countNames(value[name as keyof typeof value]);
  return count;
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
  if (!reason.endsWith(' is not valid JSON')) return reason;
  return /^Unexpected token '.{1,2}'(?=, )/s.exec(reason)?.[0] ?? 'not valid JSON';
}
