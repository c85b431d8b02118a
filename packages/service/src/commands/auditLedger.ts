import { ConfigError, readConfig } from '../config.js';
import { StartError } from '../firstStart.js';
import { DataDirLockedError } from '../kit/db/database.js';
import { type AuditSummary, auditLedger } from '../ledger/audit/auditLedger.js';
import { withLedger } from './withLedger.js';

/*
 * npm run audit-ledger: rebuilds every tally and score from the ledger and compares. Exit code 0: no difference; 1: differences, or
 * the audit could not be carried through; 2: the environment cannot be used.
 */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    return await audit();
  } catch (error) {
    const isPlain = [ConfigError, StartError, DataDirLockedError].some((kind) => error instanceof kind);
    console.error(isPlain && error instanceof Error ? error.message : error);
    return error instanceof ConfigError ? 2 : 1;
  }
}

function audit(): Promise<number> {
  return withLedger(readConfig(), 2, async (db) => {
    const summary = await auditLedger(db, {
      onDifference: ({ subjectId, what }) => console.log(`DIFFERENCE subject ${subjectId}: ${what}`),
      onProgress: (soFar) => console.log(`... ${countsOf(soFar)}`),
    });
    console.log(conclusionOf(summary));
    return summary.differences === 0 ? 0 : 1;
  });
}

function countsOf({ subjects, events, snapshots }: AuditSummary): string {
  return `${subjects} subjects, ${events} events, ${snapshots} snapshots`;
}

function conclusionOf(summary: AuditSummary): string {
  const { foreignSnapshots, foreignScores } = summary;
  const foreign =
    foreignSnapshots === 0
      ? ''
      : ` ${foreignSnapshots} snapshots were computed by another formula, or by the draft of this one, and cannot be rebuilt.` +
        (foreignScores === 0
          ? ''
          : ` ${foreignScores} of them are still the current score: the worker computes these again, frozen ones when they are cleared.`);
  const verdict =
    summary.differences === 0
      ? 'The ledger audits clean: no difference.'
      : `Differences between the ledger and what is derived from it: ${summary.differences}.`;
  return `Audited ${countsOf(summary)}.${foreign}\n${verdict}`;
}
