import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, readConfig } from './config.js';
import { DataDirLockedError, openDatabase } from './kit/db/database.js';
import { type AuditSummary, auditLedger } from './ledger/auditLedger.js';
import { hasLedger } from './ledger/auditStore.js';

/*
 * npm run audit-ledger: rebuilds every tally and score from the ledger and compares. Exit code 0: no difference; 1: differences, or
 * the audit could not be carried through; 2: the environment cannot be used.
 */
process.exitCode = await main();

async function main(): Promise<number> {
  try {
    return await audit();
  } catch (error) {
    const isPlain = error instanceof ConfigError || error instanceof DataDirLockedError;
    console.error(isPlain ? error.message : error);
    return error instanceof ConfigError ? 2 : 1;
  }
}

async function audit(): Promise<number> {
  const config = readConfig();
  const dataDir = join(config.dataDir, 'database');
  // Opening a folder that is not there would create a database, and find it in order.
  if (config.databaseUrl === undefined && !existsSync(dataDir)) {
    console.error(`There is no database in ${dataDir}. DATA_DIR or DATABASE_URL says where it is.`);
    return 1;
  }
  const db = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir,
    poolSize: 2,
    log: { info: () => {}, warn: complain, error: complain },
  });
  try {
    if (!(await hasLedger(db))) {
      console.error('The database holds no ledger: the service has never been started on it.');
      return 1;
    }
    const summary = await auditLedger(db, {
      onDifference: ({ subjectId, what }) => console.log(`DIFFERENCE subject ${subjectId}: ${what}`),
      onProgress: (soFar) => console.log(`... ${countsOf(soFar)}`),
    });
    console.log(conclusionOf(summary));
    return summary.differences === 0 ? 0 : 1;
  } finally {
    await db.close();
  }
}

function complain(details: object, message: string): void {
  console.error(message, details);
}

function countsOf({ subjects, events, snapshots }: AuditSummary): string {
  return `${subjects} subjects, ${events} events, ${snapshots} snapshots`;
}

function conclusionOf(summary: AuditSummary): string {
  const foreign =
    summary.foreignSnapshots === 0
      ? ''
      : ` ${summary.foreignSnapshots} snapshots of another formula version were not rebuilt.`;
  const verdict =
    summary.differences === 0
      ? 'The ledger audits clean: no difference.'
      : `Differences between the ledger and what is derived from it: ${summary.differences}.`;
  return `Audited ${countsOf(summary)}.${foreign}\n${verdict}`;
}
