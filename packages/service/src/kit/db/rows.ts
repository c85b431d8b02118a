import {
  booleans,
  byteas,
  int2s,
  int4s,
  jsons,
  numerics,
  type Read,
  texts,
  timestamptzs,
  uuids,
} from './arrays.js';
import type { Queryable } from './types.js';

/** `json` is made from a value, `jsonText` is the text itself. */
interface Values {
  uuid: string;
  text: string;
  json: unknown;
  jsonText: string;
  boolean: boolean;
  smallint: number;
  integer: number;
  bigint: number;
  numeric: number;
  date: string;
  xid8: string;
  tid: string;
  timestamptz: Date | number;
  bytea: Uint8Array;
}

type Type = keyof Values;

/** A column and its values. Undefined is written as null. */
export type Column<Row> = { [T in Type]: readonly [type: T, value: Read<Row, Values[T]>] }[Type];

export type Columns<Row> = Readonly<Record<string, Column<Row>>>;

type OwnColumns<Row> = { readonly [T in Type]?: readonly Members<Row, Values[T]>[] };

type Members<Row, Value> = {
  [Name in keyof Row & string]: NonNullable<Row[Name]> extends Value ? Name : never;
}[keyof Row & string];

const arrayOf: { readonly [T in Type]: <Row>(rows: readonly Row[], read: Read<Row, Values[T]>) => unknown } =
  {
    uuid: uuids,
    text: texts,
    json: (rows, read) => jsons(rows, (row) => JSON.stringify(read(row) ?? undefined)),
    jsonText: jsons,
    boolean: booleans,
    smallint: int2s,
    integer: int4s,
    bigint: numerics,
    numeric: numerics,
    date: asText,
    xid8: asText,
    tid: asText,
    timestamptz: timestamptzs,
    bytea: byteas,
  };

function asText<Row>(rows: readonly Row[], read: Read<Row, string>): (string | null)[] {
  return rows.map((row) => read(row) ?? null);
}

export class Rows<Row> {
  readonly columns: Raw;

  constructor(readonly all: readonly (readonly [name: string, column: Column<Row>])[]) {
    this.columns = raw(all.map(([name]) => name).join(', '));
  }

  /** `unnest($1::uuid[], ...) as name (subject_id, ...)`. @param number a further column: 1, 2, 3 ... */
  as(name: string, rows: readonly Row[], number?: string): RowsPart {
    return new RowsPart(this.all as Rows<unknown>['all'], name, rows, number);
  }
}

class RowsPart {
  constructor(
    readonly columns: Rows<unknown>['all'],
    readonly name: string,
    readonly rows: readonly unknown[],
    readonly number: string | undefined,
  ) {}
}

/** @param computed further columns, in camelCase too. */
export function rowsOf<Row>(members: OwnColumns<Row>, computed: Columns<Row> = {}): Rows<Row> {
  const own = Object.entries<readonly string[]>(members).flatMap(([type, names]) =>
    names.map((name) => [snakeCase(name), memberOf<Row>(name, type)] as const),
  );
  return new Rows([
    ...own,
    ...Object.entries(computed).map(([name, column]) => [snakeCase(name), column] as const),
  ]);
}

function memberOf<Row>(name: string, type: string): Column<Row> {
  return [type, (row: Row) => row[name as keyof Row]] as unknown as Column<Row>;
}

/** Never from a request. */
class Raw {
  constructor(readonly text: string) {}
}

export function raw(text: string | number): Raw {
  return new Raw(String(text));
}

export class Sql {
  constructor(
    readonly strings: TemplateStringsArray,
    readonly parts: readonly unknown[],
  ) {}

  query<R extends object = Record<string, unknown>>(db: Queryable): Promise<R[]> {
    return db.query<R>(...composed(this));
  }

  execute(db: Queryable): Promise<number> {
    return db.execute(...composed(this));
  }
}

/**
 * A statement whose parameters are where they belong: values become `$1`, `$2` and so on; rows
 * (`Rows.as`), constants (`raw`) and other parts are inserted.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  return new Sql(strings, parts);
}

/** Each template's last text, and what it was made of: it is composed again if that differs. */
const known = new WeakMap<TemplateStringsArray, { text: string; shape: readonly unknown[] }>();

function composed(statement: Sql): [text: string, values: unknown[]] {
  const values: unknown[] = [];
  const shape: unknown[] = [];
  collect(statement, values, shape);
  const last = known.get(statement.strings);
  if (last?.shape.length === shape.length && shape.every((part, index) => part === last.shape[index])) {
    return [last.text, values];
  }
  const text = textOf(statement, { count: 0 });
  known.set(statement.strings, { text, shape });
  return [text, values];
}

function collect({ strings, parts }: Sql, values: unknown[], shape: unknown[]): void {
  shape.push(strings);
  for (const part of parts) {
    if (part instanceof Sql) collect(part, values, shape);
    else if (part instanceof Raw) shape.push(part.text);
    else if (part instanceof RowsPart) {
      shape.push(part.columns, part.name, part.number);
      for (const [, [type, read]] of part.columns)
        values.push(arrayOf[type](part.rows, read as Read<unknown, never>));
    } else values.push(part);
  }
}

function textOf({ strings, parts }: Sql, numbered: { count: number }): string {
  const next = () => {
    numbered.count += 1;
    return `$${numbered.count}`;
  };
  const texts = parts.map((part) => {
    if (part instanceof Sql) return textOf(part, numbered);
    if (part instanceof Raw) return part.text;
    if (!(part instanceof RowsPart)) return next();
    const { columns, name, number } = part;
    const arrays = columns.map(([, [type]]) => `${next()}::${type === 'jsonText' ? 'json' : type}[]`);
    const names = columns.map(([column]) => column).concat(number ?? []);
    const ordinality = number === undefined ? '' : ' with ordinality';
    return `unnest(${arrays.join(', ')})${ordinality} as ${name} (${names.join(', ')})`;
  });
  return String.raw({ raw: strings }, ...texts);
}

/** Inserts rows. @param rest a constant, such as `on conflict do nothing`. */
export function insertInto<Row>(table: string, of: Rows<Row>, rows: readonly Row[], rest = ''): Sql {
  return sql`insert into ${raw(table)} (${of.columns}) select * from ${of.as('added', rows)} ${raw(rest)}`;
}

/** Members are the columns in camelCase. @param rest a constant, such as `on conflict do nothing`. */
export function insertRow(db: Queryable, table: string, row: object, rest = ''): Promise<number> {
  const names = Object.keys(row).map(snakeCase);
  const marks = names.map((_, index) => `$${index + 1}`);
  return db.execute(
    `insert into ${table} (${names.join(', ')}) values (${marks.join(', ')}) ${rest}`,
    Object.values(row),
  );
}

/** Members are the columns in camelCase. A type of `changes` that could be empty does not compile. */
export function updateRow<Changes extends object>(
  db: Queryable,
  table: string,
  key: object,
  changes: Partial<Changes> extends Changes ? never : Changes,
): Promise<number> {
  const set = equations(changes, 0);
  const where = equations(key, set.length);
  return db.execute(`update ${table} set ${set.join(', ')} where ${where.join(' and ')}`, [
    ...Object.values(changes),
    ...Object.values(key),
  ]);
}

function equations(members: object, before: number): string[] {
  return Object.keys(members).map((name, index) => `${snakeCase(name)} = $${before + index + 1}`);
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function pick<Row extends object, Name extends keyof Row>(
  row: Row,
  ...names: Name[]
): Pick<Row, Name> {
  return Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;
}
