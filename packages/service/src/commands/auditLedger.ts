import { systemClock } from '#kit/clock.js';
import type { Database } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import { auditLedger } from '#ledger/audit/auditLedger.js';
import { type GroupAudit, insertAuditRun } from '#ledger/audit/auditRuns.js';
import type { AuditOptions, Counts } from '#ledger/audit/report.js';
import { auditLog } from '#ledger/log/audit/auditLog.js';
import type { LogAuditSummary } from '#ledger/log/audit/store.js';
import { openGroups } from '../shape/groups/groups.js';
import { readConfig } from '../start/config.js';
import { reasonOf } from '../start/exit.js';
import { programs } from './options.js';
import { groupNamed, type ProgramOutput, runProgram } from './runCommand.js';
import { withLedger } from './withLedger.js';

/* Exit codes: 0 no difference, 1 differences or a failed audit, 2 invalid argument or configuration. */
process.exitCode = await runProgram(programs.auditLedger, async ({ values }, output) =>
  withLedger(readConfig(), 2, async (first) => {
    const startedAt = systemClock.now();
    const groups: GroupAudit[] = [];
    const all = await openGroups(first);
    for (const db of values.group === undefined ? all : [groupNamed(all, values.group)]) {
      if (db.ledgers.own > 0) output.say(`Ledger group ${db.ledgers.own}:`);
      groups.push(await auditGroup(db, output));
    }
    const differences = groups.reduce(
      (sum, { ledger, log }) => sum + ledger.differences + log.differences,
      0,
    );
    const endedAt = systemClock.now();
    try {
      const id = createIdSource().at(startedAt);
      await insertAuditRun(first, { id, startedAt, endedAt, differences, groups });
    } catch (error) {
      // An audit is worth its output, also on a standby or with a role that may only read.
      output.say(`The result was not stored for GET /admin/audits: ${reasonOf(error)}`);
    }
    output.result({ differences, groups });
    return differences === 0 ? 0 : 1;
  }),
);

async function auditGroup(db: Database, output: ProgramOutput): Promise<GroupAudit> {
  const now = systemClock.now();
  const run = async <Summary extends Counts>(
    name: string,
    audit: (db: Database, options: AuditOptions<Summary>) => Promise<Summary>,
    countsOf: (soFar: Summary) => string,
    conclusionOf: (summary: Summary) => string,
  ) => {
    const summary = await audit(db, {
      now,
      onDifference: (what, subjectId) =>
        output.say(`DIFFERENCE ${subjectId ? `subject ${subjectId}` : name}: ${what}`),
      onProgress: (soFar) => output.say(`... ${countsOf(soFar)}`),
    });
    output.say(`Audited ${countsOf(summary)}.${conclusionOf(summary)}`);
    return summary;
  };
  const ledger = await run(
    'ledger',
    auditLedger,
    ({ subjects, events, snapshots }) => `${subjects} subjects, ${events} events, ${snapshots} snapshots`,
    ({ differences }) =>
      differences === 0
        ? '\nThe ledger audits clean: no difference.'
        : `\nDifferences between the ledger and what is derived from it: ${differences}.`,
  );
  const log = await run(
    'log',
    auditLog,
    ({ leaves, checkpoints, facts }) => `${leaves} leaves, ${checkpoints} checkpoints, ${facts} facts`,
    logConclusionOf,
  );
  return { group: db.ledgers.own, ledger, log };
}

function logConclusionOf({ differences, thinned, erased, waiting }: LogAuditSummary): string {
  const others = [
    thinned > 0 && ` ${thinned} leaves are of snapshots that retention has thinned.`,
    erased > 0 && ` ${erased} leaves have no salt any more, because their subject was erased.`,
    waiting > 0 && ` ${waiting} facts wait for the log.`,
  ];
  const verdict =
    differences === 0
      ? 'The transparency log audits clean: every fact is what its leaf holds, and every checkpoint fits.'
      : `Differences between the ledger and the transparency log: ${differences}.`;
  return `${others.filter(Boolean).join('')}\n${verdict}`;
}
