import { quoted } from './unusable.js';

const MAX_LENGTH = 255;
const MAX_STEPS = 16;

/** A property with the whole name takes precedence (RULES J2). Never reads inherited properties. */
export function compilePath(path: string): (record: object) => unknown {
  const steps = path.split('.');
  if (steps.length === 1) return (record) => ownValue(record, path);
  return (record) => (Object.hasOwn(record, path) ? ownValue(record, path) : walk(record, steps));
}

function walk(record: object, steps: readonly string[]): unknown {
  let value: unknown = record;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = ownValue(value, step);
  }
  return value;
}

function ownValue(container: object, step: string): unknown {
  if (!Object.hasOwn(container, step) || (Array.isArray(container) && !ARRAY_INDEX.test(step)))
    return undefined;
  return (container as Readonly<Record<string, unknown>>)[step];
}

const ARRAY_INDEX = /^\d+$/;

/** The error in a path; null: valid. The last step may be empty: some columns are called "No.". */
export function pathError(path: string): string | null {
  if (path === '') return 'must not be empty';
  if (path.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const steps = path.split('.');
  if (steps.length > MAX_STEPS) return `must have at most ${MAX_STEPS} steps`;
  if (steps.slice(0, -1).includes('')) return `has an empty step: ${quoted(path)}`;
  if (steps.includes('__proto__')) return 'reads nothing: no record can hold __proto__';
  return null;
}
