import { z } from 'zod';
import { jobStatuses } from '../../../domain/catalogues/enums.js';
import { type CsvSeparator, csvSeparators } from '../../../kit/csv.js';
import { looseItems } from '../../../kit/http/openapiSchemas.js';
import { cursorParam, instant, pageLimit, pathText, wholeNumber } from '../../../kit/http/query.js';
import { MappingRules } from '../mappingSchema.js';

export const count = z.int().min(0);

export type Import = z.output<typeof Import>;
export const Import = z
  .object({
    id: z.uuid(),
    status: z.enum(jobStatuses),
    totalRows: count,
    createdCount: count,
    skippedCount: count,
    failedCount: count,
    warningCount: count,
    error: z.string().nullable(),
    createdAt: instant,
    startedAt: instant.nullable(),
    completedAt: instant.nullable(),
  })
  .meta({ id: 'Import' });

export const ImportPage = z
  .object({ imports: z.array(Import), nextCursor: z.string().nullable() })
  .meta({ id: 'Imports' });

/** Loose, so that a warning can name a misspelt field. `createImport` validates the parts. */
export const ImportBody = z
  .looseObject({
    csv: z.unknown().meta({ type: 'string' }),
    mapping: looseItems(MappingRules).nullish(),
    mappingId: z.string().max(255).nullish(),
  })
  .meta({ id: 'NewImport' });

export const CreateQuery = z.object({
  mappingId: z.string().max(255).optional(),
  separator: z.enum(Object.keys(csvSeparators) as [CsvSeparator, ...CsvSeparator[]]).default('comma'),
});

export const ImportQuery = z.object({
  status: z.enum(jobStatuses).optional(),
  cursor: cursorParam,
  limit: pageLimit(100, 25),
});

export const importPath = z.object({
  id: pathText(),
});

export const IssueQuery = z.object({
  limit: pageLimit(100, 25),
  offset: wholeNumber(0, 1_000_000_000).optional().default(0),
});

/** An error or a warning. */
export type RowIssue = z.output<typeof RowIssue>;
const RowIssue = z.object({
  row: z.int().min(0),
  code: z.string(),
  reason: z.string(),
});

const RowError = RowIssue.extend({
  cells: z.array(z.string()).nullable(),
});

export type ImportIssues = z.output<typeof ImportIssues>;
export const ImportIssues = z
  .object({
    columns: z.array(z.string()),
    mapping: MappingRules.nullable(),
    errors: z.array(RowError),
    warnings: z.array(RowIssue),
    failedCount: count,
    truncated: z.boolean(),
    limit: z.int().min(0),
    offset: z.int().min(0),
  })
  .meta({ id: 'ImportIssues' });
