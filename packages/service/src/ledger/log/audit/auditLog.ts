import type { Database, Tx } from '../../../kit/db/database.js';
import { auditFacts } from './facts.js';
import { auditLeaves } from './leaves.js';
import { type LogAudit, type LogAuditSummary, NOTHING, readable } from './logAudit.js';
import { auditSigning } from './signing.js';

interface LogAuditOptions {
  now: Date;
  /** @param subjectId undefined: about the log as a whole */
  onDifference(what: string, subjectId: string | undefined): void;
  onProgress?(soFar: LogAuditSummary): void;
}

const MAX_REPORTED = 1000;

/**
 * Audits the transparency log (RULES E15 to E17): the leaves give every stored hash and every signed
 * root, every fact in the tables gives the commitment of its leaf, and nothing is missing on either
 * side. Read-only and safe beside a running service: each page is read from one database snapshot.
 */
export async function auditLog(db: Database, options: LogAuditOptions): Promise<LogAuditSummary> {
  const summary: LogAuditSummary = { ...NOTHING };
  const audit: LogAudit = {
    summary,
    now: options.now,
    report(what, subjectId) {
      summary.differences += 1;
      if (summary.differences <= MAX_REPORTED) options.onDifference(what, subjectId);
    },
    onProgress: () => options.onProgress?.(summary),
  };
  const auditTree = async (tx: Tx) => {
    const [state] = await tx.query<{ treeSize: number; leaves: number }>(
      `select tree_size, coalesce((select max(leaf_index) + 1 from log_fact), 0) as leaves from log_state`,
    );
    const { treeSize, leaves } = state ?? { treeSize: 0, leaves: 0 };
    if (treeSize !== leaves) audit.report(`the tree has ${treeSize} leaves, and ${leaves} are stored`);
    await auditLeaves(tx, leaves, audit);
    await auditSigning(tx, leaves, audit);
  };
  const leavesAudited = readable(audit, 'the tree', () => db.view(auditTree));
  await Promise.all([leavesAudited, auditFacts(db, audit)]);
  return summary;
}
