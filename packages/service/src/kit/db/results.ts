import type { EventEmitter } from 'node:events';
import pg, { type CustomTypesConfig, type PoolClient } from 'pg';

/** The verb of each step of a statement and the table that it is about. */
const STEP = /\b(insert into|update|delete from|from|join)\s+(?:only\s+)?([a-z_][\w.]*)/gi;
const CTE =
  /(?:\bwith|,)\s*(?:recursive\s+)?([a-z_]\w*)(?:\s*\([^()]*\))?\s+as\s+(?:not\s+)?(?:materialized\s*)?\(/gi;
const MAX_STEPS = 4;
const MAX_KNOWN = 1_000;

const known = new Map<string, string>();

/** A statement in a few words, for traces: `insert event, insert tally, select subject`. No values. */
export function statementSummary(text: string): string {
  let summary = known.get(text);
  if (summary === undefined) {
    summary = summarize(text);
    if (known.size < MAX_KNOWN) known.set(text, summary);
  }
  return summary;
}

function summarize(text: string): string {
  const own = new Set(Array.from(text.matchAll(CTE), ([, name]) => name));
  const written = new Set<string>();
  const read = new Set<string>();
  for (const [, verb = '', table] of text.matchAll(STEP)) {
    if (own.has(table)) continue;
    if (/^(?:from|join)$/i.test(verb)) read.add(`select ${table}`);
    else written.add(`${verb.toLowerCase().split(' ')[0]} ${table}`);
  }
  // What is written says more than what is read.
  const steps = [...written, ...read].slice(0, MAX_STEPS);
  return steps.length > 0 ? steps.join(', ') : (/^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement');
}

/**
 * Gives each statement text a name, so that each connection parses and plans it once. Limited, because each
 * name takes memory in every server session. Texts beyond the limit (dynamic SQL) run unnamed.
 */
export class StatementNames {
  readonly #known = new Map<string, { name: string; text: string }>();
  #generation = 0;

  /** @param rewrite gives the text that is sent. */
  constructor(
    readonly limit = 500,
    readonly rewrite: (text: string) => string = (text) => text,
  ) {}

  of(text: string): { name?: string; text: string } {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size >= this.limit) return { text: this.rewrite(text) };
    const name = `s${this.#generation}_${this.#known.size}`;
    const named = { name, text: this.rewrite(text) };
    this.#known.set(text, named);
    return named;
  }

  /** Starts over with new names, because the plans in the sessions no longer fit the tables. */
  forget(): void {
    this.#generation += 1;
    this.#known.clear();
  }
}

/**
 * Converts column values to JavaScript values on both engines (the doc of Queryable has the table).
 * Set for the whole pool, because the service needs one conversion per type.
 */
export const columnTypes: CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    return textParsers.get(oid) ?? pg.types.getTypeParser(oid, 'text');
  },
};

const { INT8, DATE, TIMESTAMP, TIMESTAMPTZ, NUMERIC } = pg.types.builtins;
const INT2_ARRAY = 1005;
const INT4_ARRAY = 1007;
const INT8_ARRAY = 1016;
const DATE_ARRAY = 1182;
const NUMERIC_ARRAY = 1231;
const UUID_ARRAY = 2951;

const readMoment: (text: string) => Date = pg.types.getTypeParser(TIMESTAMPTZ, 'text');

const textParsers = new Map<number, (text: string) => unknown>([
  [INT8, toSafeInteger],
  [NUMERIC, Number],
  // A day has no time zone; the Date of pg would shift it by the time zone of the machine.
  // Timestamps without time zone are not used and stay text.
  [DATE, asIs],
  [TIMESTAMP, asIs],
  [TIMESTAMPTZ, momentOf],
  [INT2_ARRAY, unquoted(Number)],
  [INT4_ARRAY, unquoted(Number)],
  [INT8_ARRAY, unquoted(toSafeInteger)],
  [NUMERIC_ARRAY, unquoted(Number)],
  [UUID_ARRAY, unquoted(asIs)],
  [DATE_ARRAY, unquoted(asIs)],
]);

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the integer ${text} exceeds 2^53 - 1`);
  return value;
}

/** As ISO 8601, which Node parses in a fifth of the time. Years of 5 digits, BC etc. are left to pg. */
function momentOf(text: string): Date {
  const sign = text.charAt(text.length - 3);
  if (text.charAt(10) !== ' ' || (sign !== '+' && sign !== '-')) return readMoment(text);
  return new Date(`${text.slice(0, 10)}T${text.slice(11)}:00`);
}

/** One dimension, never quoted. The parser of pg reads character by character. */
function unquoted<T>(read: (item: string) => T): (text: string) => (T | null)[] {
  return (text) => {
    if (text === '{}') return [];
    const items = text.slice(1, -1).split(',');
    return items.map((item) => (item === 'NULL' ? null : read(item)));
  };
}

function asIs(text: string): string {
  return text;
}

/**
 * Names the columns of every result in camelCase: `created_at` becomes `createdAt`. It happens once
 * per result, before pg builds the first row, so rows cost nothing more. Keys inside JSON values
 * stay as they are.
 */
export function nameColumnsInCamelCase(client: PoolClient): void {
  // pg has no option for it, and its types lack `connection`. values.test.ts fails if pg changes
  // this.
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.prependListener('rowDescription', ({ fields }: { fields: { name: string }[] }) => {
    for (const field of fields) {
      if (!field.name.includes('_')) continue;
      field.name = field.name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    }
  });
}
