import type { ValidationCode } from '../errors.js';
import { ExactInteger } from '../exactInteger.js';

/** Replaces a value that cannot be read. A class, so that no value of a record can imitate it. */
export class Unusable {
  /** @param expected what can be read: the message without the value. */
  constructor(
    readonly code: ValidationCode,
    readonly message: string,
    readonly expected = message,
  ) {}
}

/** `must be a date, not "soon"; a hint`. */
export function unreadable(code: ValidationCode, expected: string, value: unknown, hint = ''): Unusable {
  return new Unusable(code, `${expected}, not ${quoted(value)}${hint}`, `${expected}${hint}`);
}

/** Characters of a number, a date, or a yes or no. */
const MAX_CELL = 64;

/** Refuses longer text before anything else looks at it. */
export function ofShort(read: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => {
    const { length } = typeof value === 'string' || value instanceof ExactInteger ? String(value) : '';
    if (length <= MAX_CELL) return read(value);
    const expected = `must have at most ${MAX_CELL} characters`;
    return new Unusable('too_big', `${expected}, not ${length}`, expected);
  };
}

/** A value for a message: text in quotes, long values shortened. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') return `"${shortened(value)}"`;
  if (value instanceof ExactInteger) return shortened(String(value));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}

/** Avoids half of a surrogate pair, which cannot be stored. */
export function shortened(text: string): string {
  return text.length <= MAX_QUOTED ? text : `${text.slice(0, MAX_QUOTED - 3)}...`.toWellFormed();
}

const MAX_QUOTED = 64;
