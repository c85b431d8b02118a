import { fail, sentenceOf, type ValidationDetail } from '../errors.js';
import { minBytesOf } from '../minBytes.js';
import { expectedOf } from '../misspelt.js';
import { isPlainObject } from '../plainObject.js';
import { compileRule, type Report } from './compileRule.js';
import { isMappingField, type MappingField, mappingFields, metadataEntry } from './fields.js';
import type { Mapping, Rule } from './mapping.js';
import { quoted, shortened } from './unusable.js';

export const MAX_MAPPING_BYTES = 64 * 1024;
const MAX_METADATA_ENTRIES = 100;
const MAX_NAME_LENGTH = 255;
/** Reported errors per mapping. */
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
  const report: Report = (error) => {
    if (errors.length < MAX_ERRORS) errors.push(error);
  };
  const mapping = compile(raw, report);
  // After the checks above, the mapping is shallow enough for JSON.stringify.
  if (errors.length === 0) checkSize(raw, report);
  return errors.length === 0 && mapping ? { mapping } : { errors };
}

const AT = 'mapping';

function compile(raw: unknown, report: Report): Mapping | null {
  if (!isPlainObject(raw)) {
    const message = `must be an object with a rule for each field, not ${quoted(raw)}`;
    report({ path: AT, code: 'invalid_type', message, expected: 'object' });
    return null;
  }
  const bytes = minBytesOf(raw, MAX_MAPPING_BYTES);
  if (bytes > MAX_MAPPING_BYTES) {
    reportSize(report, bytes);
    return null;
  }
  for (const field of ['userId', 'eventType']) {
    if (Object.hasOwn(raw, field)) continue;
    report({ path: `${AT}.${field}`, code: 'required', message: 'needs a rule: no event goes without it' });
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
  report({ path: `${AT}.${shortened(field)}`, code: 'unrecognized', message, ...expectedOf(field, known) });
}

function compileMetadata(raw: unknown, report: Report): { name: string; rule: Rule }[] {
  const at = `${AT}.metadata`;
  if (!isPlainObject(raw)) {
    const message = 'must be an object with a rule for each name, such as {"orderId": {"path": "order.id"}}';
    report({ path: at, code: 'invalid_type', message, expected: 'object' });
    return [];
  }
  const entries = Object.entries(raw);
  if (entries.length > MAX_METADATA_ENTRIES) {
    const message = `must hold at most ${MAX_METADATA_ENTRIES} entries`;
    report({ path: at, code: 'too_big', message, expected: MAX_METADATA_ENTRIES, received: entries.length });
    return [];
  }
  return entries.flatMap(([name, given]) => {
    const path = `${at}.${shortened(name)}`;
    if (name === '' || name.length > MAX_NAME_LENGTH || name === '__proto__') {
      const message = `cannot be a name of metadata: 1 to ${MAX_NAME_LENGTH} characters, and not __proto__`;
      report({ path, code: 'custom', message });
      return [];
    }
    const rule = compileRule(given, metadataEntry, path, report);
    return rule ? [{ name, rule }] : [];
  });
}

function checkSize(raw: unknown, report: Report): void {
  const bytes = Buffer.byteLength(JSON.stringify(raw));
  if (bytes > MAX_MAPPING_BYTES) reportSize(report, bytes);
}

function reportSize(report: Report, received: number): void {
  const message = `must not take more than ${MAX_MAPPING_BYTES} bytes as JSON`;
  report({ path: AT, code: 'too_big', message, expected: MAX_MAPPING_BYTES, received });
}
