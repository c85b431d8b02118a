import { type StakeLevel, stakeLevels } from '@reliability/scoring';
import { isIngestible } from './catalogues/enums.js';
import { plainMomentMs } from './timestamp.js';

/**
 * The input of an ordinary event without the schema's help, which takes several times as long:
 * files have very many rows. Null where anything is out of the ordinary, and the schema has to say
 * whether it is right; whatever is answered, it would have taken as it is.
 */
export function plainInput(
  fields: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>> | null,
) {
  const { userId, eventType, stakeLevel, isVerified, transactionValue, idempotencyKey } = fields;
  const dueDate = plainMoment(fields.dueDate);
  const completedAt = plainMoment(fields.completedAt);
  if (
    !isText(userId) ||
    !PLAIN_ID.test(userId) ||
    typeof eventType !== 'string' ||
    !isIngestible(eventType) ||
    !(stakeLevel === undefined || isStakeLevel(stakeLevel)) ||
    !(isVerified === undefined || typeof isVerified === 'boolean') ||
    !(transactionValue === undefined || isAmount(transactionValue)) ||
    dueDate === null ||
    completedAt === null ||
    !(idempotencyKey === undefined || isText(idempotencyKey)) ||
    !isPlainMetadata(metadata)
  ) {
    return null;
  }
  return {
    userId,
    eventType,
    stakeLevel,
    isVerified,
    transactionValue,
    dueDate,
    completedAt,
    metadata,
    idempotencyKey,
  };
}

/** Printable ASCII with at least one character other than a dot. */
const PLAIN_ID = /^\.*[ -\-/-~][ -~]*$/;
const MAX_LENGTH = 255;
const MAX_AMOUNT = 1e15;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH;
}

function isStakeLevel(value: unknown): value is StakeLevel {
  return (stakeLevels as readonly unknown[]).includes(value);
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_AMOUNT;
}

/** Undefined: absent. Null: not in the format of `Date.toISOString`, or before 1970. */
function plainMoment(value: unknown): Date | undefined | null {
  if (value === undefined) return undefined;
  const ms = typeof value === 'string' ? plainMomentMs(value) : null;
  return ms === null || ms < 0 ? null : new Date(ms);
}

/**
 * One level of texts, numbers and booleans, small enough even if every character is escaped to six
 * bytes.
 */
function isPlainMetadata(metadata: Readonly<Record<string, unknown>> | null): boolean {
  let characters = 0;
  for (const name in metadata) {
    const value = metadata[name];
    if (typeof value === 'object') return false;
    characters +=
      name.length + CHARACTERS_AROUND + (typeof value === 'string' ? value.length : CHARACTERS_OF_A_NUMBER);
  }
  return characters <= MAX_PLAIN_CHARACTERS;
}

const CHARACTERS_AROUND = 6;
const CHARACTERS_OF_A_NUMBER = 25;
const MAX_PLAIN_CHARACTERS = 1300;
