import { z } from 'zod';
import type { ValidationDetail } from './errors.js';

const MAX_EDITS = 2;
/** Bounds the cost of a body with many unknown names. */
const MAX_LOOKED_AT = 1000;
const MAX_NAME = 64;

/**
 * The known name within two edits, ignoring case: `is_verified` means `isVerified`. The edits must
 * be fewer than half of the known name's letters, or two letters would match anything. Null: no
 * match.
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

/**
 * Optimal string alignment: inserted, deleted, replaced and swapped letters. Returns any number
 * above `most` once the distance exceeds it.
 */
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

/** For the error of an unknown name: the name that was probably meant. */
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

/** The names of an object's own level; null for a schema that is not an object. */
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
