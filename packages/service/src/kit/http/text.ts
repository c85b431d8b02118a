import { type ServiceError, type ValidationDetail, validationError } from '../../domain/errors.js';

/** True when the text can be stored and sent on as it is: no NUL, no half of a surrogate pair (DECISIONS 0). */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Finds the first text, key or value, that cannot be stored. Bounded by the body limit; without recursion, so that depth
 * cannot exhaust the stack.
 */
export function findUnstorableText(body: unknown): ValidationDetail | null {
  const pending: { value: unknown; path: string }[] = [{ value: body, path: '' }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !isStorableText(value)) return unstorable(path);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorableText(key)) return unstorable(path);
      pending.push({ value: inner, path: path === '' ? key : `${path}.${key}` });
    }
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
 * Why one item of a body cannot be taken, where a text in it cannot be stored: for lines that say `itemsStandAlone`.
 * @param path dotted place of the item in its body.
 */
export function refusalOfTexts(item: unknown, path: string): ServiceError | null {
  const fault = findUnstorableText(item);
  if (!fault) return null;
  return validationError([{ ...fault, path: fault.path === '' ? path : `${path}.${fault.path}` }]);
}
