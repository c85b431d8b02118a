import { z } from 'zod';
import { rangeParams } from '../../../domain/dateOrTimestamp.js';
import { LogReceipt } from '../../../domain/logProofs.js';
import { EVENT_EXAMPLE, EventRecordSchema } from '../../../domain/outcomeEvent.js';
import { EventInput } from '../../../domain/readOutcomeEvent.js';
import { looseItems } from '../../../kit/http/openapiSchemas.js';
import { cursorParam, pageLimit, pathText } from '../../../kit/http/query.js';
import { itemsRecorded, Warnings } from '../appendItems.js';

export const EventBody = looseItems(EventInput);

export type EventRecorded = z.output<typeof EventRecorded>;
export const EventRecorded = z
  .object({
    eventId: z.uuid(),
    event: EventRecordSchema,
    warnings: Warnings,
    receipt: LogReceipt.optional().meta({
      description:
        'With `receipt=1`, unless the log took longer than 5 s or the event is a test event: a warning says which.',
    }),
  })
  .meta({
    id: 'EventRecorded',
    description: 'The event as recorded, and warnings where it differs from what you sent.',
    example: { eventId: EVENT_EXAMPLE.id, event: EVENT_EXAMPLE, warnings: [] },
  });

export const RecordQuery = z.object({
  receipt: z.enum(['0', '1']).optional().meta({
    description: '`1`: waits up to 5 s for the receipt of the event and adds it to the response.',
    example: '1',
  }),
});

export const BatchBody = z.object({ events: z.array(looseItems(EventInput)).min(1).max(100) }).meta({
  id: 'EventBatch',
  description: '1 to 100 outcomes. Each is recorded or refused on its own.',
  example: {
    events: [
      {
        userId: 'worker-4711',
        eventType: 'TRANSACTION_COMPLETED',
        completedAt: '2026-03-02T09:00:00.000Z',
        idempotencyKey: 'order-1010',
      },
      { userId: 'worker-4712', eventType: 'CONTRACT_BREACHED', isVerified: true },
    ],
  },
});

export const BatchRecorded = z.object(itemsRecorded).meta({
  id: 'EventBatchRecorded',
  description: 'The result of each item. The status is 200 even if items failed, so check `failedCount`.',
  example: {
    results: [
      { index: 0, status: 'created', eventId: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34' },
      {
        index: 1,
        status: 'failed',
        error: { code: 'VALIDATION_ERROR', message: 'events.1.userId: is required' },
      },
    ],
    createdCount: 1,
    skippedCount: 0,
    failedCount: 1,
  },
});

export const ExportQuery = z.object({
  ...rangeParams(
    {
      description: 'Earliest `createdAt`: a timestamp, or a date for the start of its UTC day.',
      example: '2026-01-01',
    },
    {
      description: 'Latest `createdAt`, inclusive: a timestamp, or a date for the end of its UTC day.',
      example: '2026-03-31',
    },
  ),
  format: z.enum(['json', 'csv']).default('json'),
  cursor: cursorParam,
  limit: pageLimit(1000, 100).meta({ description: 'Events per page. JSON only.' }),
});

export type ExportPage = z.output<typeof ExportPage>;
export const ExportPage = z
  .object({ events: z.array(EventRecordSchema), nextCursor: z.string().nullable() })
  .meta({
    id: 'EventExportPage',
    description: "A page of the platform's own events, oldest first.",
    example: { events: [EVENT_EXAMPLE], nextCursor: null },
  });

export const CSV_EXAMPLE =
  'id,userId,eventType,stakeLevel,isVerified,transactionValue,dueDate,completedAt,autoImported,livemode,createdAt,metadata\r\n' +
  '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34,worker-4711,CONTRACT_FULFILLED,HIGH,true,480,2026-03-01T17:00:00.000Z,2026-03-01T15:42:10.000Z,false,true,2026-03-01T15:45:02.118Z,"{""orderId"":""A-1009""}"\r\n';

export const eventPath = z.object({
  id: pathText('Id of the event.', EVENT_EXAMPLE.id),
});
