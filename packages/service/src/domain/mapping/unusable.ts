import type { ValidationCode } from '../errors.js';
import { ExactInteger } from '../exactInteger.js';

/** In place of a value: why there is none. A class, so that no value of a record can be taken for it. */
export class Unusable {
  constructor(
    readonly code: ValidationCode,
    readonly message: string,
  ) {}
}

/** A value in a message: text in quotes, what is long only in part. */
export function quoted(value: unknown): string {
  if (typeof value === 'string') return `"${shortened(value)}"`;
  if (value instanceof ExactInteger) return shortened(String(value));
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}

/** The cut may go through a surrogate pair, and half of one cannot be stored. */
export function shortened(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 3)}...`.toWellFormed();
}

const MAX_SHOWN = 64;
