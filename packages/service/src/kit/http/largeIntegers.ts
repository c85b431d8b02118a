import { randomBytes } from 'node:crypto';
import { integerOf } from '../../domain/exactInteger.js';
import type { Steps } from '../backpressure/yielder.js';

/** A double represents integers with fewer digits exactly. */
const LARGE_DIGITS = 16;
/** Members with the caller's own values, stored as given. All other fields have their own range. */
const EXACT_UNDER: ReadonlySet<string> = new Set(['metadata', 'records']);
/** The constant of a mapping rule is the value of a field, even if the field is `metadata`. */
const NEVER_EXACT_UNDER = 'mapping';

/**
 * Parses a JSON text again and keeps every digit of integers beyond 2^53 in the caller's own
 * values.
 * @param text JSON that has been parsed before.
 */
export function* parseWithLargeIntegers(text: string, parse: (text: string) => unknown): Steps<unknown> {
  // Random, so that no caller can disguise a text as a number.
  const mark = `${randomBytes(12).toString('base64')}:`;
  const body = parse(marked(text, mark));
  yield;
  return revived(body, mark, 'look');
}

/** The text with each large integer as a string after the mark. */
function marked(text: string, mark: string): string {
  const parts: string[] = [];
  let taken = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfString(text, at + 1);
    else if (character === MINUS || isDigit(character)) {
      const end = endOfDigits(text, at + 1);
      const digits = character === MINUS ? end - at - 1 : end - at;
      const isWhole = !FRACTION.test(text.charAt(end));
      if (isWhole && digits >= LARGE_DIGITS) {
        parts.push(text.slice(taken, at), `"${mark}${text.slice(at, end)}"`);
        taken = end;
      }
      at = isWhole ? end - 1 : endOfNumber(text, end) - 1;
    }
  }
  parts.push(text.slice(taken));
  return parts.join('');
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const FRACTION = /[.eE]/;

function isDigit(character: number): boolean {
  return character >= 0x30 && character <= 0x39;
}

function endOfString(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function endOfDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

function endOfNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[\d.eE+-]/.test(text.charAt(at))) at += 1;
  return at;
}

type Keeping = 'look' | 'keep' | 'drop';

/** Recursion is safe: `shapeOf` has limited the depth. */
function revived(value: unknown, mark: string, keeping: Keeping): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(mark)) return value;
    const digits = value.slice(mark.length);
    return keeping === 'keep' ? integerOf(digits) : Number(digits);
  }
  if (typeof value !== 'object' || value === null) return value;
  const container = value as Record<string, unknown>;
  for (const key of Object.keys(container)) {
    container[key] = revived(container[key], mark, keepingUnder(key, keeping));
  }
  return value;
}

function keepingUnder(key: string, keeping: Keeping): Keeping {
  if (keeping !== 'look') return keeping;
  if (key === NEVER_EXACT_UNDER) return 'drop';
  return EXACT_UNDER.has(key) ? 'keep' : 'look';
}
