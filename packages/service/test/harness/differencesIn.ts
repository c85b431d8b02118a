import type { Database } from '../../src/kit/db/database.js';
import { auditLedger } from '../../src/ledger/audit/auditLedger.js';

/** The differences that the audit of a ledger finds, each as `<subjectId> <what>`. */
export async function differencesIn(db: Database): Promise<string[]> {
  const found: string[] = [];
  await auditLedger(db, { onDifference: ({ subjectId, what }) => found.push(`${subjectId} ${what}`) });
  return found;
}
