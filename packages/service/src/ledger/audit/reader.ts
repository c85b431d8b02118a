import type { Queryable, Tx } from '../../kit/db/database.js';
import { LOWEST_ID } from '../../kit/ids.js';
import { type AuditedEvent, readEvents, readSnapshots, type SnapshotRow } from './store.js';

/** Ordered rows, read page by page. */
export interface RowReader<Row> {
  peek(): Promise<Row | null>;
  /** Consumes the row that `peek` returned. */
  skip(): void;
}

/** Rows of a page. */
export const PAGE_ROWS = 5000;

/** The events of these subjects, by subject and position. */
export function eventReader(tx: Queryable, subjectIds: readonly string[]): RowReader<AuditedEvent> {
  const start = { subjectId: LOWEST_ID, position: 0, eventId: LOWEST_ID };
  return pagedReader((last) => readEvents(tx, subjectIds, last ?? start, PAGE_ROWS));
}

/** The snapshots of these subjects, by subject and number. */
export function snapshotReader(tx: Tx, subjectIds: readonly string[]): RowReader<SnapshotRow> {
  const start = { subjectId: LOWEST_ID, snapshotNo: 0 };
  return pagedReader((last) => readSnapshots(tx, subjectIds, last ?? start, PAGE_ROWS));
}

/** @param readPage the next PAGE_ROWS rows after the last one */
export function pagedReader<Row>(readPage: (last: Row | null) => Promise<Row[]>): RowReader<Row> {
  let page: Row[] = [];
  let next = 0;
  let isAtEnd = false;
  return {
    async peek() {
      if (next >= page.length && !isAtEnd) {
        page = await readPage(page.at(-1) ?? null);
        next = 0;
        isAtEnd = page.length < PAGE_ROWS;
      }
      return page[next] ?? null;
    },
    skip() {
      next += 1;
    },
  };
}
