import { z } from 'zod';
import type { ValidationDetail } from './errors.js';
import { ExactInteger } from './exactInteger.js';

/** RULES X2. @param raw the parsed input, because issues do not contain the value found. */
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

const MAX_EDITS = 2;
/** Bounds the cost of a body with many unknown names. */
const MAX_LOOKED_AT = 1000;
const MAX_NAME = 64;

/**
 * The known name within two edits, ignoring case: `is_verified` means `isVerified`. The edits must be fewer
 * than half of the known name's letters, or two letters would match anything. Null: no match.
 */
export function meantName(name: string, known: Iterable<string>): string | null {
  if (name.length > MAX_NAME) return null;
  const given = name.toLowerCase();
  let nearest: string | null = null;
  let fewest = MAX_EDITS + 1;
  for (const candidate of known) {
    const most = Math.min(MAX_EDITS, Math.ceil(candidate.length / 2) - 1, fewest - 1);
    if (Math.abs(candidate.length - given.length) > most) continue;
    const edits = editsBetween(given, candidate.toLowerCase(), most);
    if (edits > most) continue;
    nearest = candidate;
    fewest = edits;
  }
  return nearest;
}

/** Rows of the edit table. Reused, because a body of wrong names needs thousands of comparisons. */
let beforeLast = new Uint8Array(MAX_NAME + 2);
let last = new Uint8Array(MAX_NAME + 2);
let current = new Uint8Array(MAX_NAME + 2);

/** Optimal string alignment. Returns any number above `most` once the distance exceeds it. */
function editsBetween(a: string, b: string, most: number): number {
  for (let column = 0; column <= b.length; column += 1) last[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    current[0] = row;
    let fewest = row;
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let edits = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
      );
      const isSwapped =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (isSwapped) edits = Math.min(edits, at(beforeLast, column - 2) + 1);
      current[column] = edits;
      fewest = Math.min(fewest, edits);
    }
    // A swap refers back two rows, at the cost of one edit.
    if (fewest > most + 1) return fewest;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, b.length);
}

function at(row: Uint8Array, column: number): number {
  return row[column] ?? 0;
}

export function expectedOf(name: string, known: Iterable<string>): { expected?: string } {
  const meant = meantName(name, known);
  return meant === null ? {} : { expected: meant };
}

export function misspeltDetail(path: string, meant: string): ValidationDetail {
  const message = `is not a known name; did you mean \`${meant}\`?`;
  return { path, code: 'unrecognized', message, expected: meant };
}

/** The names that an object takes, and what objects under them take; of a list, what its items take. */
interface Names {
  readonly known: ReadonlySet<string>;
  readonly under: ReadonlyMap<string, Names>;
  readonly items: Names | null;
}

const NONE: Names = { known: new Set(), under: new Map(), items: null };

/** By schema; null for a schema of values without names. */
const namesBySchema = new WeakMap<z.ZodType, Names | null>();

/**
 * Unknown names of an input that are probably misspelt names of its schema, also in nested objects
 * and lists that the schema describes. Ignores other unknown names and open parts of a schema.
 * @param path dotted path of the input.
 */
export function misspellings(schema: z.ZodType, input: unknown, path = ''): ValidationDetail[] {
  let names = namesBySchema.get(schema);
  if (names === undefined) {
    names = namesOf(schema);
    namesBySchema.set(schema, names);
  }
  if (!names) return [];
  const search = { found: [], lookedAt: 0 };
  look(search, names, input, path);
  return search.found;
}

export function namesTaken(schema: z.ZodType): ReadonlySet<string> | null {
  return namesOf(schema)?.known ?? null;
}

function namesOf(schema: unknown): Names | null {
  if (schema instanceof z.ZodObject) {
    const { shape }: { shape: Record<string, unknown> } = schema;
    const under = Object.entries(shape).flatMap(([name, inner]): [string, Names][] => {
      const names = namesOf(inner);
      return names ? [[name, names]] : [];
    });
    return { ...NONE, known: new Set(Object.keys(shape)), under: new Map(under) };
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return namesOf(schema.unwrap());
  }
  if (schema instanceof z.ZodArray) {
    const items = namesOf(schema.element);
    return items && { ...NONE, items };
  }
  if (schema instanceof z.ZodUnion) return schema.options.map(namesOf).reduce(eitherOf, null);
  return schema instanceof z.ZodPipe ? namesOf(schema.in) : null;
}

function eitherOf(one: Names | null, other: Names | null): Names | null {
  if (!one || !other) return one ?? other;
  return {
    known: new Set([...one.known, ...other.known]),
    under: new Map([...one.under, ...other.under]),
    items: eitherOf(one.items, other.items),
  };
}

interface Search {
  readonly found: ValidationDetail[];
  lookedAt: number;
}

function look(search: Search, names: Names, input: unknown, path: string): void {
  if (typeof input !== 'object' || input === null) return;
  const { known, under } = names;
  for (const name in input) {
    if (search.found.length >= MAX_FOUND) return;
    const inner = Array.isArray(input) ? names.items : under.get(name);
    if (inner) look(search, inner, input[name as keyof typeof input], pathOf(path, name));
    if (Array.isArray(input) || known.has(name)) continue;
    search.lookedAt += 1;
    if (search.lookedAt > MAX_LOOKED_AT) return void search.found.push(tooMany(path));
    const meant = meantName(name, known);
    if (meant !== null) search.found.push(misspeltDetail(pathOf(path, name), meant));
  }
}

function tooMany(path: string): ValidationDetail {
  const message = `has more than ${MAX_LOOKED_AT} unknown names: remove them`;
  return { path, code: 'too_big', message, expected: MAX_LOOKED_AT };
}

/** Reported at most: each costs a comparison with every known name. */
const MAX_FOUND = 10;

function pathOf(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
