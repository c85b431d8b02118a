import { csvEncodings } from '@reliability/client/csv-file';
import { z } from 'zod';
import { jobStatuses } from '#domain/catalogues/enums.js';
import { type CsvSeparator, csvSeparators } from '#kit/csv.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { pick, rowsOf, sql } from '#kit/db/rows.js';
import { looseItems } from '#kit/http/openapiSchemas.js';
import { cursorParam, instant, pageLimit, pageSchema, pathText, wholeNumber } from '#kit/http/query.js';
import type { Owner } from '#kit/http/route.js';
import { ownedRows } from '#ledger/reads/ownedRows.js';
import { MappingRules } from '../mappings.js';
import { ColumnProblem, type CountedProblem, withExamples } from './problems.js';

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

export const ImportPage = pageSchema('imports', Import).meta({ id: 'Imports' });

/** Loose, so that a warning can name a misspelt field. `createImport` validates the parts. */
export const ImportBody = z
  .looseObject({
    csv: z.unknown().meta({ type: 'string' }),
    mapping: looseItems(MappingRules).nullish(),
    mappingId: z.string().max(255).nullish(),
  })
  .meta({ id: 'NewImport' });

export const separator = z.enum(Object.keys(csvSeparators) as [CsvSeparator, ...CsvSeparator[]]);

export const CreateQuery = z.object({
  mappingId: z.string().max(255).optional(),
  separator: separator.default('comma'),
  encoding: z.enum(csvEncodings).default('utf-8'),
});

/** Sent by habit to the operation that would import the file. */
export const ImportsQuery = CreateQuery.extend({
  dryRun: z
    .string()
    .max(8, { abort: true })
    .refine((text) => text === '0', 'has no effect here: send the file to POST /imports/dry-run')
    .optional(),
});

export const DetectBody = z.object({ csv: z.unknown().meta({ type: 'string' }) }).meta({ id: 'UnknownFile' });

export const DetectQuery = z.object({
  separator: separator.optional(),
  encoding: z.enum(csvEncodings).optional(),
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
  groupBy: z.enum(['row', 'column']).default('row'),
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
    columns: z.array(z.union([z.string(), ColumnProblem])),
    mapping: MappingRules.nullable(),
    errors: z.array(RowError),
    warnings: z.array(RowIssue),
    failedCount: count,
    truncated: z.boolean(),
    limit: z.int().min(0),
    offset: z.int().min(0),
  })
  .meta({ id: 'ImportIssues' });

type IssueKind = 'error' | 'warning';

export const importJobs = ownedRows<Import>({
  table: 'import_job',
  id: 'import_id',
  columns: `import_id as id, status, total_rows, created_count, skipped_count, failed_count, warning_count, error,
    created_at, started_at, completed_at`,
});

export async function listImports(db: Queryable, owner: Owner, query: z.output<typeof ImportQuery>) {
  const { rows, nextCursor } = await importJobs.newest(db, owner, query, pick(query, 'status'));
  return { imports: rows, nextCursor };
}

/** One page of both lists, or all problems by column. Throws NOT_FOUND. */
export async function readImportIssues(
  db: Queryable,
  owner: Owner,
  importId: string,
  query: z.output<typeof IssueQuery>,
): Promise<ImportIssues> {
  const { id, failedCount, warningCount } = await importJobs.read(db, owner, importId);
  const { limit, offset } = query;
  const { mapping, columns, problems } = await readFilePlan(db, owner, id);
  if (query.groupBy === 'column') {
    const rows = await readFailed(db, owner, id, problems);
    const grouped = withExamples(problems, columns, rows);
    return {
      columns: grouped,
      mapping,
      errors: [],
      warnings: [],
      failedCount,
      truncated: false,
      limit,
      offset,
    };
  }
  const [stored, errors, warnings] = await Promise.all([
    countIssues(db, owner, id),
    readIssues(db, owner, id, 'error', query),
    readIssues(db, owner, id, 'warning', query),
  ]);
  const truncated = failedCount > stored.errors || warningCount > stored.warnings;
  return {
    columns,
    mapping,
    errors,
    warnings: warnings.map(({ cells: _, ...warning }) => warning),
    failedCount,
    truncated,
    limit,
    offset,
  };
}

