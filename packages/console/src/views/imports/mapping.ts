import type { AnswerOf } from '../../kit/api.ts';
import { readSetting, writeSetting } from '../../kit/settings.ts';

export type Constant = string | boolean;

/** A rule of a mapping, as POST /imports takes it. */
export interface Rule {
  path?: string;
  constant?: Constant;
  transform?: string;
  table?: Record<string, string>;
}

export const fields = [
  'userId',
  'eventType',
  'completedAt',
  'stakeLevel',
  'transactionValue',
  'isVerified',
  'verifiedBy',
  'dueDate',
  'idempotencyKey',
] as const;
export type MappedField = (typeof fields)[number];
export const requiredFields: readonly MappedField[] = ['userId', 'eventType'];

export type Mapping = Partial<Record<MappedField, Rule>>;

/** The transforms that a field accepts, as in domain/mapping/fields.ts of the service. */
export const transformsOf: Readonly<Record<MappedField, readonly string[]>> = {
  userId: ['trim', 'lowercase', 'iso_date'],
  eventType: ['trim'],
  completedAt: ['iso_date', 'day_month_year', 'month_day_year', 'trim'],
  stakeLevel: ['trim'],
  transactionValue: ['decimal_comma', 'cents_to_units', 'trim'],
  isVerified: ['boolean', 'trim'],
  verifiedBy: ['trim', 'lowercase', 'iso_date'],
  dueDate: ['iso_date', 'day_month_year', 'month_day_year', 'trim'],
  idempotencyKey: ['trim', 'lowercase', 'iso_date'],
};

/** Values that a person can choose for every row. */
export const constantsOf: Readonly<Partial<Record<MappedField, readonly Constant[]>>> = {
  eventType: [
    'CONTRACT_FULFILLED',
    'CONTRACT_BREACHED',
    'CONTRACT_CANCELLED',
    'TRANSACTION_COMPLETED',
    'TRANSACTION_CANCELLED',
    'TRANSACTION_DISPUTED',
    'REVIEW_VERIFIED',
    'DISPUTE_RESOLVED_FOR_USER',
  ],
  stakeLevel: ['LOW', 'MEDIUM'],
  isVerified: [true],
};

/** How a column writes its dates or numbers, as the service found out. */
export type ColumnFormat = AnswerOf<'POST /imports/detect'>['columns'][number];
export type ColumnFormats = readonly ColumnFormat[];
/** What a person said where a column can be read in two ways, by column. */
export type Chosen = Readonly<Record<string, string>>;

const kindOf: Readonly<Partial<Record<MappedField, ColumnFormat['kind']>>> = {
  completedAt: 'date',
  dueDate: 'date',
  transactionValue: 'number',
};

function formatFor(field: MappedField, path: string | undefined, formats: ColumnFormats) {
  return formats.find(({ column, kind }) => column === path && kind === kindOf[field]);
}

/** The columns that the mapping reads, and whose meaning a person has to choose first. */
export function openColumns(mapping: Mapping, formats: ColumnFormats, chosen: Chosen): ColumnFormat[] {
  const open = fields.flatMap((field) => {
    const found = formatFor(field, mapping[field]?.path, formats);
    const isOpen = found?.proposed === null && !chosen[found.column] && !mapping[field]?.transform;
    return isOpen ? [found] : [];
  });
  return [...new Set(open)];
}

/** With the rules that read this column made again, after a person chose what it means. */
export function withChoice(
  mapping: Mapping,
  column: string,
  formats: ColumnFormats,
  chosen: Chosen,
): Mapping {
  const remade = fields.flatMap((field) =>
    mapping[field]?.path === column && formatFor(field, column, formats)
      ? [[field, ruleFor(field, column, formats, chosen)]]
      : [],
  );
  return { ...mapping, ...Object.fromEntries(remade) };
}

/** Columns whose names are those of fields. Nothing else is guessed. */
export function mappingByNames(columns: readonly string[], formats: ColumnFormats): Mapping {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const mapping: Mapping = {};
  for (const field of fields) {
    const column = columns.find((name) => plain(name) === field.toLowerCase());
    if (column !== undefined) mapping[field] = ruleFor(field, column, formats);
  }
  return mapping;
}

/**
 * With the transform that the column shows or a person chose, else with the one that a field nearly always
 * needs: it accepts what the field accepts without.
 */
export function ruleFor(field: MappedField, path: string, formats: ColumnFormats, chosen: Chosen = {}): Rule {
  const found = formatFor(field, path, formats);
  const format = found && (chosen[path] ?? found.proposed);
  if (found) return format && format !== 'decimal_point' ? { path, transform: format } : { path };
  const transform = { completedAt: 'iso_date', dueDate: 'iso_date', isVerified: 'boolean' }[field as string];
  return transform ? { path, transform } : { path };
}

/** The texts of a column that are no event type, most frequent first. */
export function valuesToTranslate(rows: readonly (readonly string[])[], column: number): string[] {
  const counts = new Map<string, number>();
  for (const cells of rows) {
    const value = cells[column] ?? '';
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .filter(([value]) => !constantsOf.eventType?.includes(value))
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_TRANSLATED)
    .map(([value]) => value);
}

const MAX_TRANSLATED = 50;

/** Whether rows name who verified them and none says that it is verified: all are recorded as unverified. */
export function verifiesNothing(mapping: Mapping): boolean {
  return mapping.verifiedBy !== undefined && mapping.isVerified === undefined;
}

/** Whether the mapping has what every event needs. */
export function isComplete(mapping: Mapping): boolean {
  return requiredFields.every((field) => mapping[field] !== undefined);
}

/** The rows of an import that were corrected and sent again from this browser. */
export function sentRows(importId: string): readonly number[] {
  return JSON.parse(readSetting(SENT + importId) ?? '[]') as number[];
}

/** Adds rows to them. */
export function keepSentRows(importId: string, rows: readonly number[]): readonly number[] {
  const all = [...new Set([...sentRows(importId), ...rows])].sort((a, b) => a - b);
  writeSetting(SENT + importId, JSON.stringify(all));
  return all;
}

const SENT = 'sent-rows.';
