import type { JobStatus } from '../../../domain/catalogues/enums.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import {
  isWithin,
  type NewestPosition,
  type NewestRow,
  newestColumns,
  newestPage,
} from '../../../ledger/reads/newestPage.js';
import type { ImportRecord, IssueKind, RowIssue } from './importRecord.js';

/** Whose imports: a platform in one of its modes. */
export interface Owner {
  readonly platformId: string;
  readonly livemode: boolean;
}

const SHOWN = `import_id as id, status, total_rows, created_count,
  skipped_count, failed_count, warning_count, error,
  created_at, started_at, completed_at`;

export async function findImport(
  db: Queryable,
  { platformId, livemode }: Owner,
  importId: string,
): Promise<ImportRecord | null> {
  const [row] = await db.query<ImportRecord>(
    `select ${SHOWN} from import_job where platform_id = $1 and livemode = $2 and import_id = $3`,
    [platformId, livemode, importId],
  );
  return row ?? null;
}

/** Imports of one platform and mode, newest first. @param status null: any. */
export async function listImports(
  db: Queryable,
  { platformId, livemode, status }: Owner & { status: JobStatus | null },
  position: NewestPosition,
  limit: number,
): Promise<{ imports: ImportRecord[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await newestPage(limit, position, ({ beforeId, horizon }) =>
    db.query<ImportRecord & NewestRow>(
      `select ${SHOWN}, ${newestColumns('import_job', 'created_at')}
       from import_job cross join installation
       where platform_id = $1 and livemode = $2 and ($3::uuid is null or import_id < $3)
         and ${isWithin('$4', 'import_job', 'created_at')} and ($6::text is null or status = $6)
       order by import_id desc limit $5`,
      [platformId, livemode, beforeId, horizon, limit + 1, status],
    ),
  );
  return { imports: rows.map(({ xid: _, isSettled: __, horizon: ___, ...shown }) => shown), nextCursor };
}

/** How many of each kind are kept. */
export async function countIssues(
  db: Queryable,
  { platformId }: Owner,
  importId: string,
): Promise<{ errors: number; warnings: number }> {
  const rows = await db.query<{ kind: IssueKind; last: number }>(
    `select kind, max(issue_no) as last from import_issue where platform_id = $1 and import_id = $2 group by kind`,
    [platformId, importId],
  );
  const of = (kind: IssueKind) => rows.find((row) => row.kind === kind)?.last ?? 0;
  return { errors: of('error'), warnings: of('warning') };
}

export function readIssues(
  db: Queryable,
  { platformId }: Owner,
  importId: string,
  kind: IssueKind,
  { limit, offset }: { limit: number; offset: number },
): Promise<RowIssue[]> {
  // Rows are worked off in another order than the file's (chunks.ts). A list is as long as IMPORT_MAX_STORED_ERRORS allows.
  return db.query<RowIssue>(
    `select row_no as row, code, reason from import_issue
     where platform_id = $1 and import_id = $2 and kind = $3
     order by row_no, issue_no limit $4 offset $5`,
    [platformId, importId, kind, limit, offset],
  );
}

/** Issues of one kind, numbered on behind `from`. */
export async function insertIssues(
  tx: Tx,
  { platformId, importId }: { platformId: string; importId: string },
  kind: IssueKind,
  from: number,
  issues: readonly RowIssue[],
): Promise<void> {
  if (issues.length === 0) return;
  await tx.execute(
    `insert into import_issue (platform_id, import_id, kind, row_no, issue_no, code, reason)
     select $1::uuid, $2::uuid, $3::text, row_no, $4::integer + place, code, reason
     from unnest($5::integer[], $6::text[], $7::text[]) with ordinality as said (row_no, code, reason, place)`,
    [
      platformId,
      importId,
      kind,
      from,
      issues.map(({ row }) => row),
      issues.map(({ code }) => code),
      issues.map(({ reason }) => reason),
    ],
  );
}
