import { type ServiceError, sentenceOf, type ValidationDetail } from '../../../domain/errors.js';
import { applyMapping, readMappedEvent } from '../../../domain/mapping/applyMapping.js';
import type { OutcomeEvent } from '../../../domain/outcomeEvent.js';
import type { ReadEvent, Warning } from '../../../domain/readOutcomeEvent.js';
import type { YieldTurn } from '../../../kit/backpressure/yielder.js';
import type { ImportPlan } from './plan.js';
import type { RowIssue } from './schemas.js';

/** A data row of the file: its number, from 1, and its cells. */
export type NumberedRow = readonly [row: number, cells: readonly string[]];

/** A row as an event. */
export interface MappedRow {
  readonly row: number;
  readonly event: OutcomeEvent;
  readonly warnings: readonly Warning[];
}

/** Consecutive rows as events. */
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
    if (row % ROWS_PER_TURN === 0) await yieldTurn();
  }
  return { mapped, failures };
}

const ROWS_PER_TURN = 16;

function rowReader({ header, mapping }: ImportPlan, livemode: boolean, now: Date) {
  // One object for all rows, without a prototype: a column may have any name.
  const record: Record<string, string> = Object.create(null);
  return (cells: readonly string[]): ReadEvent => {
    for (let column = 0; column < header.length; column += 1) {
      record[header[column] ?? ''] = cells[column] ?? '';
    }
    return readMappedEvent(applyMapping(mapping, record), { livemode, now, isImport: true });
  };
}

/** All errors of the row in one text, because its details are not stored. */
function reasonOf({ message, details }: ServiceError): string {
  const errors: readonly ValidationDetail[] = Array.isArray(details) ? details : [];
  const [first, ...others] = errors.slice(0, MAX_ERRORS);
  if (!first) return message;
  return [sentenceOf([first]), ...others.map((error) => sentenceOf([error]))].join('; ').slice(0, MAX_REASON);
}

const MAX_ERRORS = 5;
const MAX_REASON = 1000;

/** Which cell is missing or extra is unknown, so none is read. */
function ragged(row: number, cells: number, columns: number): RowIssue {
  const reason = `The row has ${cells} ${cells === 1 ? 'cell' : 'cells'}, the header line has ${columns}.`;
  return { row, code: 'IMPORT_CSV_INVALID', reason };
}
