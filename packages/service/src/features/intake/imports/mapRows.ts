import { type ServiceError, sentenceOf, type ValidationDetail } from '#domain/errors.js';
import { applyMapping, type MappedRecord, readFrom, readMappedEvent } from '#domain/mapping/applyMapping.js';
import { ruleAt } from '#domain/mapping/mapping.js';
import type { OutcomeEvent } from '#domain/outcomeEvent.js';
import type { ReadEvent, Warning } from '#domain/readOutcomeEvent.js';
import type { YieldTurn } from '#kit/backpressure/yielder.js';
import type { ImportPlan } from './plan.js';
import type { Problem } from './problems.js';
import type { NumberedRow } from './readFile.js';
import type { RowIssue } from './store.js';

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
  /** Everything that is wrong with the row, column by column. */
  readonly problems: readonly Problem[];
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
  const read = rowReader(options);
  const mapped: MappedRow[] = [];
  const failures: RowFailure[] = [];
  for (const [row, cells, fault] of rows) {
    const result = fault ? { failure: faulty(fault) } : read(cells);
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
    if (cells.length !== header.length) return { failure: ragged(cells.length, header.length) };
    for (let column = 0; column < header.length; column += 1) {
      record[header[column] ?? ''] = cells[column] ?? '';
    }
    const applied = applyMapping(mapping, record);
    const read = readMappedEvent(applied, { ...options, isImport: true });
    return 'event' in read ? read : { failure: failureOf(read.refusal, applied) };
  };
}

function failureOf(refusal: ServiceError, applied: MappedRecord): Failure {
  const { userId } = applied.fields;
  // Of an erased subject not even the failure is linked to its id.
  const externalId = typeof userId === 'string' && refusal.code !== 'SUBJECT_ERASED' ? userId : null;
  return {
    code: refusal.code,
    ...reasonOf(refusal),
    problems: problemsOf(refusal, applied),
    externalId,
  };
}

function problemsOf(refusal: ServiceError, { mapping, errors }: MappedRecord): Problem[] {
  const { code, message, details } = refusal;
  const all: readonly ValidationDetail[] = Array.isArray(details) ? details : [];
  if (all.length === 0) {
    return [{ column: ruleAt(mapping, 'userId')?.path ?? null, code, expected: message }];
  }
  const expectedAt = new Map(errors.map(({ path, needs }) => [path, needs]));
  return all.map(({ path, code, message }) => {
    const rule = ruleAt(mapping, path);
    const end = rule ? readFrom(rule) : '';
    const said = end !== '' && message.endsWith(end) ? message.slice(0, -end.length) : message;
    return { column: rule?.path ?? null, code, expected: expectedAt.get(path) ?? said };
  });
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
  return ofWholeRow(reason, reason, `must have ${columns} cells, as the header line has`);
}

function faulty(fault: string): Failure {
  const pattern = fault
    .replace(/ (?:that ends )?on line \d+(?:, column \d+)?/, '')
    .replace(/^Line \d+/, 'The row');
  return ofWholeRow(fault, pattern, pattern);
}

function ofWholeRow(reason: string, pattern: string, expected: string): Failure {
  const code = 'IMPORT_CSV_INVALID';
  return { code, reason, pattern, problems: [{ column: null, code, expected }], externalId: null };
}

/** A row can have 1 MiB. */
const MAX_STORED_CHARACTERS = 8192;

function storable(cells: readonly string[], isErased: MapOptions['isErased']): readonly string[] | null {
  if (isErased && cells.some((cell) => isErased(cell.trim()))) return null;
  const characters = cells.reduce((sum, cell) => sum + cell.length, 0);
  return characters > MAX_STORED_CHARACTERS ? null : cells;
}
