import { type ServiceError, type ValidationDetail, validationError } from '../../domain/errors.js';

/** Whether the text can be stored and sent unchanged: no NUL, no lone surrogate (RULES X5). */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Finds a key or value that cannot be stored: a text, or a number that overflows a double and would
 * be stored as null. Recursion is safe: `scanJson` has limited the depth.
 * @param path dotted path of the value in the body.
 */
export function findUnstorable(value: unknown, path = ''): ValidationDetail | null {
  if (typeof value === 'string') return isStorableText(value) ? null : unstorable(path);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return null;
    return { path, code: 'too_big', message: 'is a number beyond 1.8e308, which cannot be stored' };
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const key of Object.keys(value)) {
    if (!isStorableText(key)) return unstorable(path);
    const found = findUnstorable(value[key as keyof typeof value], path === '' ? key : `${path}.${key}`);
    if (found) return found;
  }
  return null;
}

function unstorable(path: string): ValidationDetail {
  return {
    path,
    code: 'invalid_format',
    message: 'contains a NUL character or half of a surrogate pair, which cannot be stored',
  };
}

/**
 * The error of an item with a text or number that cannot be stored, or null. For routes with
 * `itemsStandAlone`.
 * @param path dotted path of the item in the body.
 */
export function refusalOfUnstorable(item: unknown, path: string): ServiceError | null {
  const error = findUnstorable(item, path);
  return error && validationError([error]);
}
