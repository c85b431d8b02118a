import { z } from 'zod';
import { ExactInteger } from '../exactInteger.js';
import { EventInput } from '../readOutcomeEvent.js';
import { namesSomebody } from '../sameParty.js';
import { isoDate, type TransformName, transformNames } from './transforms.js';
import { ofShort, quoted, Unusable } from './unusable.js';

type EventField = Exclude<keyof typeof EventInput.shape, 'metadata'>;
/**
 * The targets of rules besides the entries of `metadata`: the fields of an event and its attester.
 */
export type MappingField = EventField | 'verifiedBy';

/** How the value of a rule becomes the value of a field. */
export interface ValueKind {
  readonly transforms: readonly TransformName[];
  /**
   * Converts a record's value for the field, or returns an `Unusable`. Never called with undefined,
   * null or ''.
   */
  read(value: unknown): unknown;
  /** Converts a value of the mapping itself: a constant, a default or an entry of a table. */
  finish(value: unknown): unknown;
}

const { userId, eventType, stakeLevel, isVerified, transactionValue, dueDate, completedAt, idempotencyKey } =
  EventInput.shape;
/** A name or reference (RULES X5). */
const party = z.string().max(255, { abort: true }).refine(namesSomebody, 'must name somebody');

export const mappingFields: Readonly<Record<MappingField, ValueKind>> = {
  userId: kindOf(['lowercase', 'trim', 'iso_date'], readText, userId),
  eventType: kindOf(['trim'], readText, eventType),
  stakeLevel: kindOf(['trim'], readText, stakeLevel),
  isVerified: kindOf(['boolean', 'trim'], ofShort(readFlag), isVerified),
  transactionValue: kindOf(['cents_to_units', 'trim'], ofShort(readNumber), transactionValue),
  dueDate: kindOf(['iso_date', 'trim'], ofShort(readMoment), dueDate, isoDate),
  completedAt: kindOf(['iso_date', 'trim'], ofShort(readMoment), completedAt, isoDate),
  idempotencyKey: kindOf(['lowercase', 'trim', 'iso_date'], readText, idempotencyKey),
  verifiedBy: kindOf(['lowercase', 'trim', 'iso_date'], readText, party),
};

/** An entry of `metadata` is stored unchanged. */
export const metadataEntry: ValueKind = kindOf(transformNames, (value) => value, z.unknown());

export function isMappingField(name: string): name is MappingField {
  return Object.hasOwn(mappingFields, name);
}

function kindOf(
  accepted: readonly TransformName[],
  read: (value: unknown) => unknown,
  schema: z.ZodType,
  readWritten = read,
): ValueKind {
  return {
    transforms: accepted,
    read,
    finish(written) {
      const value = readWritten(written);
      if (value instanceof Unusable) return value;
      const issue = schema.safeParse(value).error?.issues[0];
      return issue ? unusableBy(issue) : value;
    },
  };
}

function unusableBy(issue: z.core.$ZodIssue): Unusable {
  switch (issue.code) {
    case 'invalid_value':
      return new Unusable(issue.code, `must be one of ${issue.values.join(', ')}`);
    case 'too_small':
      return new Unusable(issue.code, `must not be less than ${issue.minimum}`);
    case 'too_big': {
      const unit = issue.origin === 'string' ? ' characters' : '';
      return new Unusable(issue.code, `must not be more than ${issue.maximum}${unit}`);
    }
    default:
      return new Unusable('custom', issue.message);
  }
}

/** Many systems use numeric ids. Integers are converted exactly. */
function readText(value: unknown): unknown {
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value) || value instanceof ExactInteger) return String(value);
  return new Unusable('invalid_type', `must be text or a whole number, not ${quoted(value)}`);
}

function readNumber(value: unknown): unknown {
  const text = value instanceof ExactInteger ? String(value) : value;
  const number = typeof text === 'string' && NUMBER.test(text.trim()) ? Number(text) : text;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  return new Unusable('invalid_format', `must be a number with a decimal point, not ${quoted(value)}`);
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function readFlag(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === 'true' || word === 'false') return word === 'true';
  const message = `must be true or false, not ${quoted(value)}; the transform boolean takes other words`;
  return new Unusable('invalid_type', message);
}

/** The validation of the event checks the calendar. */
function readMoment(value: unknown): unknown {
  if (typeof value === 'string' && RFC_3339_FORM.test(value)) return value;
  const message = `must be an RFC 3339 timestamp, not ${quoted(value)}; the transform iso_date takes dates, too`;
  return new Unusable('invalid_format', message);
}

const RFC_3339_FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
