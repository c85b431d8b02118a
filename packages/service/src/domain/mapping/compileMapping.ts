import { fail, sentenceOf, type ValidationDetail } from '../errors.js';
import { minBytesOf } from '../minBytes.js';
import { expectedOf } from '../misspelt.js';
import { isPlainObject } from '../plainObject.js';
import { compileRule, type Report, tooMany } from './compileRule.js';
import { isMappingField, type MappingField, mappingFields, metadataEntry } from './fields.js';
import type { Mapping, Rule } from './mapping.js';
import { quoted, shortened } from './unusable.js';

export const MAX_MAPPING_BYTES = 64 * 1024;
const MAX_METADATA_ENTRIES = 100;
const MAX_NAME_LENGTH = 255;
const MAX_ERRORS = 200;

/** The compiled mapping. Throws INGEST_MAPPING_INVALID with all errors as details. */
export function usableMapping(raw: unknown): Mapping {
  const result = compileMapping(raw);
  if ('mapping' in result) return result.mapping;
  return fail('INGEST_MAPPING_INVALID', { message: sentenceOf(result.errors), details: result.errors });
}

/**
 * Validates and compiles a mapping (RULES J1): a rule for each field of an event, for `verifiedBy`
 * and for each entry of `metadata`. Never throws.
 * @returns the mapping, or every error with its dotted path, which begins with `mapping`.
 */
export function compileMapping(raw: unknown): { mapping: Mapping } | { errors: ValidationDetail[] } {
  const errors: ValidationDetail[] = [];
  const report: Report = (path, code, message, values) => {
    if (errors.length < MAX_ERRORS) errors.push({ path, code, message, ...values });
    return null;
  };
  const mapping = compile(raw, report);
  // After the checks above, the mapping is shallow enough for JSON.stringify.
  if (errors.length === 0) checkSize(Buffer.byteLength(JSON.stringify(raw)), report);
  return errors.length === 0 && mapping ? { mapping } : { errors };
}

const AT = 'mapping';

function compile(raw: unknown, report: Report): Mapping | null {
  if (!isPlainObject(raw)) {
    const message = `must be an object with a rule for each field, not ${quoted(raw)}`;
    return report(AT, 'invalid_type', message, { expected: 'object' });
  }
  if (!checkSize(minBytesOf(raw, MAX_MAPPING_BYTES), report)) return null;
  for (const field of ['userId', 'eventType']) {
    if (!Object.hasOwn(raw, field))
      report(`${AT}.${field}`, 'required', 'needs a rule: no event goes without it');
  }
  for (const field of Object.keys(raw))
    if (field !== 'metadata' && !isMappingField(field)) reportUnknown(field, report);
  return {
    rules: raw,
    fields: fieldNames.flatMap((field) => {
      if (!Object.hasOwn(raw, field)) return [];
      const rule = compileRule(raw[field], mappingFields[field], `${AT}.${field}`, report);
      return rule ? [{ field, rule }] : [];
    }),
    metadata: Object.hasOwn(raw, 'metadata') ? compileMetadata(raw.metadata, report) : [],
  };
}

const fieldNames = Object.keys(mappingFields) as MappingField[];

function reportUnknown(field: string, report: Report): void {
  const known = [...fieldNames, 'metadata'];
  const message = `${quoted(field)} is no field of an event; those are ${known.join(', ')}`;
  report(`${AT}.${shortened(field)}`, 'unrecognized', message, expectedOf(field, known));
}

function compileMetadata(raw: unknown, report: Report): { name: string; rule: Rule }[] {
  const at = `${AT}.metadata`;
  if (!isPlainObject(raw)) {
    const message = 'must be an object with a rule for each name, such as {"orderId": {"path": "order.id"}}';
    report(at, 'invalid_type', message, { expected: 'object' });
    return [];
  }
  const entries = Object.entries(raw);
  if (entries.length > MAX_METADATA_ENTRIES) {
    tooMany(at, MAX_METADATA_ENTRIES, entries.length, report);
    return [];
  }
  return entries.flatMap(([name, given]) => {
    const path = `${at}.${shortened(name)}`;
    if (name === '' || name.length > MAX_NAME_LENGTH || name === '__proto__') {
      const message = `cannot be a name of metadata: 1 to ${MAX_NAME_LENGTH} characters, and not __proto__`;
      report(path, 'custom', message);
      return [];
    }
    const rule = compileRule(given, metadataEntry, path, report);
    return rule ? [{ name, rule }] : [];
  });
}

function checkSize(received: number, report: Report): boolean {
  const isFine = received <= MAX_MAPPING_BYTES;
  const message = `must not take more than ${MAX_MAPPING_BYTES} bytes as JSON`;
  if (!isFine) report(AT, 'too_big', message, { expected: MAX_MAPPING_BYTES, received });
  return isFine;
}
