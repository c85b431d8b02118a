import { type ServiceError, type ValidationDetail, validationError } from '../errors.js';
import { ExactInteger } from '../exactInteger.js';
import { eventOf, MAX_METADATA_BYTES, type ReadEvent, readOutcomeEvent } from '../readOutcomeEvent.js';
import { isPlainObject } from './compileRule.js';
import type { Mapping, Rule } from './mapping.js';
import { plainInput } from './plainInput.js';
import { quoted, Unusable } from './unusable.js';

/** What a mapping made of a record: fields as POST /events takes them, not yet checked as an event. */
export interface MappedRecord {
  readonly mapping: Mapping;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Null where the rule found nothing that could name somebody. */
  readonly verifiedBy: string | null;
  /** Fields that have no value because theirs cannot be used; `path` is the field. */
  readonly faults: readonly ValidationDetail[];
}

/**
 * Applies a mapping to one record in the caller's own shape; never throws. What has no value is left out.
 * @param record what was parsed from JSON, or the cells of a row by the name of their column.
 */
export function applyMapping(mapping: Mapping, record: unknown): MappedRecord {
  if (!isPlainObject(record)) return noRecord(mapping, record);
  const fields: Record<string, unknown> = {};
  const faults: ValidationDetail[] = [];
  let verifiedBy: string | null = null;
  for (const { field, rule } of mapping.fields) {
    const value = rule.read(record);
    // Who vouched cannot spoil the record: it is taken without a witness then (RULES V6).
    if (field === 'verifiedBy') verifiedBy = nameOf(value);
    else if (value instanceof Unusable) faults.push(faultOf(field, rule, value));
    else if (value !== undefined) fields[field] = value;
  }
  const metadata = readMetadata(mapping, record, faults);
  return { mapping, fields, metadata, verifiedBy, faults };
}

function noRecord(mapping: Mapping, record: unknown): MappedRecord {
  const message = `must be an object, not ${quoted(record)}`;
  return {
    mapping,
    fields: {},
    metadata: null,
    verifiedBy: null,
    faults: [{ path: '', code: 'invalid_type', message, expected: 'object' }],
  };
}

const MAX_PARTY_LENGTH = 255;

function nameOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_PARTY_LENGTH || value.trim() === '') return null;
  return value;
}

/**
 * Many entries may read one large value, so what is gathered is weighed as it grows: too much of it is never put together as JSON.
 */
function readMetadata(
  mapping: Mapping,
  record: object,
  faults: ValidationDetail[],
): Record<string, unknown> | null {
  let metadata: Record<string, unknown> | null = null;
  let room = MAX_METADATA_BYTES;
  for (const { name, rule } of mapping.metadata) {
    const value = rule.read(record);
    if (value instanceof Unusable) faults.push(faultOf(`metadata.${name}`, rule, value));
    else if (value !== undefined) {
      room -= minBytesOf(value, room);
      if (room < 0) {
        const message = `must not take more than ${MAX_METADATA_BYTES} bytes as JSON`;
        faults.push({ path: 'metadata', code: 'custom', message });
        return null;
      }
      metadata ??= {};
      metadata[name] = value;
    }
  }
  return metadata;
}

/** At most what the value takes as JSON; a look at no more of it than is needed to see that it is more than `enough`. */
function minBytesOf(value: unknown, enough: number): number {
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

function faultOf(path: string, rule: Rule, { code, message }: Unusable): ValidationDetail {
  return { path, code, message: `${message}${readFrom(rule)}` };
}

function readFrom({ path }: Rule): string {
  return path === null ? '' : ` (read from ${quoted(path)})`;
}

interface ReadOptions {
  livemode: boolean;
  now: Date;
  /** The record came by POST /imports: `autoImported`, capped, and left out by the velocity guard. */
  isImport: boolean;
  /** Dotted place of the record in its request, for the details of a refusal. */
  path?: string;
}

/**
 * Reads a mapped record as an event, as `readOutcomeEvent` does a reported one: an event to record, with warnings, or why not.
 * Texts that cannot be stored are the caller's to find, as there. Whether `verifiedBy` names anybody who counts is judged when the
 * event is written.
 */
export function readMappedEvent(mapped: MappedRecord, options: ReadOptions): ReadEvent {
  const { fields, verifiedBy, faults } = mapped;
  const { isImport, path = '' } = options;
  const metadata = isImport ? { ...mapped.metadata, autoImported: true } : mapped.metadata;
  const read = readFields(fields, metadata, options);
  if ('refusal' in read || faults.length > 0) return { refusal: refusalOf(mapped, read, path) };
  return { ...read, event: { ...read.event, attester: verifiedBy } };
}

type Values = Readonly<Record<string, unknown>>;

/** Where the record stood is said later, with the faults of the mapping. */
function readFields(
  fields: Values,
  metadata: Values | null,
  { livemode, now, isImport }: ReadOptions,
): ReadEvent {
  const input = plainInput(fields, metadata);
  if (input) return eventOf(input, { livemode, now, isImport });
  return readOutcomeEvent({ ...fields, metadata }, { livemode, now, isImport });
}

/** What the mapping could not read, and what the event then lacks besides. */
function refusalOf({ mapping, faults }: MappedRecord, read: ReadEvent, path: string): ServiceError {
  const refusal = 'refusal' in read ? read.refusal : null;
  if (refusal && refusal.code !== 'VALIDATION_ERROR' && faults.length === 0) return refusal;
  const known = new Set(faults.map((fault) => fieldOf(fault)));
  const lacking = known.has('') ? [] : detailsOf(refusal).filter((detail) => !known.has(fieldOf(detail)));
  const details = [...faults, ...lacking.map((detail) => withSource(mapping, detail))].map((detail) => ({
    ...detail,
    path: [path, detail.path].filter((step) => step !== '').join('.'),
  }));
  return validationError(details);
}

function detailsOf(refusal: ServiceError | null): readonly ValidationDetail[] {
  return Array.isArray(refusal?.details) ? refusal.details : [];
}

function fieldOf({ path }: ValidationDetail): string {
  return path.split('.', 1)[0] ?? '';
}

/** An event's field is told of by its name; the record may call it something else. */
function withSource({ fields }: Mapping, detail: ValidationDetail): ValidationDetail {
  const found = fields.find(({ field }) => field === fieldOf(detail));
  return found ? { ...detail, message: `${detail.message}${readFrom(found.rule)}` } : detail;
}
