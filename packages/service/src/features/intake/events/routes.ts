import { EventRecordSchema } from '../../../domain/eventRecord.js';
import { CSV_TYPE } from '../../../kit/csv.js';
import { ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { exportEvents } from './exportEvents.js';
import { recordBatch, recordEvent } from './recordEvents.js';
import {
  BatchBody,
  BatchRecorded,
  CSV_EXAMPLE,
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
      summary: 'Record an outcome',
      description:
        'Appends one outcome to the ledger. 201 means committed; the score follows within moments. Events are permanent, ' +
        'so `warnings` names every unknown field. `isVerified: true` for an agent or a business ' +
        'that your platform runs itself is recorded as false, with the warning `VERIFICATION_DOWNGRADED`. With `receipt=1` the ' +
        'response waits for the receipt of the transparency log.',
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
      summary: 'Record up to 100 outcomes',
      description:
        'An invalid item fails alone. Give each item an `idempotencyKey`, and a retried batch writes nothing twice. A batch ' +
        'does not wait for receipts: read them at `GET /events/{id}/receipt`.',
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
      summary: 'Read one event',
      description:
        'One of your own events in the mode of the key, as `POST /events` returned it. 404 for an unknown id, an event ' +
        'of the other mode and an event of another platform.',
      params: eventPath,
      answers: { 200: EventRecordSchema },
      errors: ['NOT_FOUND', 'SUBJECT_ERASED'],
      handle: async ({ owner, params }) => ok(await readEvent(deps.db, owner, params.id)),
    }),
    'GET /events/export': route({
      operationId: 'exportEvents',
      ...own,
      summary: "Read the platform's own events, oldest first",
      description:
        'JSON in pages, or CSV as one stream. The CSV has at most `X-Export-Max-Rows` rows; if there are more, its last line ' +
        'is `# TRUNCATED`.',
      query: ExportQuery,
      queryError: (path) => {
        if (path === 'format') return 'EXPORT_FORMAT_INVALID';
        return path === 'from' || path === 'to' ? 'EXPORT_RANGE_INVALID' : 'VALIDATION_ERROR';
      },
      answers: { 200: { json: ExportPage, media: [{ type: CSV_TYPE, example: CSV_EXAMPLE }] } },
      errors: ['EXPORT_FORMAT_INVALID', 'EXPORT_RANGE_INVALID'],
      handle: ({ owner, query }) => exportEvents(deps, owner, query),
    }),
  };
}
