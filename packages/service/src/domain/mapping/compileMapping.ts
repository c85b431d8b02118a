import { fail, sentenceOf, type ValidationCode, type ValidationDetail } from '../errors.js';
import { ExactInteger, isPlainObject } from '../exactInteger.js';
import { minBytesOf } from '../readOutcomeEvent.js';
import { expectedOf } from '../validationDetails.js';
import type { Mapping, Rule } from './mapping.js';
import { compilePath, pathError } from './path.js';
import { quoted, shortened, Unusable, unreadable } from './unusable.js';
import {
  isMappingField,
  isTransformName,
  type MappingField,
  mappingFields,
  metadataEntry,
  transformNames,
  transforms,
  type ValueKind,
} from './values.js';

export const MAX_MAPPING_BYTES = 64 * 1024;
const MAX_METADATA_ENTRIES = 100;
const MAX_NAME_LENGTH = 255;
const MAX_ERRORS = 200;

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

const MAX_TABLE_ENTRIES = 5000;

type Report = (
  path: string,
  code: ValidationCode,
  message: string,
  values?: Pick<ValidationDetail, 'expected' | 'received'>,
) => null;

/**
 * Compiles one rule: `{path, transform?, default?}`, `{constant}` or `{path, table, default?}`.
 * Null if it is invalid, after reporting every reason.
 * @param at the dotted path of the rule in the request.
 */
function compileRule(raw: unknown, kind: ValueKind, at: string, report: Report): Rule | null {
  if (!isPlainObject(raw)) {
    const message = 'must be a rule, such as {"path": "order.status"} or {"constant": "LOW"}';
    return report(at, 'invalid_type', message, { expected: 'object' });
  }
  let errors = 0;
  const checked: Report = (...error) => {
    errors += 1;
    return report(...error);
  };
  checkShape(raw, at, checked);
  const rule = Object.hasOwn(raw, 'constant')
    ? constantRule(raw, kind, at, checked)
    : pathRule(raw, kind, at, checked);
  return errors === 0 ? rule : null;
}

type RawRule = Readonly<Record<string, unknown>>;

const RULE_PARTS = ['path', 'constant', 'transform', 'table', 'default'];
const PARTS_BESIDE_A_PATH = ['transform', 'table', 'default'];

function checkShape(raw: RawRule, at: string, report: Report): void {
  const has = (part: string) => Object.hasOwn(raw, part);
  for (const part of Object.keys(raw)) {
    if (RULE_PARTS.includes(part)) continue;
    const message = `${quoted(part)} is no part of a rule; those are ${RULE_PARTS.join(', ')}`;
    report(`${at}.${shortened(part)}`, 'unrecognized', message, expectedOf(part, RULE_PARTS));
  }
  if (!has('path') && !has('constant'))
    report(at, 'required', 'reads nothing: it needs a `path` or a `constant`');
  if (has('path') && has('constant')) report(at, 'custom', 'takes a `path` or a `constant`, not both');
  if (has('constant')) {
    for (const part of PARTS_BESIDE_A_PATH.filter(has))
      report(`${at}.${part}`, 'custom', 'has no use beside a `constant`');
  }
  if (has('transform') && has('table')) report(at, 'custom', 'takes a `transform` or a `table`, not both');
}

function constantRule(raw: RawRule, kind: ValueKind, at: string, report: Report): Rule {
  const constant = finished(raw.constant, kind, `${at}.constant`, report);
  return { at, path: null, hasDefault: false, read: () => constant };
}

function pathRule(raw: RawRule, kind: ValueKind, at: string, report: Report): Rule | null {
  const path = Object.hasOwn(raw, 'path') ? checkedPath(raw.path, `${at}.path`, report) : null;
  const hasDefault = Object.hasOwn(raw, 'default');
  const fallback = hasDefault ? finished(raw.default, kind, `${at}.default`, report) : undefined;
  const convert = conversionOf(raw, kind, at, report, fallback);
  if (path === null || convert === null) return null;
  const find = compilePath(path);
  return {
    at,
    path,
    hasDefault,
    read(record) {
      const value = convert(find(record));
      return isAbsent(value) ? fallback : value;
    },
  };
}

type Convert = (value: unknown) => unknown;

function conversionOf(
  raw: RawRule,
  kind: ValueKind,
  at: string,
  report: Report,
  fallback: unknown,
): Convert | null {
  if (Object.hasOwn(raw, 'table')) {
    const table = compileTable(raw.table, kind, `${at}.table`, report);
    return table && ((value) => lookUp(table, value, fallback));
  }
  if (!Object.hasOwn(raw, 'transform')) return (value) => (isAbsent(value) ? undefined : kind.read(value));
  const { transform: name } = raw;
  if (!isTransformName(name) || !kind.transforms.includes(name)) {
    const known = isTransformName(name) ? kind.transforms : transformNames;
    const message = `must be one of ${known.join(', ')}${isTransformName(name) ? ' for this field' : ''}`;
    return report(`${at}.transform`, 'invalid_value', message, { expected: known });
  }
  const transform = transforms[name];
  return (value) => {
    if (isAbsent(value)) return undefined;
    const result = transform(value);
    return isAbsent(result) || result instanceof Unusable ? result : kind.read(result);
  };
}

/** Absent, null, or an empty CSV cell. */
function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

type Table = ReadonlyMap<string, unknown>;

function lookUp(table: Table, value: unknown, fallback: unknown): unknown {
  if (typeof value === 'object' && value !== null && !(value instanceof ExactInteger)) {
    return unreadable('invalid_type', 'must be text, a number or a boolean to be looked up', value);
  }
  const known = isAbsent(value) ? table.get('') : table.get(String(value));
  if (known !== undefined || isAbsent(value) || fallback !== undefined) return known;
  const message = `${quoted(value)} is not in the table, which has no default`;
  return new Unusable('invalid_value', message, 'must be in the table of the mapping');
}

function compileTable(raw: unknown, kind: ValueKind, at: string, report: Report): Table | null {
  if (!isPlainObject(raw) || Object.keys(raw).length === 0) {
    const message =
      'must be an object that gives a value for each text it knows, such as {"done": "CONTRACT_FULFILLED"}';
    return report(at, 'invalid_type', message, { expected: 'object' });
  }
  const entries = Object.entries(raw);
  if (entries.length > MAX_TABLE_ENTRIES) return tooMany(at, MAX_TABLE_ENTRIES, entries.length, report);
  return new Map(entries.map(([from, to]) => [from, finished(to, kind, `${at}.${shortened(from)}`, report)]));
}

function tooMany(at: string, most: number, received: number, report: Report): null {
  return report(at, 'too_big', `must hold at most ${most} entries`, { expected: most, received });
}

/** A value written in the mapping. A value that can never be valid is an error of the mapping. */
function finished(value: unknown, kind: ValueKind, at: string, report: Report): unknown {
  if (value === '') return void report(at, 'too_small', 'must not be empty');
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return void report(at, 'invalid_type', `must be text, a number or a boolean, not ${quoted(value)}`);
  const result = kind.finish(value);
  return result instanceof Unusable ? void report(at, result.code, result.message) : result;
}

function checkedPath(raw: unknown, at: string, report: Report): string | null {
  if (typeof raw !== 'string')
    return report(at, 'invalid_type', `must be text, not ${quoted(raw)}`, { expected: 'string' });
  const message = pathError(raw);
  return message === null ? raw : report(at, raw === '' ? 'too_small' : 'invalid_format', message);
}
