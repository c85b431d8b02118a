import { ExactInteger } from './exactInteger.js';

/** Whether a value of a JSON document is an object. An integer beyond 2^53 is an ExactInteger. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactInteger)
  );
}
