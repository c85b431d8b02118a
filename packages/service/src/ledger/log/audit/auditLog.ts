import type { Database, Tx } from '../../../kit/db/database.js';
import { type AuditOptions, beginAudit, guarded } from '../../audit/report.js';
import { auditFacts } from './facts.js';
import { auditLeaves } from './leaves.js';
import { auditSigning } from './signing.js';
import type { LogAuditSummary } from './store.js';

const NOTHING = { leaves: 0, checkpoints: 0, facts: 0, thinned: 0, erased: 0, waiting: 0, differences: 0 };

/**
 * Audits the transparency log (RULES E15 to E17): the leaves give every stored hash and every signed
 * root, every fact in the tables gives the commitment of its leaf, and nothing is missing on either
 * side. Read-only and safe beside a running service: each page is read from one database snapshot.
 */
export async function auditLog(
  db: Database,
  options: AuditOptions<LogAuditSummary>,
): Promise<LogAuditSummary> {
  const audit = beginAudit(NOTHING, options);
  const auditTree = async (tx: Tx) => {
    const [state] = await tx.query<{ treeSize: number; leaves: number }>(
      `select tree_size, coalesce((select max(leaf_index) + 1 from log_fact), 0) as leaves from log_state`,
    );
    const { treeSize, leaves } = state ?? { treeSize: 0, leaves: 0 };
    if (treeSize !== leaves) audit.report(`the tree has ${treeSize} leaves, and ${leaves} are stored`);
    await auditLeaves(tx, leaves, audit);
    await auditSigning(tx, leaves, audit);
  };
  const leavesAudited = guarded(audit.report, () => db.view(auditTree), 'the tree');
  await Promise.all([leavesAudited, auditFacts(db, audit)]);
  return audit.summary;
}
