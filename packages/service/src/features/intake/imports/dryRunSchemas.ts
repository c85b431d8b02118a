import { z } from 'zod';
import { EventRecordSchema } from '../../../domain/outcomeEvent.js';
import { wholeNumber } from '../../../kit/http/query.js';
import { Warnings } from '../appendItems.js';
import { CreateQuery, count } from './schemas.js';

export const DryRunQuery = CreateQuery.extend({
  sample: wholeNumber(0, 20).optional().default(5),
});

export type IssueGroup = z.output<typeof IssueGroup>;
const IssueGroup = z.object({
  code: z.string(),
  reason: z.string(),
  example: z.string(),
  count,
  rows: z.array(z.int().min(0)),
});

const SampledEvent = EventRecordSchema.omit({ id: true, autoImported: true, livemode: true, createdAt: true })
  .extend({
    idempotencyKey: z.string().nullable(),
  })
  .meta({ id: 'SampledEvent' });

export type DryRun = z.output<typeof DryRun>;
export const DryRun = z
  .object({
    columns: z.array(z.string()),
    totalRows: count,
    validCount: count,
    skippedCount: count,
    failedCount: count,
    warningCount: count,
    errors: z.array(IssueGroup),
    warnings: z.array(IssueGroup),
    sample: z.array(
      z.object({
        row: z.int().min(1),
        event: SampledEvent.nullable(),
        error: z.object({ code: z.string(), reason: z.string() }).nullable(),
        warnings: Warnings,
      }),
    ),
  })
  .meta({ id: 'ImportDryRun' });
