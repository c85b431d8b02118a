import type { Database, Tx } from '../../../kit/db/database.js';
import { type AuditOptions, beginAudit, guarded } from '../../audit/report.js';
import { findSignedCheckpoint, readSignedHead } from '../checkpoints.js';
import { knownHead } from '../heads.js';
import { LogInconsistent } from '../logInconsistent.js';
import { assertKeyIsStored } from '../logKey.js';
import { auditFacts } from './facts.js';
import { auditLeaves } from './leaves.js';
import type { LogAudit, LogAuditSummary } from './store.js';

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

/** A log that has just begun may have leaves and no checkpoint yet. */
const SIGNED_WITHIN_MS = 10 * 60_000;

/** What must be there if the log was ever signed: its newest checkpoint, and the key that signs. */
async function auditSigning(tx: Tx, leaves: number, audit: LogAudit): Promise<void> {
  try {
    const newest = await findSignedCheckpoint(tx);
    const note = await readSignedHead(tx);
    const size = note === null ? 0 : knownHead(note, 'log_state').size;
    if (size > (newest?.treeSize ?? 0))
      audit.report(`the checkpoint of ${size} leaves was signed, and it is missing`);
    else if (!newest && leaves > 0 && (await isOld(tx, audit.now)))
      audit.report(`the log has ${leaves} leaves and no signed checkpoint`);
    await assertKeyIsStored(tx);
  } catch (error) {
    if (!(error instanceof LogInconsistent)) throw error;
    audit.report(error.message);
  }
}

async function isOld(tx: Tx, now: Date): Promise<boolean> {
  const [note] = await tx.query<{ at: Date }>(
    `select (fact ->> 'at')::timestamptz as at from log_note where number = 1`,
  );
  return !note || now.getTime() - note.at.getTime() > SIGNED_WITHIN_MS;
}
