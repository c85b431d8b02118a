import { type StakeLevel, stakeLevels } from '@reliability/scoring';
import { isIngestible } from './catalogues/enums.js';
import { isPlainObject } from './plainObject.js';
import { plainMomentMs } from './timestamp.js';

/**
 * The input of an ordinary event, read in a fifth of the schema's time: files have very many rows. Null
 * where anything is out of the ordinary, and the schema has to say whether it is right; whatever is
 * returned, it would have taken as it is.
 */
export function plainInput(raw: unknown, known: ReadonlySet<string>) {
  if (!isPlainObject(raw)) return null;
  for (const name in raw) if (!known.has(name)) return null;
  const {
    userId,
    eventType,
    stakeLevel,
    isVerified,
    transactionValue,
    metadata = null,
    idempotencyKey,
  } = raw;
  const dueDate = plainMoment(raw.dueDate);
  const completedAt = plainMoment(raw.completedAt);
  const isPlain =
    isText(userId) &&
    PLAIN_ID.test(userId) &&
    typeof eventType === 'string' &&
    isIngestible(eventType) &&
    (stakeLevel === undefined || isStakeLevel(stakeLevel)) &&
    (isVerified === undefined || typeof isVerified === 'boolean') &&
    (transactionValue === undefined || isAmount(transactionValue)) &&
    dueDate !== null &&
    completedAt !== null &&
    (idempotencyKey === undefined || isText(idempotencyKey)) &&
    (metadata === null || isPlainMetadata(metadata));
  if (!isPlain) return null;
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

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 255;
}

function isStakeLevel(value: unknown): value is StakeLevel {
  return (stakeLevels as readonly unknown[]).includes(value);
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1e15;
}

/** Undefined: absent. Null: not in the format of `Date.toISOString`, or before 1970. */
function plainMoment(value: unknown): Date | undefined | null {
  if (value === undefined) return undefined;
  const ms = typeof value === 'string' ? plainMomentMs(value) : null;
  return ms === null || ms < 0 ? null : new Date(ms);
}

/**
 * One level of texts, numbers and booleans, small enough even if every character is escaped to six
 * bytes. A number has at most 25 characters, and 6 are around a value.
 */
function isPlainMetadata(metadata: unknown): metadata is Readonly<Record<string, unknown>> {
  if (!isPlainObject(metadata)) return false;
  let characters = 0;
  for (const name in metadata) {
    const value = metadata[name];
    if (typeof value === 'object') return false;
    characters += name.length + 6 + (typeof value === 'string' ? value.length : 25);
  }
  return characters <= 1300;
}
