import { EventRecordSchema } from '../../../domain/outcomeEvent.js';
import { CSV_TYPE } from '../../../kit/csv.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { exportEvents } from './exportEvents.js';
import { recordBatch, recordEvent } from './recordEvents.js';
import {
  BatchBody,
  BatchRecorded,
  EventBody,
  EventRecorded,
  ExportPage,
  ExportQuery,
  eventPath,
  RecordQuery,
} from './schemas.js';
import { readEvent } from './store.js';

type EventDeps = Pick<ServiceDeps, 'config' | 'db' | 'reads' | 'clock' | 'ledger' | 'wakes' | 'erased'>;

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
