/** Ordered rows, read page by page. */
export interface RowReader<Row> {
  peek(): Promise<Row | null>;
  /** Consumes the row that `peek` returned. */
  skip(): void;
}

/** Rows of a page. */
export const PAGE_ROWS = 5000;

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
