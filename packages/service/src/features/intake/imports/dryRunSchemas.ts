import { z } from 'zod';
import { EVENT_EXAMPLE, EventRecordSchema } from '../../../domain/outcomeEvent.js';
import { wholeNumber } from '../../../kit/http/query.js';
import { Warnings } from '../appendItems.js';
import { CreateQuery, count } from './schemas.js';

export const DryRunQuery = CreateQuery.extend({
  sample: wholeNumber(0, 20)
    .optional()
    .default(5)
    .meta({ description: 'Of how many rows at the beginning of the file to show the events.' }),
});

export type IssueGroup = z.output<typeof IssueGroup>;
const IssueGroup = z.object({
  code: z.string(),
  reason: z.string().meta({
    description:
      'The common reason. Values of rows are replaced by "…". After 100 reasons the others share one group.',
  }),
  example: z.string().meta({ description: 'The reason of one of the rows, with its values.' }),
  count: count('Rows of the group.'),
  rows: z.array(z.int().min(0)).meta({ description: 'The first rows of the group, at most 20.' }),
});

const SampledEvent = EventRecordSchema.omit({ id: true, autoImported: true, livemode: true, createdAt: true })
  .extend({
    idempotencyKey: z.string().nullable().meta({
      description:
        'The key under which the row is recorded once; null: it would be recorded on every import.',
    }),
  })
  .meta({ id: 'SampledEvent', description: 'A row as the event that an import would record.' });

const { id: _, autoImported: __, livemode: ___, createdAt: ____, ...EVENT } = EVENT_EXAMPLE;

export type DryRun = z.output<typeof DryRun>;
export const DryRun = z
  .object({
    columns: z.array(z.string()).meta({ description: 'The header line of the file.' }),
    totalRows: count('Data rows of the file, without the header line and empty lines.'),
    validCount: count('Rows that would be recorded or skipped.'),
    skippedCount: count('Rows of these whose idempotencyKey is already used, before or in this file.'),
    failedCount: count('Rows that would fail.'),
    warningCount: count('Warnings about the request and about rows that would be recorded.'),
    errors: z.array(IssueGroup).meta({ description: 'Why rows would fail, the most frequent reason first.' }),
    warnings: z.array(IssueGroup).meta({ description: 'What an import would warn of.' }),
    sample: z
      .array(
        z.object({
          row: z
            .int()
            .min(1)
            .meta({ description: 'Data row of the file: 1 is the first below the header line.' }),
          event: SampledEvent.nullable().meta({ description: 'Null: the row would fail.' }),
          error: z.object({ code: z.string(), reason: z.string() }).nullable(),
          warnings: Warnings,
        }),
      )
      .meta({ description: 'The first rows of the file.' }),
  })
  .meta({
    id: 'ImportDryRun',
    description: 'What an import of the file would do.',
    example: {
      columns: ['job no', 'worker', 'outcome', 'finished on'],
      totalRows: 48_214,
      validCount: 48_211,
      skippedCount: 127,
      failedCount: 3,
      warningCount: 0,
      errors: [
        {
          code: 'VALIDATION_ERROR',
          reason:
            'completedAt: iso_date takes an ISO 8601 date or timestamp, such as 2026-03-01, not "…" (read from "finished on")',
          example:
            'completedAt: iso_date takes an ISO 8601 date or timestamp, such as 2026-03-01, not "03/04/2024" (read from "finished on")',
          count: 3,
          rows: [17, 204, 9981],
        },
      ],
      warnings: [],
      sample: [{ row: 1, event: { ...EVENT, idempotencyKey: 'A-1009' }, error: null, warnings: [] }],
    },
  });
