import { type StakeLevel, stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { ingestibleEventTypes, isIngestible, type warningCodes } from './catalogues/enums.js';
import type { Reduction } from './declaredSubject.js';
import { type ServiceError, serviceError, type ValidationDetail, validationError } from './errors.js';
import { ExactInteger, isPlainObject, stringifyExact } from './exactInteger.js';
import { externalId, isReservedExternalId } from './externalId.js';
import { isStakeCapped, type OutcomeEvent } from './outcomeEvent.js';
import { outcomeTime, plainMomentMs } from './timestamp.js';
import { detailsOf, misspellings } from './validationDetails.js';

export const MAX_METADATA_BYTES = 8 * 1024;
const METADATA_TOO_LARGE = `must not take more than ${MAX_METADATA_BYTES} bytes as JSON`;
const MAX_METADATA_DEPTH = 8;
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000;
const MAX_UNKNOWN_FIELDS_NAMED = 20;

/** The body of POST /events and each item of a batch. */
export const EventInput = z
  .object({
    userId: externalId.meta({ description: "The platform's own id of the subject." }),
    eventType: z.enum(ingestibleEventTypes),
    stakeLevel: z.enum(stakeLevels).nullish().meta({ description: 'Default: MEDIUM.' }),
    isVerified: z.boolean().nullish().meta({
      description: 'True only when somebody other than the subject confirmed the outcome. Default: false.',
    }),
    transactionValue: z.number().min(0).max(1e15).nullish().meta({
      description: "In the reporter's own units. Feeds earnings, never the score.",
    }),
    dueDate: outcomeTime.nullish().meta({ description: 'When the outcome was due. Not before 1970.' }),
    completedAt: outcomeTime.nullish().meta({
      description: 'When it happened, not before 1970. Left out for a failure where nothing was delivered.',
    }),
    metadata: z
      .record(z.string(), z.unknown())
      .refine((metadata) => minBytesOf(metadata, MAX_METADATA_BYTES) <= MAX_METADATA_BYTES, {
        message: METADATA_TOO_LARGE,
        abort: true,
      })
      .refine((metadata) => depthOf(metadata) <= MAX_METADATA_DEPTH, {
        message: `must not nest deeper than ${MAX_METADATA_DEPTH} levels`,
        abort: true,
      })
      .refine((metadata) => Buffer.byteLength(stringifyExact(metadata)) <= MAX_METADATA_BYTES, {
        message: METADATA_TOO_LARGE,
      })
      .nullish()
      .meta({ description: "The reporter's own reference: stored as given, never scored." }),
    idempotencyKey: z.string().min(1).max(255).nullish().meta({
      description: 'A repeat with the same key writes nothing and answers with the first event.',
    }),
  })
  .meta({ id: 'OutcomeEvent' });

const KNOWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(EventInput.shape));

export interface Warning {
  readonly code: Exclude<(typeof warningCodes)[number], 'KEY_EXPIRY_CLAMPED' | 'KEY_OPENS_CONFIRMATIONS'>;
  readonly message: string;
}

export const CONTENT_DIFFERS: Warning = {
  code: 'IDEMPOTENCY_KEY_REUSED',
  message: 'This idempotencyKey was already used for a different event. The original event is unchanged.',
};

export const REDUCED: Readonly<Record<NonNullable<Reduction>, Warning>> = {
  own: {
    code: 'VERIFICATION_DOWNGRADED',
    message:
      'Recorded as unverified: your platform runs this subject itself, so only a counterparty can verify it, by answering a confirmation.',
  },
  nobodyElse: {
    code: 'VERIFICATION_DOWNGRADED',
    message:
      'Recorded as unverified: `verifiedBy` is empty or names the subject, its operator or your own platform.',
  },
};

export type ReadEvent =
  | { readonly event: OutcomeEvent; readonly warnings: readonly Warning[] }
  | { readonly refusal: ServiceError };

export interface ReadOptions {
  livemode: boolean;
  now: Date;
  /** Whether nothing may be recorded about the subject any more. */
  isErased?(userId: string): boolean;
  /** It came by POST /imports: `autoImported`, capped stake, not counted by the velocity guard. */
  isImport?: boolean;
  /** Dotted path of the event or record in its request, for the details of an error. */
  path?: string;
}

