import type { Readable } from 'node:stream';
import { z } from 'zod';
import { stringifyExact } from '../../../domain/exactInteger.js';
import type { EventRecord } from '../../../domain/outcomeEvent.js';
import { timeRangeOf } from '../../../domain/timestamp.js';
import { type CsvColumn, csvHeaders, csvStream } from '../../../kit/csv.js';
import { ok, type TypedAnswer } from '../../../kit/http/answer.js';
import { encodeCursor, positionOf } from '../../../kit/http/cursor.js';
import type { Owner } from '../../../kit/http/route.js';
import { idsBetween } from '../../../kit/ids.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { ExportPage, ExportQuery } from './schemas.js';
import { type ExportRange, readExportPage } from './store.js';

type ExportDeps = Pick<ServiceDeps, 'reads' | 'config'>;
type Query = z.output<typeof ExportQuery>;

const CSV_PAGE_ROWS = 1000;
/** Each takes about a second. */
const MAX_EMPTY_PAGES = 30;
const ExportCursor = z.tuple([z.guid()]);

/** GET /events/export: the platform's own events, oldest first. */
export async function exportEvents(
  deps: ExportDeps,
  owner: Owner,
  query: Query,
): Promise<TypedAnswer<200, ExportPage | Readable>> {
  const range = rangeOf(owner, query);
  if (query.format === 'csv') return exportAsCsv(deps, range);
  const { rows, hasMore } = await deps.reads.from((db) => readExportPage(db, range, query.limit));
  const position = rows.at(-1)?.id ?? range.afterId;
  return ok({ events: rows, nextCursor: hasMore ? encodeCursor([position]) : null });
}

function rangeOf(owner: Owner, query: Query): ExportRange {
  const { start, end } = timeRangeOf(query, 'EXPORT_RANGE_INVALID');
  const { lowest, beyond } = idsBetween(start, end);
  const [after] = positionOf(query.cursor, ExportCursor) ?? [lowest];
  return { platformId: owner.platformId, livemode: owner.livemode, afterId: after, beforeId: beyond };
}

function exportAsCsv({ reads, config }: ExportDeps, range: ExportRange): TypedAnswer<200, Readable> {
  const maxRows = config.eventExportMaxRows;
  async function* pages(): AsyncGenerator<EventRecord[]> {
    let afterId = range.afterId;
    for (let empty = 0; empty < MAX_EMPTY_PAGES; ) {
      const page = { ...range, afterId };
      const { rows, hasMore } = await reads.from((db) => readExportPage(db, page, CSV_PAGE_ROWS));
      yield rows;
      if (!hasMore) return;
      afterId = rows.at(-1)?.id ?? afterId;
      empty = rows.length === 0 ? empty + 1 : 0;
    }
    // The stream breaks off: a file that looks complete must be complete.
    throw new Error('a CSV export cannot continue: a database transaction has stayed open too long');
  }
  return {
    status: 200,
    body: csvStream(COLUMNS, pages(), { maxRows }),
    headers: csvHeaders('events.csv', maxRows),
  };
}

const COLUMNS: readonly CsvColumn<EventRecord>[] = [
  { name: 'id', value: (event) => event.id },
  { name: 'userId', value: (event) => event.userId },
  { name: 'eventType', value: (event) => event.eventType },
  { name: 'stakeLevel', value: (event) => event.stakeLevel },
  { name: 'isVerified', value: (event) => event.isVerified },
  { name: 'transactionValue', value: (event) => event.transactionValue },
  { name: 'dueDate', value: (event) => event.dueDate },
  { name: 'completedAt', value: (event) => event.completedAt },
  { name: 'autoImported', value: (event) => event.autoImported },
  { name: 'livemode', value: (event) => event.livemode },
  { name: 'createdAt', value: (event) => event.createdAt },
  { name: 'metadata', value: (event) => (event.metadata === null ? null : stringifyExact(event.metadata)) },
];
