import type { Database } from '#kit/db/database.js';
import { auditLedger } from '#ledger/audit/auditLedger.js';
import { auditLog } from '#ledger/log/audit/auditLog.js';
import { openGroups } from '../../src/shape/groups/groups.js';
import { firstGroupOf, groupHandles } from './engines.js';

/** The differences that the audit of all ledger groups finds, each as `<subjectId> <what>`. */
export async function differencesIn(
  db: Database,
  handles?: readonly Database[],
  now = new Date(),
): Promise<string[]> {
  const found: string[] = [];
  const groups = handles ?? (await openGroups(firstGroupOf(db)));
  const onDifference = (what: string, subjectId = 'ledger') => found.push(`${subjectId} ${what}`);
  for (const group of groups) await auditLedger(group, { now, onDifference });
  return found;
}

/** The differences that the audit of the logs of all ledger groups finds. */
export async function logDifferencesIn(db: Database, now = new Date()): Promise<string[]> {
  const found: string[] = [];
  const onDifference = (what: string) => found.push(what);
  for (const group of await groupHandles(db)) await auditLog(group, { now, onDifference });
  return found;
}
