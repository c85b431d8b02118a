import { type Separator, separatorCharacters } from '@reliability/client/csv-file';
import { createFormatCollector } from '../../../service/src/features/intake/imports/detect.js';
import type { ColumnFormat, Format } from '../../../service/src/features/intake/imports/formats.js';
import type { ImportFile } from '../../../service/src/features/intake/imports/readFile.js';
import { UsageError } from '../commandError.js';

/** How the columns of dates and numbers are written. */
export function formatsOf({ header, rows }: ImportFile): ColumnFormat[] {
  const collector = createFormatCollector();
  collector.header(header);
  for (const row of rows) collector.row(...row);
  return collector.columns();
}

/** What a person says about the columns whose rule has no transform. */
export interface FormatChoices {
  readonly date: string | undefined;
  readonly number: string | undefined;
}

const OPTIONS = { date: '--dates', number: '--decimals' } as const;
const KINDS = { completedAt: 'date', dueDate: 'date', transactionValue: 'number' } as const;

/**
 * Adds the transform that the file shows to the rules that have none. Throws UsageError if it could be either
 * of two: no choice is made for a person.
 */
export function withFormats(
  mapping: unknown,
  formats: readonly ColumnFormat[],
  choices: FormatChoices,
): { mapping: unknown; notes: string[] } {
  if (typeof mapping !== 'object' || mapping === null) return { mapping, notes: [] };
  const completed: Record<string, unknown> = { ...mapping };
  const notes = new Set<string>();
  for (const [field, kind] of Object.entries(KINDS)) {
    const rule = completed[field] as { path?: unknown; transform?: unknown; table?: unknown } | undefined;
    const found = formats.find((each) => each.kind === kind && each.column === rule?.path);
    if (!rule || !found || rule.table !== undefined) continue;
    if (rule.transform !== undefined) {
      const { proposed, decidedBy } = found;
      const isOther = decidedBy !== null && proposed !== 'decimal_point' && proposed !== rule.transform;
      if (isOther) notes.add(`${formatLine(found)} The mapping says ${rule.transform}.`);
      continue;
    }
    const format = choices[kind] ?? found.proposed;
    if (format === null) throw new UsageError(`${formatLine(found)} Say which with ${OPTIONS[kind]}.`);
    notes.add(format === found.proposed ? formatLine(found) : `Column "${found.column}": ${format}.`);
    if (format !== 'decimal_point') completed[field] = { ...rule, transform: format };
  }
  return { mapping: completed, notes: [...notes] };
}

/** `Column "Fertig am": day_month_year, as 13.10.2026 in row 7 shows.` */
export function formatLine({ column, proposed, decidedBy, alternatives, values }: ColumnFormat): string {
  if (decidedBy)
    return `Column "${column}": ${proposed}, as ${decidedBy.value} in row ${decidedBy.row} shows.`;
  const isOneValue = new Set(alternatives.map(({ example }) => example.value)).size === 1;
  if (!isOneValue) {
    const shares = alternatives.map(({ format, reads }) => `${format} reads ${reads}`);
    return `Column "${column}": of ${values} values ${shares.join(', ')}.`;
  }
  const readings = alternatives.map(({ format, example: { as } }) => `${meaning(as)} (${format})`);
  return `Column "${column}": ${alternatives[0]?.example.value} can be ${readings.join(' or ')}.`;
}

function meaning(as: string | number): string {
  return String(as).replace('T00:00:00.000Z', '');
}

/** The name of an option's value. Throws UsageError. */
export function named<Name extends string>(
  option: string,
  name: string | undefined,
  names: readonly Name[],
): Name | undefined {
  if (name === undefined || (names as readonly string[]).includes(name)) return name as Name | undefined;
  throw new UsageError(`--${option} must be ${names.join(', ')}, not ${name}.`);
}

export const separatorNames = Object.keys(separatorCharacters) as Separator[];
export const dateFormats = [
  'iso_date',
  'day_month_year',
  'month_day_year',
] as const satisfies readonly Format[];
export const numberFormats = ['decimal_point', 'decimal_comma'] as const satisfies readonly Format[];
