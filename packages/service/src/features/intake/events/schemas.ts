import { z } from 'zod';
import { dateRange } from '../../../domain/dateOrTimestamp.js';
import { LogReceipt } from '../../../domain/logProofs.js';
import { EventRecordSchema } from '../../../domain/outcomeEvent.js';
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
    receipt: LogReceipt.optional(),
  })
  .meta({ id: 'EventRecorded' });

export const RecordQuery = z.object({
  receipt: z.enum(['0', '1']).optional(),
});

export const BatchBody = z
  .object({ events: z.array(looseItems(EventInput)).min(1).max(100) })
  .meta({ id: 'EventBatch' });

export const BatchRecorded = z.object(itemsRecorded).meta({ id: 'EventBatchRecorded' });

export const ExportQuery = z.object({
  ...dateRange,
  format: z.enum(['json', 'csv']).default('json'),
  cursor: cursorParam,
  limit: pageLimit(1000, 100),
});

export type ExportPage = z.output<typeof ExportPage>;
export const ExportPage = z
  .object({ events: z.array(EventRecordSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'EventExportPage' });

export const eventPath = z.object({
  id: pathText(),
});
