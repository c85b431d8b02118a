import type { Readable } from 'node:stream';
import { z } from 'zod';
import { stringifyExact } from '#domain/exactInteger.js';
import { type EventRecord, EventRecordSchema } from '#domain/outcomeEvent.js';
import { timeRangeOf } from '#domain/timestamp.js';
import { CSV_TYPE, type CsvColumn, columnsOf, csvHeaders, csvStream } from '#kit/csv.js';
import { ok, type TypedAnswer } from '#kit/http/answer.js';
import { encodeCursor, positionOf } from '#kit/http/cursor.js';
import { keyFor, type Owner, type RouteTable, route } from '#kit/http/route.js';
import { idsBetween } from '#kit/ids.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { ProjectOutcomes } from '../foresee.js';
import {
  BatchBody,
  BatchQuery,
  BatchRecorded,
  EventBody,
  EventRecorded,
  ExportPage,
  ExportQuery,
  eventPath,
  RecordQuery,
  recordBatch,
  recordEvent,
} from './recordEvents.js';
import { type ExportRange, readEvent, readExportPage } from './store.js';

type EventDeps = Pick<ServiceDeps, 'config' | 'db' | 'reads' | 'clock' | 'ledger' | 'wakes' | 'erased'> & {
  readonly projectOutcomes: ProjectOutcomes;
};

/** Outcomes as this service defines them. */
export function eventRoutes(deps: EventDeps): RouteTable {
  const own = { access: keyFor('events'), tag: 'Events' };
  return {
    'POST /events': route({
      operationId: 'recordEvent',
      ...own,
      idempotent: true,
      body: EventBody,
      query: RecordQuery,
      answers: { 201: EventRecorded },
      errors: ['RESERVED_EXTERNAL_ID', 'SUBJECT_ERASED'],
      handle: (context) => recordEvent(deps, context),
    }),
    'POST /events/batch': route({
      operationId: 'recordEvents',
      ...own,
      idempotent: true,
      body: BatchBody,
      query: BatchQuery,
      itemsStandAlone: true,
      answers: { 200: BatchRecorded },
      errors: ['SUBJECT_ERASED'],
      handle: (context) => recordBatch(deps, context),
    }),
    'GET /events/{id}': route({
      operationId: 'readEvent',
      ...own,
      params: eventPath,
      answers: { 200: EventRecordSchema },
      errors: ['NOT_FOUND', 'SUBJECT_ERASED'],
      handle: async ({ owner, params }) => ok(await readEvent(deps.db, owner, params.id)),
    }),
    'GET /events/export': route({
      operationId: 'exportEvents',
      ...own,
      query: ExportQuery,
      queryError: (path) => {
        if (path === 'format') return 'EXPORT_FORMAT_INVALID';
        return path === 'from' || path === 'to' ? 'EXPORT_RANGE_INVALID' : 'VALIDATION_ERROR';
      },
      answers: { 200: { json: ExportPage, media: [{ type: CSV_TYPE }] } },
      errors: ['EXPORT_FORMAT_INVALID', 'EXPORT_RANGE_INVALID'],
      handle: ({ owner, query }) => exportEvents(deps, owner, query),
    }),
  };
}

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
  ...columnsOf('id', 'userId', 'eventType', 'stakeLevel', 'isVerified', 'transactionValue', 'dueDate'),
  ...columnsOf('completedAt', 'autoImported', 'livemode', 'createdAt'),
  { name: 'metadata', value: ({ metadata }) => metadata && stringifyExact(metadata) },
];
