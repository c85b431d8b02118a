import { EventRecordSchema } from '../../../domain/eventRecord.js';
import { CSV_TYPE } from '../../../kit/csv.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import type { EventDeps } from './deps.js';
import { exportEvents } from './exportEvents.js';
import { readEvent } from './readEvent.js';
import { recordBatch } from './recordBatch.js';
import { recordEvent } from './recordEvent.js';
import {
  BatchBody,
  BatchRecorded,
  CSV_EXAMPLE,
  EventBody,
  EventRecorded,
  ExportPage,
  ExportQuery,
  eventPath,
} from './schemas.js';

export function eventRoutes(deps: EventDeps): RouteTable {
  return {
    'POST /events': route({
      operationId: 'recordEvent',
      access: keyFor('events'),
      tag: 'Events',
      summary: 'Record an outcome',
      description:
        'Appends one outcome to the ledger. 201 means committed; the score follows within moments. The ledger keeps ' +
        'what it takes for good, so fields it does not know are named in `warnings`. `isVerified: true` of an agent or a business ' +
        'that your platform runs itself is recorded as false, with the warning `VERIFICATION_DOWNGRADED`.',
      writesLedger: true,
      idempotent: true,
      body: EventBody,
      answers: { 201: EventRecorded },
      errors: ['RESERVED_EXTERNAL_ID'],
      handle: (context) => recordEvent(deps, context),
    }),
    'POST /events/batch': route({
      operationId: 'recordEvents',
      access: keyFor('events'),
      tag: 'Events',
      summary: 'Record up to 100 outcomes',
      description:
        'Each item stands or falls alone. With an `idempotencyKey` per item a retried batch writes nothing twice.',
      writesLedger: true,
      idempotent: true,
      body: BatchBody,
      itemsStandAlone: true,
      answers: { 200: BatchRecorded },
      handle: (context) => recordBatch(deps, context),
    }),
    'GET /events/{id}': route({
      operationId: 'readEvent',
      access: keyFor('events'),
      tag: 'Events',
      summary: 'Read one event',
      description:
        'One of your own, in the mode of the key, as the answer to `POST /events` shows it. Another platform’s event, one of the ' +
        'other mode and an unknown id are all 404.',
      params: eventPath,
      answers: { 200: EventRecordSchema },
      errors: ['NOT_FOUND'],
      handle: ({ caller, params }) => readEvent(deps, caller, params.id),
    }),
    'GET /events/export': route({
      operationId: 'exportEvents',
      access: keyFor('events'),
      tag: 'Events',
      summary: "Read the platform's own events, oldest first",
      description:
        'JSON in pages, or CSV as one stream: capped, with the cap in `X-Export-Max-Rows` and a last line ' +
        '`# TRUNCATED` where it was reached.',
      query: ExportQuery,
      queryError: (path) => {
        if (path === 'format') return 'EXPORT_FORMAT_INVALID';
        return path === 'from' || path === 'to' ? 'EXPORT_RANGE_INVALID' : 'VALIDATION_ERROR';
      },
      answers: { 200: { json: ExportPage, media: [{ type: CSV_TYPE, example: CSV_EXAMPLE }] } },
      errors: ['EXPORT_FORMAT_INVALID', 'EXPORT_RANGE_INVALID'],
      handle: (context) => exportEvents(deps, context),
    }),
  };
}
