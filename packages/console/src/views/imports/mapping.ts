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
  completedAt: ['iso_date', 'trim'],
  stakeLevel: ['trim'],
  transactionValue: ['cents_to_units', 'trim'],
  isVerified: ['boolean', 'trim'],
  verifiedBy: ['trim', 'lowercase', 'iso_date'],
  dueDate: ['iso_date', 'trim'],
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

/** Columns whose names are those of fields. Nothing else is guessed. */
export function mappingByNames(columns: readonly string[]): Mapping {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const mapping: Mapping = {};
  for (const field of fields) {
    const column = columns.find((name) => plain(name) === field.toLowerCase());
    if (column !== undefined) mapping[field] = ruleFor(field, column);
  }
  return mapping;
}

/** With the transform that a field nearly always needs: it accepts what the field accepts without. */
export function ruleFor(field: MappedField, path: string): Rule {
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
