import type { Reporter } from '#domain/outcomeEvent.js';
import type { Warning } from '#domain/readOutcomeEvent.js';
import { namesOf } from '#domain/sameParty.js';
import { rest } from '#kit/backpressure/yielder.js';
import type { Tx } from '#kit/db/database.js';
import { compareTexts, groupBy } from '#kit/lists.js';
import type { Ledger } from '#ledger/append/append.js';
import type { EventOutcome } from '#ledger/append/store.js';
import { subjectIdOf } from '#ledger/subjectId.js';
import { warningsOf } from '../appendItems.js';
import type { MappedRow, MappedRows, RowFailure } from './mapRows.js';
import { countProblems } from './problems.js';
import { insertIssues, type NewIssue } from './store.js';
import { addCounts, type ImportReporter, storeProblems } from './workStore.js';

interface RecordOptions {
  ledger: Pick<Ledger, 'appendIn'>;
  importId: string;
  reporter: ImportReporter;
  maxStoredErrors: number;
  now: Date;
  mustYield?: (() => boolean) | undefined;
}

/**
 * Records consecutive rows, which are `inLockOrder`: their events, their errors and warnings, and
 * the counts.
 */
export async function recordRows(
  tx: Tx,
  { mapped, failures }: MappedRows,
  options: RecordOptions,
): Promise<void> {
  const { importId, reporter, maxStoredErrors, now } = options;
  const outcomes = await append(tx, mapped, options);
  const warnings = mapped
    .flatMap((row, index) => issuesOf(row, outcomes[index]))
    .sort((a, b) => a.row - b.row);
  const created = outcomes.filter(({ status }) => status === 'created').length;
  const counts = {
    created,
    skipped: outcomes.length - created,
    failed: failures.length,
    warnings: warnings.length,
  };
  const before = await addCounts(tx, reporter, importId, counts, now);
  const target = { platformId: reporter.platformId, importId };
  const storable = (issues: readonly RowFailure[], known: number, firsts?: ReadonlySet<number>): NewIssue[] =>
    issues
      .filter(({ row }, index) => known + index < maxStoredErrors || firsts?.has(row))
      .map(({ externalId, pattern: _, problems: __, ...issue }) => ({
        ...issue,
        subjectId:
          externalId === null ? null : subjectIdOf(reporter.platformId, reporter.livemode, externalId),
      }));
  if (failures.length > 0) {
    const { problems, firsts } = countProblems(before.problemsBefore, failures);
    await storeProblems(tx, reporter, importId, problems);
    const errors = storable(failures, before.failedBefore, firsts);
    await insertIssues(tx, target, 'error', before.failedBefore, errors);
  }
  await insertIssues(tx, target, 'warning', before.warningsBefore, storable(warnings, before.warningsBefore));
}

/**
 * Sorts rows in the order in which appends lock subjects, for all statements of the transaction.
 * Another order could deadlock with other appends. Rows about one subject keep their order.
 */
export function inLockOrder(
  { mapped, failures }: MappedRows,
  { platformId, livemode }: Omit<Reporter, 'trustTier'>,
): MappedRows {
  const subjects = [...groupBy(mapped, ({ event }) => event.externalId)].map(([externalId, rows]) => ({
    id: subjectIdOf(platformId, livemode, externalId),
    rows,
  }));
  subjects.sort((a, b) => compareTexts(a.id, b.id));
  return { mapped: subjects.flatMap(({ rows }) => rows), failures };
}

/** Events per statement. Requests of this process wait while a statement is built. */
const EVENTS_PER_STATEMENT = 500;
/** Under traffic, with a rest after each statement. */
const EVENTS_UNDER_TRAFFIC = 100;

/** Builds and sends the next statement while the database runs one. */
async function append(
  tx: Tx,
  mapped: readonly MappedRow[],
  { ledger, reporter, mustYield }: RecordOptions,
): Promise<EventOutcome[]> {
  const evidence = { by: 'named', platform: namesOf([reporter.platformName]) } as const;
  const sent: Promise<readonly EventOutcome[]>[] = [];
  for (let start = 0; start < mapped.length; ) {
    const rests = mustYield?.() === true;
    const end = start + (rests ? EVENTS_UNDER_TRAFFIC : EVENTS_PER_STATEMENT);
    const outcomes = ledger.appendIn(
      tx,
      reporter,
      mapped.slice(start, end).map(({ event }) => event),
      evidence,
    );
    outcomes.catch(() => {}); // awaited below
    sent.push(outcomes);
    await sent.at(rests ? -1 : -2);
    if (rests) await rest();
    start = end;
  }
  return (await Promise.all(sent)).flat();
}

function issuesOf({ row, warnings, event }: MappedRow, outcome: EventOutcome | undefined): RowFailure[] {
  const all: readonly Warning[] = outcome ? [...warnings, ...warningsOf(outcome)] : warnings;
  return all.map(({ code, message }) => ({
    row,
    code,
    reason: message,
    externalId: event.externalId,
    pattern: message,
    problems: [],
    cells: null,
  }));
}
