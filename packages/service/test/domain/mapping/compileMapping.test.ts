import { describe, expect, test } from 'vitest';
import { compileMapping, usableMapping } from '#domain/mapping/compileMapping.js';
import { rulesOf } from '#domain/mapping/mapping.js';
import { mappingFields, transformNames } from '#domain/mapping/values.js';
import { EventInput } from '#domain/readOutcomeEvent.js';
import { readExamples } from '#kit/http/openapiTexts.js';
import { MappingRules } from '../../../src/features/intake/mappings.js';

/** The smallest valid mapping with the changes of a test. */
function rules(more: Record<string, unknown> = {}): Record<string, unknown> {
  return { userId: { path: 'who' }, eventType: { constant: 'CONTRACT_FULFILLED' }, ...more };
}

/** The errors of a mapping, with their paths. */
function errorsOf(raw: unknown): [string, string][] {
  const result = compileMapping(raw);
  return 'errors' in result ? result.errors.map(({ path, code }) => [path, code]) : [];
}

const isTaken = (more: Record<string, unknown>) => errorsOf(rules(more)).length === 0;

describe('a mapping', () => {
  test('takes only the fields of an event, metadata and verifiedBy', () => {
    expect(Object.keys(mappingFields).concat('metadata').sort()).toEqual(
      [...Object.keys(EventInput.shape), 'verifiedBy'].sort(),
    );
    expect(Object.keys(MappingRules.shape).sort()).toEqual(
      Object.keys(mappingFields).concat('metadata').sort(),
    );
  });

  test('without errors keeps its JSON as given', () => {
    const example = readExamples().of('Mapping');
    expect(errorsOf(example)).toEqual([]);
    expect(usableMapping(example).rules).toBe(example);
  });

  test('lists its source paths, so that an import can check its columns', () => {
    const mapping = usableMapping(
      rules({ dueDate: { path: 'due', default: '2026-01-01' }, metadata: { no: { path: 'n' } } }),
    );
    expect(rulesOf(mapping).map(({ at, path, hasDefault }) => [at, path, hasDefault])).toEqual([
      ['mapping.userId', 'who', false],
      ['mapping.eventType', null, false],
      ['mapping.dueDate', 'due', true],
      ['mapping.metadata.no', 'n', false],
    ]);
  });

  test.each<[rule: unknown, at: string, code: string]>([
    ['status', '', 'invalid_type'],
    [null, '', 'invalid_type'],
    [[{ path: 'a' }], '', 'invalid_type'],
    [{}, '', 'required'],
    [{ default: 'LOW' }, '', 'required'],
    [{ transform: 'trim' }, '', 'required'],
    [{ path: 'a', constant: 'LOW' }, '', 'custom'],
    [{ constant: 'LOW', transform: 'trim' }, '.transform', 'custom'],
    [{ constant: 'LOW', default: 'LOW' }, '.default', 'custom'],
    [{ constant: 'LOW', table: { a: 'LOW' } }, '.table', 'custom'],
    [{ path: 'a', table: { a: 'LOW' }, transform: 'trim' }, '', 'custom'],
    [{ path: 'a', tranform: 'trim' }, '.tranform', 'unrecognized'],
    [{ path: 'a', transform: 'uppercase' }, '.transform', 'invalid_value'],
    [{ path: 'a', transform: 'toString' }, '.transform', 'invalid_value'],
    [{ path: 'a', transform: ['trim'] }, '.transform', 'invalid_value'],
    [{ path: 'a', transform: 'iso_date' }, '.transform', 'invalid_value'],
    [{ path: 5 }, '.path', 'invalid_type'],
    [{ path: '' }, '.path', 'too_small'],
    [{ path: 'a..b' }, '.path', 'invalid_format'],
    [{ path: '.a' }, '.path', 'invalid_format'],
    [{ path: 'a.__proto__.b' }, '.path', 'invalid_format'],
    [{ path: 'a'.repeat(256) }, '.path', 'invalid_format'],
    [{ path: Array(17).fill('a').join('.') }, '.path', 'invalid_format'],
    [{ path: 'a', table: ['LOW'] }, '.table', 'invalid_type'],
    [{ path: 'a', table: {} }, '.table', 'invalid_type'],
    [{ path: 'a', table: { x: { y: 1 } } }, '.table.x', 'invalid_type'],
    [{ path: 'a', table: { x: null } }, '.table.x', 'invalid_type'],
    [{ path: 'a', table: { x: 'HUGE' } }, '.table.x', 'invalid_value'],
    [{ path: 'a', default: 'low' }, '.default', 'invalid_value'],
    [{ path: 'a', default: null }, '.default', 'invalid_type'],
    [{ constant: 'HUGE' }, '.constant', 'invalid_value'],
    [{ constant: '' }, '.constant', 'too_small'],
  ])('with the rule %j is refused at %j: %s', (rule, at, code) => {
    expect(errorsOf(rules({ stakeLevel: rule }))).toEqual([[`mapping.stakeLevel${at}`, code]]);
  });

  test.each<[string, unknown]>([
    ['userId', '.'],
    ['userId', 'a\nb'],
    ['userId', 'a'.repeat(256)],
    ['userId', true],
    ['eventType', 'FOO'],
    ['eventType', 'DISPUTE_FILED'],
    ['eventType', 'contract_fulfilled'],
    ['isVerified', 'perhaps'],
    ['isVerified', 1],
    ['transactionValue', -1],
    ['transactionValue', 1e16],
    ['transactionValue', '12,5'],
    ['dueDate', 'tomorrow'],
    ['dueDate', '2026-02-30'],
    ['completedAt', true],
    ['idempotencyKey', 'k'.repeat(256)],
    ['verifiedBy', ' \u200b'],
    ['verifiedBy', 'v'.repeat(256)],
  ])('with the invalid %s %j is refused', (field, value) => {
    for (const [at, rule] of Object.entries({
      constant: { constant: value },
      default: { path: 'a', default: value },
      'table.x': { path: 'a', table: { x: value } },
    })) {
      expect(errorsOf(rules({ [field]: rule })).map(([path]) => path)).toEqual([`mapping.${field}.${at}`]);
    }
  });

  test.each<[string, unknown]>([
    ['userId', 4711],
    ['isVerified', 'TRUE'],
    ['transactionValue', '480.50'],
    ['transactionValue', 0],
    ['transactionValue', 1e15],
    ['dueDate', '2026-03-01'],
    ['completedAt', '2026-03-01T09:30:00+01:00'],
    ['idempotencyKey', 'k'.repeat(255)],
    ['verifiedBy', 'Miller & Sons'],
  ])('may fix the %s as %j', (field, value) => {
    expect(isTaken({ [field]: { constant: value } })).toBe(true);
  });

  test.each<[string, string[]]>([
    ['userId', ['lowercase', 'trim', 'iso_date']],
    ['eventType', ['trim']],
    ['stakeLevel', ['trim']],
    ['isVerified', ['boolean', 'trim']],
    ['transactionValue', ['cents_to_units', 'decimal_comma', 'trim']],
    ['dueDate', ['iso_date', 'day_month_year', 'month_day_year', 'trim']],
    ['completedAt', ['iso_date', 'day_month_year', 'month_day_year', 'trim']],
    ['idempotencyKey', ['lowercase', 'trim', 'iso_date']],
    ['verifiedBy', ['lowercase', 'trim', 'iso_date']],
  ])('lets %s be transformed by what can give it a value: %j', (field, fitting) => {
    const taken = transformNames.filter((transform) => isTaken({ [field]: { path: 'a', transform } }));
    expect(taken).toEqual(transformNames.filter((transform) => fitting.includes(transform)));
    const ofMetadata = transformNames.map((transform) => [transform, { path: 'a', transform }]);
    expect(isTaken({ metadata: Object.fromEntries(ofMetadata) })).toBe(true);
  });

  test.each<[metadata: unknown, at: string]>([
    [[], ''],
    [{ path: 'meta' }, '.path'],
    [{ '': { path: 'a' } }, '.'],
    [JSON.parse('{"__proto__":{"path":"a"}}'), '.__proto__'],
    [{ ['n'.repeat(256)]: { path: 'a' } }, `.${'n'.repeat(61)}...`],
    [manyEntries(101, { path: 'a' }), ''],
    [{ a: { constant: { b: 1 } } }, '.a.constant'],
  ])('with the metadata %j is refused', (metadata, at) => {
    expect(errorsOf(rules({ metadata })).map(([path]) => path)).toEqual([`mapping.metadata${at}`]);
  });

  test('with a field called __proto__ is refused', () => {
    const raw = JSON.parse('{"userId":{"path":"a"},"eventType":{"path":"b"},"__proto__":{"path":"c"}}');
    expect(errorsOf(raw)).toEqual([['mapping.__proto__', 'unrecognized']]);
  });

  test('may hold 100 entries of metadata and tables of 5000 entries, and 64 KiB in all', () => {
    expect(isTaken({ metadata: manyEntries(100, { path: 'a' }) })).toBe(true);
    const table = (entries: number) => ({ path: 'a', table: manyEntries(entries, 'x') });
    expect(isTaken({ idempotencyKey: table(5000) })).toBe(true);
    expect(errorsOf(rules({ idempotencyKey: table(5001) }))).toEqual([
      ['mapping.idempotencyKey.table', 'too_big'],
    ]);
    const ofBytes = (bytes: number) => {
      const filled = (length: number) => rules({ metadata: { a: { constant: 'x'.repeat(length) } } });
      return filled(bytes - JSON.stringify(filled(0)).length);
    };
    expect(errorsOf(ofBytes(65_536))).toEqual([]);
    expect(errorsOf(ofBytes(65_537))).toEqual([['mapping', 'too_big']]);
  });

  test('with many errors lists a limited number', () => {
    expect(errorsOf(manyEntries(10_000, 5))).toHaveLength(200);
  });
});

function manyEntries(count: number, value: unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, value]));
}
