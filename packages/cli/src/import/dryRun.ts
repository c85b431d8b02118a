import { type Judgement, judge, NOTHING_DECLARED } from '../../../service/src/domain/declaredSubject.js';
import { usableMapping } from '../../../service/src/domain/mapping/compileMapping.js';
import type { OutcomeEvent } from '../../../service/src/domain/outcomeEvent.js';
import { REDUCED, type Warning } from '../../../service/src/domain/readOutcomeEvent.js';
import {
  type MappedRow,
  type MappedRows,
  mapRows,
} from '../../../service/src/features/intake/imports/mapRows.js';
import { assertColumns } from '../../../service/src/features/intake/imports/plan.js';
import {
  type ColumnProblem,
  countProblems,
  withExamples,
} from '../../../service/src/features/intake/imports/problems.js';
import { createYielder } from '../../../service/src/kit/backpressure/yielder.js';
import { textTable } from '../../../service/src/kit/terminal.js';
import { exitCodes } from '../exitCodes.js';
import type { Output } from '../output.js';
import { problemLines, warningLines } from './groupIssues.js';
import type { Inputs } from './readInputs.js';

interface DryRunOptions {
  livemode: boolean;
  now: Date;
  output: Output;
}

const MAX_PRINTED = 5;

/**
 * Prints the result that an import would have, and sends nothing. Returns the exit code. Throws
 * ServiceError.
 */
export async function dryRun(
  { file, mapping: rules, hasRowKeys }: Inputs,
  { livemode, now, output }: DryRunOptions,
): Promise<number> {
  const plan = { header: file.header, mapping: usableMapping(rules) };
  assertColumns(plan);
  const yieldTurn = createYielder();
  const result = await mapRows(file.rows, { plan, livemode, now, yieldTurn });
  const counts = { rows: file.rows.length, recorded: result.mapped.length, failed: result.failures.length };
  const counted = countProblems([], result.failures).problems;
  const problems = withExamples(counted, file.header, result.failures);
  output.result(
    { dryRun: true, ...counts, problems, first: result.mapped.slice(0, MAX_PRINTED).map(cellsOf) },
    () => [
      ...report(result, counts.rows, problems),
      hasRowKeys
        ? 'Nothing was sent. An import skips rows whose idempotencyKey was already used.'
        : 'Nothing was sent.',
    ],
  );
  return result.failures.length === 0 ? exitCodes.done : exitCodes.incomplete;
}

function report(
  { mapped, failures }: MappedRows,
  rows: number,
  problems: readonly ColumnProblem[],
): string[] {
  const warnings = mapped.flatMap((one) => warningsOf(one).map((warning) => ({ row: one.row, ...warning })));
  return [
    ...(mapped.length === 0
      ? []
      : ['The first events:', ...textTable(mapped.slice(0, MAX_PRINTED).map(cellsOf))]),
    `${mapped.length} of ${rows} rows would be recorded, ${failures.length} would fail.`,
    ...problemLines(problems),
    ...(warnings.length === 0 ? [] : [`${warnings.length} warnings:`, ...warningLines(warnings)]),
  ];
}

/** Warnings as for subjects without a declaration, since a dry run does not ask the service. */
function warningsOf({ event, warnings }: MappedRow): readonly Warning[] {
  const reduced = event.isVerified ? judgedUndeclared(event).reduced : null;
  return reduced ? [...warnings, REDUCED[reduced]] : warnings;
}

function judgedUndeclared(event: OutcomeEvent): Judgement {
  return judge(event, { by: 'named', platform: new Set() }, NOTHING_DECLARED);
}

function cellsOf({ row, event }: MappedRow): Record<string, string> {
  const { externalId, eventType, stakeLevel, transactionValue, dueDate, completedAt } = event;
  return {
    row: String(row),
    userId: externalId,
    eventType,
    stakeLevel,
    isVerified: String(event.isVerified && judgedUndeclared(event).isVerified),
    attester: event.attester ?? '',
    transactionValue: transactionValue === null ? '' : String(transactionValue),
    dueDate: momentText(dueDate),
    completedAt: momentText(completedAt),
    idempotencyKey: event.itemKey ?? '',
    metadata: metadataText(event),
  };
}

function momentText(moment: Date | null): string {
  return moment === null ? '' : moment.toISOString().replace('T00:00:00.000Z', '');
}

function metadataText({ metadata }: OutcomeEvent): string {
  return metadata === null ? '' : JSON.stringify(metadata);
}
