import type { ValidationDetail } from '../../domain/errors.js';

/** An object or array that is open at the current position. */
interface Open {
  /** The names so far; null for an array. */
  readonly names: Set<string> | null;
  /** The name whose value comes next; null if a name comes next. */
  name: string | null;
  index: number;
}

/**
 * The first duplicate name in an object, which JSON.parse ignores. Escapes are decoded: "a" and
 * "\u0061" are the same name.
 * @param text valid JSON.
 */
export function findRepeatedName(text: string): ValidationDetail | null {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const inner = open.at(-1);
    switch (text[at]) {
      case '{':
        open.push({ names: new Set(), name: null, index: 0 });
        break;
      case '[':
        open.push({ names: null, name: null, index: 0 });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case ',':
        if (inner) {
          inner.name = null;
          inner.index += 1;
        }
        break;
      case '"': {
        const start = at;
        for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
        if (!inner?.names || inner.name !== null) break;
        inner.name = JSON.parse(text.slice(start, at + 1)) as string;
        if (inner.names.has(inner.name)) return repeated(open, inner.name);
        inner.names.add(inner.name);
      }
    }
  }
  return null;
}

const MAX_PATH = 255;
const MAX_NAME = 64;

function repeated(open: readonly Open[], name: string): ValidationDetail {
  const steps = open.map((at) => (at.names ? (at.name ?? '') : String(at.index)));
  const printed = name.slice(0, MAX_NAME).toWellFormed();
  return {
    path: steps.join('.').slice(0, MAX_PATH).toWellFormed(),
    code: 'custom',
    message: `duplicate name "${printed}": send it once, or one of the two values would be lost`,
  };
}

/**
 * The number of names in all objects of a body. Recursion is safe: `shapeOf` has limited the depth.
 */
export function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countNames(item);
    return count;
  }
  for (const name in value) count += 1 + countNames(value[name as keyof typeof value]);
  return count;
}
