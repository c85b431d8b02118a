import { z } from 'zod';
import { fail } from '#domain/errors.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { snakeCase } from '#kit/db/rows.js';
import { pageOf, positionOf } from '#kit/http/cursor.js';
import type { Owner } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { isWithin, type NewestRow, newestColumns, newestPage, newestPositionOf } from './newestPage.js';

export type ModeOwner = Pick<Owner, 'platformId' | 'livemode'>;

export interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface Kind {
  readonly table: string;
  /** The column with the id, which `columns` calls `id`. */
  readonly id: string;
  readonly columns: string;
  readonly join?: string;
  /** The message of NOT_FOUND. */
  readonly missing?: string;
}

/** What a platform and mode has of one kind, by id. */
export function ownedRows<Row extends { readonly id: string }>(kind: Kind) {
  const { table, columns, join = '', missing } = kind;
  const id = `${table}.${kind.id}`;
  const own = `where ${table}.platform_id = $1 and ${table}.livemode = $2`;
  const select = `select ${columns} from ${table} ${join} ${own}`;
  const selectNewest = `select ${columns}, ${newestColumns(table, 'created_at')}
    from ${table} ${join} cross join ledger_cluster ${own}`;
  const selectOne = `${select} and ${id} = $3`;
  const selectLocked = `${selectOne} for update of ${table}`;

  async function only(db: Queryable, text: string, { platformId, livemode }: ModeOwner, rowId: string) {
    const [row] = isUuid(rowId) ? await db.query<Row>(text, [platformId, livemode, rowId]) : [];
    return row ?? fail('NOT_FOUND', missing === undefined ? {} : { message: missing });
  }

  /**
   * Locks it until the transaction ends, so that simultaneous changes do not overwrite each other.
   * Throws NOT_FOUND.
   */
  function lock(tx: Tx, owner: ModeOwner, rowId: string) {
    return only(tx, selectLocked, owner, rowId);
  }

  function filtered(text: string, { platformId, livemode }: ModeOwner, filter: object) {
    const wanted = Object.entries(filter).filter(([, value]) => value !== undefined);
    const conditions = wanted.map(([name], index) => `and ${table}.${snakeCase(name)} = $${index + 3}`);
    const values: unknown[] = [platformId, livemode, ...wanted.map(([, value]) => value)];
    return { text: [text, ...conditions].join(' '), values };
  }

  return {
    lock,
    /** Throws NOT_FOUND. */
    read: (db: Queryable, owner: ModeOwner, rowId: string) => only(db, selectOne, owner, rowId),
    /** Deletes it. @returns what it was. Throws NOT_FOUND. */
    async remove(tx: Tx, owner: ModeOwner, rowId: string): Promise<Row> {
      const row = await lock(tx, owner, rowId);
      await tx.execute(`delete from ${table} where ${id} = $1`, [row.id]);
      return row;
    },
    /** A page, newest first. @param filter columns in camelCase; undefined: any value. */
    list(db: Queryable, owner: ModeOwner, query: PageQuery, filter: object = {}) {
      const { text, values } = filtered(select, owner, filter);
      return pageById<Row>(db, text, id, values, query);
    },
    /** The same, but rows written meanwhile neither repeat nor hide one (newestPage). */
    newest(db: Queryable, owner: ModeOwner, { cursor, limit }: PageQuery, filter: object = {}) {
      const { text, values } = filtered(selectNewest, owner, filter);
      const before = `$${values.length + 1}`;
      const page = `${text} and (${before}::uuid is null or ${id} < ${before})
        and ${isWithin(`$${values.length + 2}`, table, 'created_at')} order by ${id} desc limit $${values.length + 3}`;
      return newestPage<Row>(limit, newestPositionOf(cursor), (position) =>
        db.query<Row & NewestRow>(page, [...values, position.beforeId, position.horizon, limit + 1]),
      );
    },
  };
}

/**
 * A page, newest first.
 * @param select a statement up to its `where`, with as many parameters as there are values.
 * @param id the column that it selects as `id`.
 */
export async function pageById<Row extends { readonly id: string }>(
  db: Queryable,
  select: string,
  id: string,
  values: readonly unknown[],
  { cursor, limit }: PageQuery,
) {
  const [beforeId] = positionOf(cursor, IdCursor) ?? [null];
  const position = `$${values.length + 1}`;
  const rows = await db.query<Row>(
    `${select} and (${position}::uuid is null or ${id} < ${position}) order by ${id} desc limit $${values.length + 2}`,
    [...values, beforeId, limit + 1],
  );
  return pageOf(rows, limit, (row) => [row.id]);
}

const IdCursor = z.tuple([z.guid()]);
