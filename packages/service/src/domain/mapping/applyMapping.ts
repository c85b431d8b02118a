import { type ServiceError, type ValidationDetail, validationError } from '../errors.js';
import { isPlainObject } from '../exactInteger.js';
import {
  MAX_METADATA_BYTES,
  minBytesOf,
  type ReadEvent,
  type ReadOptions,
  readOutcomeEvent,
} from '../readOutcomeEvent.js';
import type { Mapping, Rule } from './mapping.js';
import { quoted, Unusable } from './unusable.js';

export interface MappedRecord {
  readonly mapping: Mapping;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly verifiedBy: string | null;
  /** Errors of fields whose value cannot be read; `path` is the field. */
  readonly errors: readonly MappingError[];
}

interface MappingError extends ValidationDetail {
  /** What can be read, without the value. */
  readonly needs?: string;
}

/** Never throws. @param record parsed JSON, or the cells of a row by column name. */
export function applyMapping(mapping: Mapping, record: unknown): MappedRecord {
  const fields: Record<string, unknown> = {};
  const errors: MappingError[] = [];
  let verifiedBy: string | null = null;
  if (!isPlainObject(record)) {
    const message = `must be an object, not ${quoted(record)}`;
    errors.push({ path: '', code: 'invalid_type', message, expected: 'object' });
    return { mapping, fields, metadata: null, verifiedBy, errors };
  }
  for (const { field, rule } of mapping.fields) {
    const value = rule.read(record);
    // An unusable `verifiedBy` does not fail the record: it is recorded without an attester (RULES
    // V6).
    if (field === 'verifiedBy') verifiedBy = nameOf(value);
    else if (value instanceof Unusable) errors.push(errorOf(field, rule, value));
    else if (value !== undefined) fields[field] = value;
  }
  const metadata = readMetadata(mapping, record, errors);
  return { mapping, fields, metadata, verifiedBy, errors };
}

const MAX_PARTY_LENGTH = 255;

function nameOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_PARTY_LENGTH || value.trim() === '') return null;
  return value;
}

/** Many entries may read one large value: oversized metadata is refused before it is serialized. */
function readMetadata(
  mapping: Mapping,
  record: object,
  errors: MappingError[],
): Record<string, unknown> | null {
  let metadata: Record<string, unknown> | null = null;
  let room = MAX_METADATA_BYTES;
  for (const { name, rule } of mapping.metadata) {
    const value = rule.read(record);
    if (value instanceof Unusable) errors.push(errorOf(`metadata.${name}`, rule, value));
    else if (value !== undefined) {
      room -= minBytesOf(value, room);
      if (room < 0) {
        const message = `must not take more than ${MAX_METADATA_BYTES} bytes as JSON`;
        errors.push({ path: 'metadata', code: 'custom', message });
        return null;
      }
      metadata ??= {};
      metadata[name] = value;
    }
  }
  return metadata;
}

function errorOf(path: string, rule: Rule, { code, message, expected }: Unusable): MappingError {
  return { path, code, message: `${message}${readFrom(rule)}`, needs: expected };
}

/** The end of the message of an error: where its value comes from. */
export function readFrom({ path }: Rule): string {
  return path === null ? '' : ` (read from ${quoted(path)})`;
}

/**
 * Validates a mapped record as an event, like `readOutcomeEvent`: returns the event and warnings, or an
 * error. The caller checks for texts that cannot be stored. The append decides whether `verifiedBy` verifies.
 */
export function readMappedEvent(mapped: MappedRecord, options: ReadOptions): ReadEvent {
  const { fields, verifiedBy, errors } = mapped;
  const { isImport, path = '' } = options;
  const metadata = isImport ? { ...mapped.metadata, autoImported: true } : mapped.metadata;
  // The path of the record is added below, with the errors of the mapping.
  const read = readOutcomeEvent({ ...fields, metadata }, { ...options, path: '' });
  if ('refusal' in read || errors.length > 0) return { refusal: refusalOf(mapped, read, path) };
  return { ...read, event: { ...read.event, attester: verifiedBy } };
}

function refusalOf({ mapping, errors }: MappedRecord, read: ReadEvent, path: string): ServiceError {
  const refusal = 'refusal' in read ? read.refusal : null;
  if (refusal && refusal.code !== 'VALIDATION_ERROR' && errors.length === 0) return refusal;
  const known = new Set(errors.map((error) => fieldOf(error)));
  const refused: readonly ValidationDetail[] = Array.isArray(refusal?.details) ? refusal.details : [];
  const lacking = known.has('') ? [] : refused.filter((detail) => !known.has(fieldOf(detail)));
  const unreadable = errors.map(({ needs: _, ...detail }) => detail);
  const details = [...unreadable, ...lacking.map((detail) => withSource(mapping, detail))].map((detail) => ({
    ...detail,
    path: [path, detail.path].filter((step) => step !== '').join('.'),
  }));
  return validationError(details);
}

function fieldOf({ path }: ValidationDetail): string {
  return path.split('.', 1)[0] ?? '';
}

function withSource({ fields }: Mapping, detail: ValidationDetail): ValidationDetail {
  const found = fields.find(({ field }) => field === fieldOf(detail));
  return found ? { ...detail, message: `${detail.message}${readFrom(found.rule)}` } : detail;
}
