import { type ServiceError, type ValidationDetail, validationError } from '../../domain/errors.js';

/** Whether the text can be stored and sent unchanged: no NUL, no lone surrogate (RULES X5). */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** An object or array of a body with its parents. The path is built only for an error. */
interface TextNode {
  readonly value: object;
  readonly key: string;
  readonly parent: TextNode | null;
}

/**
 * Finds a key or value that cannot be stored: a text, or a number that overflows a double and would
 * be stored as null. Without recursion, so depth cannot exhaust the stack.
 */
export function findUnstorable(body: unknown): ValidationDetail | null {
  if (typeof body === 'string') return isStorableText(body) ? null : unstorable('');
  if (typeof body === 'number') return Number.isFinite(body) ? null : overflowing('');
  if (typeof body !== 'object' || body === null) return null;
  const pending: TextNode[] = [{ value: body, key: '', parent: null }];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { value } = node;
    for (const key of Object.keys(value)) {
      if (!isStorableText(key)) return unstorable(pathTo(node));
      const inner: unknown = value[key as keyof typeof value];
      if (typeof inner === 'string') {
        if (!isStorableText(inner)) return unstorable(pathTo({ value, key, parent: node }));
      } else if (typeof inner === 'number') {
        if (!Number.isFinite(inner)) return overflowing(pathTo({ value, key, parent: node }));
      } else if (typeof inner === 'object' && inner !== null)
        pending.push({ value: inner, key, parent: node });
    }
  }
  return null;
}

function pathTo(node: TextNode): string {
  const keys: string[] = [];
  for (let at = node; at.parent; at = at.parent) keys.unshift(at.key);
  return keys.join('.');
}

function unstorable(path: string): ValidationDetail {
  return {
    path,
    code: 'invalid_format',
    message: 'contains a NUL character or half of a surrogate pair, which cannot be stored',
  };
}

function overflowing(path: string): ValidationDetail {
  return { path, code: 'too_big', message: 'is a number beyond 1.8e308, which cannot be stored' };
}

/**
 * The error of an item with a text or number that cannot be stored, or null. For routes with
 * `itemsStandAlone`.
 * @param path dotted path of the item in the body.
 */
export function refusalOfUnstorable(item: unknown, path: string): ServiceError | null {
  const error = findUnstorable(item);
  if (!error) return null;
  return validationError([{ ...error, path: error.path === '' ? path : `${path}.${error.path}` }]);
}
