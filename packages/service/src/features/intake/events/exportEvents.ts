import { z } from 'zod';
import type { EventRecord } from '../../../domain/eventRecord.js';
import { stringifyExact } from '../../../domain/exactInteger.js';
import { timeRangeOf } from '../../../domain/timestamp.js';
import { type CsvColumn, csvHeaders, csvStream } from '../../../kit/csv.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { encodeCursor, positionOf } from '../../../kit/http/cursor.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { idsBetween } from '../../../kit/ids.js';
import type { EventDeps } from './deps.js';
import type { ExportQuery } from './schemas.js';
import { type ExportRange, readExportPage } from './store.js';

type Query = z.output<typeof ExportQuery>;
const CSV_PAGE_ROWS = 1000;
/** Each waits about a second. */
const MAX_FRUITLESS_PAGES = 30;
const ExportCursor = z.tuple([z.guid()]);

/** GET /events/export: the platform's own events, oldest first. */
export async function exportEvents(
  deps: EventDeps,
  { caller, query }: RequestContext<KeyAccess, undefined, Query, undefined>,
): Promise<Answer> {
  const range = rangeOf(caller, query);
  if (query.format === 'csv') return exportAsCsv(deps, range);
  const { rows, hasMore } = await readExportPage(deps.db, range, query.limit);
  const position = rows.at(-1)?.id ?? range.afterId;
  return ok({ events: rows, nextCursor: hasMore ? encodeCursor([position]) : null });
}

function rangeOf(owner: { platformId: string; livemode: boolean }, query: Query): ExportRange {
  const { start, end } = timeRangeOf(query, 'EXPORT_RANGE_INVALID');
  const { lowest, beyond } = idsBetween(start, end);
  const [after] = positionOf(query.cursor, ExportCursor) ?? [lowest];
  return { platformId: owner.platformId, livemode: owner.livemode, afterId: after, beforeId: beyond };
}

function exportAsCsv({ db, config }: EventDeps, range: ExportRange): Answer {
  const maxRows = config.eventExportMaxRows;
  async function* pages(): AsyncGenerator<EventRecord[]> {
    let afterId = range.afterId;
    for (let fruitless = 0; fruitless < MAX_FRUITLESS_PAGES; ) {
      const { rows, hasMore } = await readExportPage(db, { ...range, afterId }, CSV_PAGE_ROWS);
      yield rows;
      if (!hasMore) return;
      afterId = rows.at(-1)?.id ?? afterId;
      fruitless = rows.length === 0 ? fruitless + 1 : 0;
    }
    // Broken off rather than ended: a file that looks whole must be whole.
    throw new Error('a transaction that stays open holds back the rest of a CSV export');
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
