import type { z } from 'zod';
import type { ValidationDetail } from './errors.js';
import { ExactInteger } from './exactInteger.js';

/**
 * Zod's issues as the details of a VALIDATION_ERROR (RULES X2).
 * @param raw the parsed input, because issues do not contain the value found.
 */
export function detailsOf(error: z.ZodError, raw: unknown, prefix = ''): ValidationDetail[] {
  return error.issues.slice(0, MAX_DETAILS).map((issue) => detailOf(issue, raw, prefix));
}

/** Bounds the size of an error response in relation to its request. */
const MAX_DETAILS = 100;

type Issue = z.core.$ZodIssue;

function detailOf(issue: Issue, raw: unknown, prefix: string): ValidationDetail {
  const path = [...(prefix === '' ? [] : [prefix]), ...issue.path.map(String)].join('.');
  const found = valueAt(raw, issue.path);
  if (found === undefined && issue.code !== 'custom') {
    return { path, code: 'required', message: 'is required', expected: expectationOf(issue) };
  }
  switch (issue.code) {
    case 'invalid_type': {
      const received = typeName(found);
      const message = `must be ${withArticle(issue.expected)}, not ${withArticle(received)}`;
      return { path, code: issue.code, message, expected: issue.expected, received };
    }
    case 'invalid_value': {
      const message = `must be one of ${issue.values.map(String).join(', ')}`;
      return { path, code: issue.code, message, expected: issue.values, received: brief(found) };
    }
    case 'too_small':
    case 'too_big': {
      const bound = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum);
      const [orEqual, strictly] = RELATIONS[issue.code];
      const message = `must ${sizeSentence(issue.origin, bound, issue.inclusive !== false ? orEqual : strictly)}`;
      return { path, code: issue.code, message, expected: bound, received: brief(found) };
    }
    case 'invalid_format': {
      const expected = issue.format === 'guid' ? 'uuid' : issue.format;
      return { path, code: issue.code, message: formatSentence(issue, expected), expected };
    }
    case 'unrecognized_keys':
      return { path, code: 'unrecognized', message: `does not take ${issue.keys.join(', ')}` };
    default:
      return { path, code: 'custom', message: issue.message };
  }
}

const RELATIONS = { too_small: ['at least', 'more than'], too_big: ['at most', 'less than'] } as const;

function expectationOf(issue: Issue): unknown {
  if (issue.code === 'invalid_type') return issue.expected;
  if (issue.code === 'invalid_value') return issue.values;
  return undefined;
}

function formatSentence({ message }: Issue, format: string): string {
  // A schema's own message is more specific than the name of a format.
  if (!message.startsWith('Invalid')) return message;
  return `must ${formats[format] ?? `have the format ${format}`}`;
}

const formats: Readonly<Record<string, string>> = {
  datetime: 'be an RFC 3339 timestamp, such as 2026-03-01T09:30:00.000Z',
  date: 'be a date, such as 2026-03-01',
  uuid: 'be a UUID',
  url: 'be a URL',
};

function sizeSentence(origin: string, bound: number, relation: string): string {
  if (origin === 'string') return `have ${relation} ${counted(bound, 'character')}`;
  if (origin === 'array') return `hold ${relation} ${counted(bound, 'item')}`;
  return `be ${relation} ${bound}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const step of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
  }
  return value;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof ExactInteger) return 'number';
  // JSON can contain one: 1e999.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'infinite number';
  return typeof value;
}

function withArticle(type: string): string {
  if (type === 'null' || type === 'undefined') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Repeats short values to the caller, not long ones. The cut may split a surrogate pair. */
function brief(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= 64 ? value : `${value.slice(0, 61)}...`.toWellFormed();
  if (Array.isArray(value)) return `array of ${counted(value.length, 'item')}`;
  return typeof value === 'object' ? typeName(value) : value;
}