export function readOutcomeEvent(raw: unknown, options: ReadOptions): ReadEvent {
  const plain = plainInput(raw, KNOWN_FIELDS);
  if (plain) return eventOf(plain, options);
  const { path = '' } = options;
  const result = EventInput.safeParse(raw);
  const misspelt = misspellings(EventInput, raw, path);
  if (!result.success) return refusal([...misspelt, ...detailsOf(result.error, raw, path)]);
  if (misspelt.length > 0) return refusal(misspelt);
  const read = eventOf(result.data, options);
  return 'event' in read ? { ...read, warnings: [...unknownFields(raw), ...read.warnings] } : read;
}

function eventOf(
  input: z.output<typeof EventInput>,
  { livemode, now, isErased, isImport = false, path = '' }: ReadOptions,
): ReadEvent {
  if (livemode && isReservedExternalId(input.userId))
    return { refusal: serviceError('RESERVED_EXTERNAL_ID') };
  if (isErased?.(input.userId)) return { refusal: serviceError('SUBJECT_ERASED') };
  const early = completionError(input.completedAt, now, path);
  if (early) return refusal([early]);
  const metadata = input.metadata ?? null;
  const isCapped = isStakeCapped(input.stakeLevel, metadata);
  return {
    event: {
      externalId: input.userId,
      eventType: input.eventType,
      stakeLevel: isCapped ? 'MEDIUM' : (input.stakeLevel ?? 'MEDIUM'),
      isVerified: input.isVerified ?? false,
      attester: null,
      transactionValue: input.transactionValue ?? null,
      dueDate: input.dueDate ?? null,
      completedAt: input.completedAt ?? null,
      metadata,
      itemKey: input.idempotencyKey ?? null,
      imported: isImport,
    },
    warnings: isCapped ? [STAKE_CAPPED] : [],
  };
}

export function completionError(
  completedAt: Date | null | undefined,
  now: Date,
  path: string,
): ValidationDetail | null {
  if (!completedAt || completedAt.getTime() <= now.getTime() + CLOCK_TOLERANCE_MS) return null;
  const message = 'must not lie more than 5 minutes in the future';
  return { path: path === '' ? 'completedAt' : `${path}.completedAt`, code: 'custom', message };
}

const STAKE_CAPPED: Warning = {
  code: 'STAKE_CAPPED',
  message: 'Auto-imported activity has at most MEDIUM stake. HIGH was lowered to MEDIUM.',
};

function refusal(details: ValidationDetail[]): ReadEvent {
  return { refusal: validationError(details) };
}

/** Warns about unknown fields, which are not stored, instead of dropping them silently. */
function unknownFields(raw: unknown): Warning[] {
  const unknown = Object.keys(Object(raw)).filter((name) => !KNOWN_FIELDS.has(name));
  return unknown.slice(0, MAX_UNKNOWN_FIELDS_NAMED).map((name) => ({
    code: 'UNKNOWN_FIELD',
    message: `"${name.slice(0, 100)}" is not a field of an event and was not stored.`,
  }));
}

/** Levels of nested objects and arrays, from 1. Iterative, because the caller controls the depth. */
function depthOf(value: object): number {
  let depth = 0;
  let level: object[] = [value];
  while (level.length > 0 && depth <= MAX_METADATA_DEPTH) {
    depth += 1;
    level = level.flatMap((container) =>
      Object.values(container).filter(
        (inner): inner is object =>
          typeof inner === 'object' && inner !== null && !(inner instanceof ExactInteger),
      ),
    );
  }
  return depth;
}

/** A lower bound of the size as JSON, before anything serializes it. Stops once it exceeds `enough`. */
export function minBytesOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof ExactInteger) return String(value).length;
  if (typeof value !== 'object' || value === null) return 1;
  const pending: object[] = [value];
  let bytes = 0;
  for (let next = pending.pop(); next && bytes <= enough; next = pending.pop()) {
    for (const key in next) {
      const inner: unknown = next[key as keyof typeof next];
      bytes += Array.isArray(next) ? 1 : key.length + 1;
      if (typeof inner === 'string') bytes += inner.length;
      else if (inner instanceof ExactInteger) bytes += String(inner).length;
      else if (typeof inner === 'object' && inner !== null) pending.push(inner);
      if (bytes > enough) break;
    }
  }
  return bytes;
}

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

/** Small enough even if each character is escaped to six bytes. A number has at most 25 characters. */
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
