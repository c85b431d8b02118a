import { z } from 'zod';
import { jobStatuses } from '../../../domain/catalogues/enums.js';
import { type CsvSeparator, csvSeparators } from '../../../kit/csv.js';
import { looseItems } from '../../../kit/http/openapiSchemas.js';
import { cursorParam, instant, pageLimit, pathText, wholeNumber } from '../../../kit/http/query.js';
import { MappingRules } from '../mappingSchema.js';

const IMPORT_EXAMPLE = {
  id: '0199a3c2-b210-7d08-9f3c-2d5e81f0a6c4',
  status: 'RUNNING',
  totalRows: 48_214,
  createdCount: 21_870,
  skippedCount: 127,
  failedCount: 3,
  warningCount: 41,
  error: null,
  createdAt: '2026-03-01T15:45:02.118Z',
  startedAt: '2026-03-01T15:45:02.131Z',
  completedAt: null,
};

export const count = (description: string) => z.int().min(0).meta({ description });

export type Import = z.output<typeof Import>;
export const Import = z
  .object({
    id: z.uuid(),
    status: z.enum(jobStatuses).meta({
      description:
        'COMPLETED: every row was processed; some may have failed. FAILED: the import was interrupted, and `error` says why.',
    }),
    totalRows: count('Data rows of the file, without the header line and empty lines.'),
    createdCount: count('Rows that were recorded as events.'),
    skippedCount: count('Rows whose idempotencyKey was already used.'),
    failedCount: count('Rows that were not recorded.'),
    warningCount: count('Warnings about rows that were recorded.'),
    error: z.string().nullable(),
    createdAt: instant,
    startedAt: instant.nullable(),
    completedAt: instant.nullable(),
  })
  .meta({
    id: 'Import',
    description: 'The import of a file: its status and its counts.',
    example: IMPORT_EXAMPLE,
  });

export const ImportPage = z.object({ imports: z.array(Import), nextCursor: z.string().nullable() }).meta({
  id: 'Imports',
  description: 'A page of imports, newest first.',
  example: { imports: [IMPORT_EXAMPLE], nextCursor: null },
});

const MAPPING_EXAMPLE = {
  userId: { path: 'worker' },
  eventType: { path: 'outcome', table: { done: 'CONTRACT_FULFILLED', 'no show': 'CONTRACT_BREACHED' } },
  completedAt: { path: 'finished on', transform: 'iso_date' },
  idempotencyKey: { path: 'job no' },
};

export const CSV_EXAMPLE =
  'job no,worker,outcome,finished on\r\n1009,worker-4711,done,2024-03-01\r\n1010,worker-4712,no show,\r\n';

/** Loose, so that a warning can name a misspelt field. `createImport` validates the parts. */
export const ImportBody = z
  .looseObject({
    csv: z.unknown().meta({ type: 'string', description: 'The text of the file.' }),
    mapping: looseItems(MappingRules).nullish(),
    mappingId: z
      .string()
      .max(255)
      .nullish()
      .meta({ description: 'Id of a saved mapping, instead of `mapping`.' }),
  })
  .meta({
    id: 'NewImport',
    description: 'A CSV file, and the mapping that turns its rows into events.',
    example: { csv: CSV_EXAMPLE, mapping: MAPPING_EXAMPLE },
  });

export const CreateQuery = z.object({
  mappingId: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'Id of a saved mapping. Required with a CSV body.' }),
  separator: z
    .enum(Object.keys(csvSeparators) as [CsvSeparator, ...CsvSeparator[]])
    .default('comma')
    .meta({ description: 'The character between the cells. Some spreadsheets write semicolons.' }),
});

export const ImportQuery = z.object({
  status: z.enum(jobStatuses).optional().meta({ description: 'Only imports with this status.' }),
  cursor: cursorParam,
  limit: pageLimit(100, 25),
});

export const importPath = z.object({
  id: pathText('Id of the import.', IMPORT_EXAMPLE.id),
});

export const IssueQuery = z.object({
  limit: pageLimit(100, 25).meta({ description: 'Errors per page, and warnings per page.' }),
  offset: wholeNumber(0, 1_000_000_000)
    .optional()
    .default(0)
    .meta({ description: 'Errors to skip, and warnings to skip.' }),
});

/** An error or a warning. */
export type RowIssue = z.output<typeof RowIssue>;
const RowIssue = z.object({
  row: z.int().min(0).meta({
    description: 'Data row of the file: 1 is the first below the header line, 0 is the request itself.',
  }),
  code: z.string(),
  reason: z.string(),
});

const RowError = RowIssue.extend({
  cells: z.array(z.string()).nullable().meta({
    description:
      'The cells of the row as they were sent, so that it can be corrected and sent again. Null: the row was longer than 8 KiB.',
  }),
});

export type ImportIssues = z.output<typeof ImportIssues>;
export const ImportIssues = z
  .object({
    columns: z.array(z.string()).meta({ description: 'The header line of the file.' }),
    mapping: MappingRules.nullable().meta({
      description:
        'The mapping that the import used, to send corrected rows with. Null if no row failed, or if it is no longer stored.',
    }),
    errors: z.array(RowError),
    warnings: z.array(RowIssue),
    failedCount: count('All rows that failed, including those that are not listed.'),
    truncated: z.boolean().meta({
      description:
        'There were more errors or warnings than are stored. The counts of the import include them.',
    }),
    limit: z.int().min(0),
    offset: z.int().min(0),
  })
  .meta({
    id: 'ImportIssues',
    description: 'Errors and warnings about single rows, in the order of the file.',
    example: {
      columns: ['job no', 'worker', 'outcome', 'finished on'],
      mapping: MAPPING_EXAMPLE,
      errors: [
        {
          row: 17,
          code: 'VALIDATION_ERROR',
          reason: 'userId: is required (read from "worker")',
          cells: ['1025', '', 'done', '2024-03-01'],
        },
      ],
      warnings: [
        {
          row: 4,
          code: 'STAKE_CAPPED',
          reason: 'Auto-imported activity counts as MEDIUM stake at most; HIGH was lowered.',
        },
      ],
      failedCount: 1,
      truncated: false,
      limit: 25,
      offset: 0,
    },
  });
