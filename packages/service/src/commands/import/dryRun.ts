import { NOTHING_DECLARED } from '../../domain/declaredSubject.js';
import { serviceError } from '../../domain/errors.js';
import { type Judgement, judge } from '../../domain/evidence.js';
import { usableMapping } from '../../domain/mapping/compileMapping.js';
import type { OutcomeEvent } from '../../domain/outcomeEvent.js';
import { REDUCED, type Warning } from '../../domain/readOutcomeEvent.js';
import { numbered } from '../../features/intake/imports/chunks.js';
import { type MappedRow, type MappedRows, mapRows } from '../../features/intake/imports/mapRows.js';
import { assertColumns } from '../../features/intake/imports/plan.js';
import { createYielder } from '../../kit/backpressure/yielder.js';
import type { Output } from '../../kit/progressBar.js';
import { textTable } from '../textTable.js';
import type { Inputs } from './readInputs.js';

interface DryRunOptions {
  livemode: boolean;
  now: Date;
  maxRows: number;
  output: Output;
}

const MAX_PRINTED = 5;

/**
 * Prints the result that an import would have, and sends nothing. Returns the exit code. Throws
 * ServiceError.
 */
export async function dryRun(
  { file, mapping: rules }: Inputs,
  { livemode, now, maxRows, output }: DryRunOptions,
): Promise<number> {
  const plan = { header: file.header, mapping: usableMapping(rules) };
  assertColumns(plan);
  if (file.rows.length > maxRows) throw serviceError('IMPORT_TOO_MANY_ROWS');
  const yieldTurn = createYielder();
  const result = await mapRows(numbered(file.rows), { plan, livemode, now, yieldTurn });
  for (const line of report(result, file.rows.length)) output.write(`${line}\n`);
  return result.failures.length === 0 ? 0 : 2;
}

function report({ mapped, failures }: MappedRows, rows: number): string[] {
  const warnings = mapped.flatMap((one) => warningsOf(one).map((warning) => ({ row: one.row, ...warning })));
  return [
    ...(mapped.length === 0
      ? []
      : ['The first events:', ...textTable(mapped.slice(0, MAX_PRINTED).map(cellsOf))]),
    `${mapped.length} of ${rows} rows would be recorded, ${failures.length} would fail.`,
    ...failures.slice(0, MAX_PRINTED).map(({ row, reason }) => `  row ${row}: ${reason}`),
    ...(failures.length > MAX_PRINTED ? [`  and ${failures.length - MAX_PRINTED} more`] : []),
    ...(warnings.length === 0 ? [] : [`${warnings.length} warnings:`]),
    ...warnings.slice(0, MAX_PRINTED).map(({ row, message }) => `  row ${row}: ${message}`),
    ...(warnings.length > MAX_PRINTED ? [`  and ${warnings.length - MAX_PRINTED} more`] : []),
    'Nothing was sent. An import skips rows whose idempotencyKey was already used.',
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
