import { z } from 'zod';
import { externalId } from '#domain/externalId.js';
import type { Queryable } from '#kit/db/database.js';
import { pageOf, positionOf } from '#kit/http/cursor.js';
import { cursorParam, pageLimit } from '#kit/http/query.js';
import { subjectIdOf } from '../subjectId.js';
import { isWithin, type NewestRow, newestColumns, newestPage, newestPositionOf } from './newestPage.js';
import type { ModeOwner } from './ownedRows.js';

/** Where disputes or reviews are stored, with `s` as the alias of their subjects. */
export interface CaseTable {
  readonly columns: string;
  readonly rows: string;
  readonly alias: string;
  /** The column with the id, which `columns` calls `id`. */
  readonly id: string;
}

/** The query of such a list, but for `status`. */
export const caseQuery = {
  userId: externalId.optional(),
  eventId: z.guid().optional(),
  sort: z.enum(['newest', 'deadline']).optional().default('newest'),
  limit: pageLimit(100, 25),
  cursor: cursorParam,
};

type CaseQuery = z.output<z.ZodObject<typeof caseQuery>> & { readonly status?: string | undefined };

/** A page of a platform's cases, newest first (newestPage), or those that end soonest first. */
export async function listCases<Row extends { readonly id: string; readonly respondBy: Date }>(
  db: Queryable,
  table: CaseTable,
  { platformId, livemode }: ModeOwner,
  { userId, eventId, status, sort, limit, cursor }: CaseQuery,
): Promise<{ rows: readonly Row[]; nextCursor: string | null }> {
  const isByDeadline = sort === 'deadline';
  const subjectId = userId === undefined ? undefined : subjectIdOf(platformId, livemode, userId);
  const filter = { subjectId, eventId, status: status ?? (isByDeadline ? 'OPEN' : undefined) };
  const named = [subjectId, eventId].filter((id) => id !== undefined);
  const read = <Read extends object>(order: Order, ...position: (string | null)[]) =>
    db.query<Row & Read>(pageStatement(table, order, filter), [
      platformId,
      livemode,
      ...position,
      limit + 1,
      ...named,
    ]);
  if (isByDeadline) {
    const rows = await read(deadlineOf(table), ...(positionOf(cursor, DeadlineCursor) ?? [null, null]));
    return pageOf(rows, limit, ({ respondBy, id }) => [respondBy.toISOString(), id]);
  }
  const newest = newestOf(table);
  return newestPage<Row>(limit, newestPositionOf(cursor), ({ beforeId, horizon }) =>
    read<NewestRow>(newest, beforeId, horizon),
  );
}

const DeadlineCursor = z.tuple([z.iso.datetime(), z.guid()]);

/** An order, and the rows behind a position ($3, $4) in it. */
interface Order {
  readonly by: string;
  readonly behind: string;
}

function newestOf({ alias, id }: CaseTable): Order {
  return {
    by: `${alias}.${id} desc`,
    behind: `($3::uuid is null or ${alias}.${id} < $3) and ${isWithin('$4', alias, 'opened_at')}`,
  };
}

function deadlineOf({ alias, id }: CaseTable): Order {
  return {
    by: `${alias}.respond_by, ${alias}.${id}`,
    behind: `($3::timestamptz is null or (${alias}.respond_by, ${alias}.${id}) > ($3, $4::uuid))`,
  };
}

interface CaseFilter {
  readonly subjectId: string | undefined;
  readonly eventId: string | undefined;
  /** A word of the catalogue. */
  readonly status: string | undefined;
}

/**
 * One statement for each set of filters: so the open cases are found by their small index, those of
 * a subject by the key, and those about an event by its subject and its id.
 */
function pageStatement(
  { columns, rows, alias }: CaseTable,
  { by, behind }: Order,
  { subjectId, eventId, status }: CaseFilter,
): string {
  const eventAt = subjectId === undefined ? '$6' : '$7';
  const ofEvent = `and ${alias}.event_id = ${eventAt} and ${alias}.subject_id =
    (select subject_id from event where platform_id = $1 and livemode = $2 and event_id = ${eventAt})`;
  return `select ${columns}, ${newestColumns(alias, 'opened_at')}
    from ${rows} cross join ledger_cluster
    where ${alias}.platform_id = $1 and ${alias}.livemode = $2 and s.external_id is not null and ${behind}
      ${subjectId === undefined ? '' : `and ${alias}.subject_id = $6`} ${eventId === undefined ? '' : ofEvent}
      ${status === undefined ? '' : `and ${alias}.status = '${status}'`}
    order by ${by} limit $5`;
}
