import { type ServiceError, sentenceOf, type ValidationDetail } from '../../../domain/errors.js';
import { applyMapping, readMappedEvent } from '../../../domain/mapping/applyMapping.js';
import type { OutcomeEvent } from '../../../domain/outcomeEvent.js';
import type { ReadEvent, Warning } from '../../../domain/readOutcomeEvent.js';
import type { YieldTurn } from '../../../kit/backpressure/yielder.js';
import type { RowIssue } from './importRecord.js';
import type { ImportPlan } from './plan.js';

/** The cells of a row, behind its number among the file's data rows, from 1. */
export type NumberedRow = readonly [row: number, cells: readonly string[]];

/** A row that has become an event. */
export interface MappedRow {
  readonly row: number;
  readonly event: OutcomeEvent;
  readonly warnings: readonly Warning[];
}

/** A stretch of the file as events. */
export interface MappedRows {
  readonly mapped: readonly MappedRow[];
  readonly failures: readonly RowIssue[];
}

interface MapOptions {
  plan: ImportPlan;
  livemode: boolean;
  now: Date;
  yieldTurn: YieldTurn;
}

export async function mapRows(
  rows: Iterable<NumberedRow>,
  { plan, livemode, now, yieldTurn }: MapOptions,
): Promise<MappedRows> {
  const read = rowReader(plan, livemode, now);
  const mapped: MappedRow[] = [];
  const failures: RowIssue[] = [];
  for (const [row, cells] of rows) {
    const isRagged = cells.length !== plan.header.length;
    const result = isRagged ? null : read(cells);
    if (result === null) failures.push(ragged(row, cells.length, plan.header.length));
    else if ('event' in result) mapped.push({ row, event: result.event, warnings: result.warnings });
    else failures.push({ row, code: result.refusal.code, reason: reasonOf(result.refusal) });
    if (row % ROWS_PER_BREATH === 0) await yieldTurn();
  }
  return { mapped, failures };
}

const ROWS_PER_BREATH = 16;

function rowReader({ header, mapping }: ImportPlan, livemode: boolean, now: Date) {
  // One record for all rows, without a prototype: a column may have any name.
  const record: Record<string, string> = Object.create(null);
  return (cells: readonly string[]): ReadEvent => {
    for (let column = 0; column < header.length; column += 1) {
      record[header[column] ?? ''] = cells[column] ?? '';
    }
    return readMappedEvent(applyMapping(mapping, record), { livemode, now, isImport: true });
  };
}

/** Every fault of the row, since its details are not kept. */
function reasonOf({ message, details }: ServiceError): string {
  const faults: readonly ValidationDetail[] = Array.isArray(details) ? details : [];
  const [first, ...others] = faults.slice(0, MAX_FAULTS);
  if (!first) return message;
  return [sentenceOf([first]), ...others.map((fault) => sentenceOf([fault]))].join('; ').slice(0, MAX_REASON);
}

const MAX_FAULTS = 5;
const MAX_REASON = 1000;

/** Which cell is too many or missing nobody can know, so none is read. */
function ragged(row: number, cells: number, columns: number): RowIssue {
  const reason = `The row has ${cells} ${cells === 1 ? 'cell' : 'cells'}, the header line has ${columns}.`;
  return { row, code: 'IMPORT_CSV_INVALID', reason };
}
