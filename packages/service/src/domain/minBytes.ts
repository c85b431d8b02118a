import { ExactInteger } from './exactInteger.js';

/**
 * A lower bound of a value's size as JSON, for refusing a large value before anything serializes it.
 * Stops once it exceeds `enough`.
 */
export function minBytesOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof ExactInteger) return String(value).length;
  if (typeof value !== 'object' || value === null) return 1;
  const pending: object[] = [value];
  let bytes = 0;
  for (let next = pending.pop(); next && bytes <= enough; next = pending.pop()) {
    for (const key in next) {
      const inner: unknown = next[key as keyof typeof next];
      bytes += Array.isArray(next) ? 1 : key.length + 1;
      if (typeof inner === 'string') bytes += inner.length;
      else if (inner instanceof ExactInteger) bytes += String(inner).length;
      else if (typeof inner === 'object' && inner !== null) pending.push(inner);
      if (bytes > enough) break;
    }
  }
  return bytes;
}