interface FilePlan extends Pick<ImportIssues, 'mapping'> {
  columns: string[];
  problems: CountedProblem[];
}

/** The columns of the file, the mapping that the import used, and what was wrong. */
async function readFilePlan(db: Queryable, { platformId }: Owner, importId: string): Promise<FilePlan> {
  const text = `select header as columns, plan -> 'rules' as mapping, problems from import_job
    where platform_id = $1 and import_id = $2`;
  const [row] = await db.query<FilePlan>(text, [platformId, importId]);
  return row ?? { columns: [], mapping: null, problems: [] };
}

type Failed = RowIssue & { cells: string[] | null };

/** The first row of each problem, as far as it is still stored. */
function readFailed(
  db: Queryable,
  { platformId }: Owner,
  importId: string,
  problems: readonly CountedProblem[],
): Promise<Failed[]> {
  return db.query<Failed>(
    `select row_no as row, code, reason, cells from import_issue
     where platform_id = $1 and import_id = $2 and kind = 'error' and row_no = any($3::integer[])`,
    [platformId, importId, problems.map(({ first }) => first)],
  );
}

/** How many of each kind are stored. */
async function countIssues(
  db: Queryable,
  { platformId }: Owner,
  importId: string,
): Promise<{ errors: number; warnings: number }> {
  // Not by issue_no: the first row of a problem is stored beyond the limit, too.
  const rows = await db.query<{ kind: IssueKind; count: number }>(
    `select kind, count(*)::integer as count from import_issue where platform_id = $1 and import_id = $2 group by kind`,
    [platformId, importId],
  );
  const of = (kind: IssueKind) => rows.find((row) => row.kind === kind)?.count ?? 0;
  return { errors: of('error'), warnings: of('warning') };
}

function readIssues(
  db: Queryable,
  { platformId }: Owner,
  importId: string,
  kind: IssueKind,
  { limit, offset }: { limit: number; offset: number },
): Promise<Failed[]> {
  // Not by issue_no alone: rows are recorded in another order than the file's (chunks.ts). The sort
  // is small, because IMPORT_MAX_STORED_ERRORS limits the list.
  return db.query<Failed>(
    `select row_no as row, code, reason, cells from import_issue
     where platform_id = $1 and import_id = $2 and kind = $3
     order by row_no, issue_no limit $4 offset $5`,
    [platformId, importId, kind, limit, offset],
  );
}

/** With the subject of its row, if that is known. */
export interface NewIssue extends RowIssue {
  subjectId?: string | null;
  /** Of a row that failed. */
  cells?: readonly string[] | null;
}

/** Issues of one kind, numbered from `from` + 1. */
export async function insertIssues(
  tx: Tx,
  { platformId, importId }: { platformId: string; importId: string },
  kind: IssueKind,
  from: number,
  issues: readonly NewIssue[],
): Promise<void> {
  if (issues.length === 0) return;
  await sql`insert into import_issue (platform_id, import_id, kind, ${newIssues.columns}, issue_no)
    select ${platformId}::uuid, ${importId}::uuid, ${kind}::text, ${newIssues.columns}, ${from}::integer + position
    from ${newIssues.as('issue', issues, 'position')}`.execute(tx);
}

const newIssues = rowsOf<NewIssue>(
  { text: ['code', 'reason'], uuid: ['subjectId'], json: ['cells'] },
  { rowNo: ['integer', ({ row }) => row] },
);

/** Of ended imports that were sent before this moment. */
export function deleteIssues(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from import_issue where (platform_id, import_id, kind, issue_no) in (
       select i.platform_id, i.import_id, i.kind, i.issue_no from import_job j join import_issue i using (platform_id, import_id)
       where j.created_at < $1 and j.completed_at is not null limit $2
     )`,
    [before, limit],
  );
}

/** Of ended imports that were sent before this moment: a table of a mapping can name subjects. */
export function deletePlans(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `update import_job set plan = null where (platform_id, import_id) in (
       select platform_id, import_id from import_job
       where created_at < $1 and completed_at is not null and plan is not null limit $2
     )`,
    [before, limit],
  );
}
