import type { Database, Queryable } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';
import type { LogAuditSummary } from '../log/audit/store.js';
import type { AuditSummary } from './auditLedger.js';

export interface GroupAudit {
  readonly group: number;
  readonly ledger: AuditSummary;
  readonly log: LogAuditSummary;
}

export interface AuditRun {
  readonly id: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly differences: number;
  readonly groups: readonly GroupAudit[];
}

/** Three months of daily audits. */
export const MAX_AUDIT_RUNS = 100;

export async function insertAuditRun(db: Database, run: AuditRun): Promise<void> {
  await db.transaction(async (tx) => {
    const { id: auditId, groups, ...facts } = run;
    await insertRow(tx, 'audit_run', { auditId, ...facts, groups: JSON.stringify(groups) });
    await tx.execute(
      'delete from audit_run where audit_id in (select audit_id from audit_run order by audit_id desc offset $1)',
      [MAX_AUDIT_RUNS],
    );
  });
}

export function listAuditRuns(db: Queryable): Promise<AuditRun[]> {
  return db.query<AuditRun>(
    `select audit_id as id, started_at, ended_at, differences, groups from audit_run order by audit_id desc limit $1`,
    [MAX_AUDIT_RUNS],
  );
}
