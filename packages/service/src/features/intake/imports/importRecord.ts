import type { JobStatus } from '../../../domain/catalogues/enums.js';

/** An import as its owner reads it. */
export interface ImportRecord {
  id: string;
  status: JobStatus;
  totalRows: number;
  createdCount: number;
  skippedCount: number;
  failedCount: number;
  warningCount: number;
  error: string | null;
  createdAt: Date;
  startedAt: Date | null;
  completedAt: Date | null;
}

/** What became of a number of rows. */
export interface RowCounts {
  created: number;
  skipped: number;
  failed: number;
  warnings: number;
}

/** Something that is to be said of a data row of the file, counted from 1; of row 0: of the request itself. */
export interface RowIssue {
  row: number;
  code: string;
  reason: string;
}

export type IssueKind = 'error' | 'warning';
