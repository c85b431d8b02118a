import { type ServiceError, sentenceOf, type ValidationDetail } from '#domain/errors.js';
import { applyMapping, readMappedEvent } from '#domain/mapping/applyMapping.js';
import type { OutcomeEvent } from '#domain/outcomeEvent.js';
import type { ReadEvent, Warning } from '#domain/readOutcomeEvent.js';
import type { YieldTurn } from '#kit/backpressure/yielder.js';
import type { ImportPlan } from './plan.js';
import type { RowIssue } from './store.js';

/** A data row of the file: its number, from 1, and its cells. */
export type NumberedRow = readonly [row: number, cells: readonly string[]];

/** A row as an event. */
export interface MappedRow {
  readonly row: number;
  readonly event: OutcomeEvent;
  readonly warnings: readonly Warning[];
}

/** An error, with the subject of the row as far as its cells name one. */
export interface RowFailure extends RowIssue {
  readonly externalId: string | null;
  /** The reason without the values of the row, to group by. */
  readonly pattern: string;
  /** The row itself; null: it is too long to be stored, or names an erased subject. */
  readonly cells: readonly string[] | null;
}

/** Consecutive rows as events. */
export interface MappedRows {
  readonly mapped: readonly MappedRow[];
  readonly failures: readonly RowFailure[];
}

type Failure = Omit<RowFailure, 'row' | 'cells'>;
type ReadRow = Extract<ReadEvent, { event: unknown }> | { readonly failure: Failure };

interface MapOptions {
  plan: ImportPlan;
  livemode: boolean;
  now: Date;
  isErased?(userId: string): boolean;
  yieldTurn: YieldTurn;
}

export async function mapRows(
  rows: Iterable<NumberedRow>,
  { yieldTurn, ...options }: MapOptions,
): Promise<MappedRows> {
  const { plan } = options;
  const read = rowReader(options);
  const mapped: MappedRow[] = [];
  const failures: RowFailure[] = [];
  for (const [row, cells] of rows) {
    const isRagged = cells.length !== plan.header.length;
    const result = isRagged ? { failure: ragged(cells.length, plan.header.length) } : read(cells);
    if ('event' in result) mapped.push({ row, event: result.event, warnings: result.warnings });
    else failures.push({ row, ...result.failure, cells: storable(cells, options.isErased) });
    const turn = yieldTurn();
    if (turn) await turn;
  }
  return { mapped, failures };
}

function rowReader({ plan: { header, mapping }, ...options }: Omit<MapOptions, 'yieldTurn'>) {
  // One object for all rows, without a prototype: a column may have any name.
  const record: Record<string, string> = Object.create(null);
  return (cells: readonly string[]): ReadRow => {
    for (let column = 0; column < header.length; column += 1) {
      record[header[column] ?? ''] = cells[column] ?? '';
    }
    const applied = applyMapping(mapping, record);
    const read = readMappedEvent(applied, { ...options, isImport: true });
    return 'event' in read ? read : { failure: failureOf(read.refusal, applied.fields.userId) };
  };
}

function failureOf(refusal: ServiceError, userId: unknown): Failure {
  // Of an erased subject not even the failure is linked to its id.
  const externalId = typeof userId === 'string' && refusal.code !== 'SUBJECT_ERASED' ? userId : null;
  return { code: refusal.code, ...reasonOf(refusal), externalId };
}

/** All errors of the row in one text, because its details are not stored. */
function reasonOf({ message, details }: ServiceError): Pick<Failure, 'reason' | 'pattern'> {
  const errors: readonly ValidationDetail[] = Array.isArray(details) ? details : [];
  const sentences = errors.slice(0, MAX_ERRORS).map((error) => sentenceOf([error]));
  if (sentences.length === 0) return { reason: message, pattern: message };
  const join = (texts: readonly string[]) => texts.join('; ').slice(0, MAX_REASON);
  return { reason: join(sentences), pattern: join(sentences.map(withoutValues)) };
}

/** The name of the column at the end stays. A value can contain quotation marks. */
function withoutValues(sentence: string): string {
  const end = sentence.endsWith('")') ? sentence.lastIndexOf(' (read from "') : -1;
  const said = end === -1 ? sentence : sentence.slice(0, end);
  return said.replace(/".*"/s, '"…"') + sentence.slice(said.length);
}

const MAX_ERRORS = 5;
const MAX_REASON = 1000;

/** Which cell is missing or extra is unknown, so none is read. */
function ragged(cells: number, columns: number): Failure {
  const reason = `The row has ${cells} ${cells === 1 ? 'cell' : 'cells'}, the header line has ${columns}.`;
  return { code: 'IMPORT_CSV_INVALID', reason, pattern: reason, externalId: null };
}

/** A row can have 1 MiB. */
const MAX_STORED_CHARACTERS = 8192;

function storable(cells: readonly string[], isErased: MapOptions['isErased']): readonly string[] | null {
  if (isErased && cells.some((cell) => isErased(cell.trim()))) return null;
  const characters = cells.reduce((sum, cell) => sum + cell.length, 0);
  return characters > MAX_STORED_CHARACTERS ? null : cells;
}
