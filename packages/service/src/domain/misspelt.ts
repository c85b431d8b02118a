import { z } from 'zod';
import type { ValidationDetail } from './errors.js';

/** Largest distance of a misspelt name. */
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

export function misspeltDetail(path: string, meant: string): ValidationDetail {
  const message = `is not a known name; did you mean \`${meant}\`?`;
  return { path, code: 'unrecognized', message, expected: meant };
}

/** The names that an object takes, and what objects under them take. */
interface Names {
  readonly known: ReadonlySet<string>;
  readonly under: ReadonlyMap<string, Names>;
}

/** By schema; null for a schema that is not an object. */
const namesBySchema = new WeakMap<z.ZodType, Names | null>();

/**
 * Unknown names of an input that are probably misspelt names of its schema, also in nested objects
 * that the schema describes. Ignores other unknown names and open parts of a schema.
 * @param path dotted path of the input.
 */
export function misspellings(schema: z.ZodType, input: unknown, path = ''): ValidationDetail[] {
  let names = namesBySchema.get(schema);
  if (names === undefined) {
    names = namesOf(schema);
    namesBySchema.set(schema, names);
  }
  return names ? misspeltIn(names, input, path) : [];
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
    return { known: new Set(Object.keys(shape)), under: new Map(under) };
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return namesOf(schema.unwrap());
  }
  return schema instanceof z.ZodPipe ? namesOf(schema.in) : null;
}

function misspeltIn({ known, under }: Names, input: unknown, path: string): ValidationDetail[] {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return [];
  const found: ValidationDetail[] = [];
  let lookedAt = 0;
  for (const name in input) {
    const inner = under.get(name);
    if (inner) found.push(...misspeltIn(inner, input[name as keyof typeof input], pathOf(path, name)));
    if (known.has(name)) continue;
    lookedAt += 1;
    const meant = lookedAt > MAX_LOOKED_AT ? null : meantName(name, known);
    if (meant !== null) found.push(misspeltDetail(pathOf(path, name), meant));
    if (found.length >= MAX_FOUND) break;
  }
  return found;
}

/** Reported at most: each costs a comparison with every known name. */
const MAX_FOUND = 10;

function pathOf(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
