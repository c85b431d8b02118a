import { describe, expect, test } from 'vitest';
import { compileMapping, usableMapping } from '#domain/mapping/compileMapping.js';
import { rulesOf } from '#domain/mapping/mapping.js';
import { mappingFields } from '#domain/mapping/values.js';
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

  test('lists every error at once, each with its path', () => {
    expect(
      errorsOf({
        userId: { path: 'who', transform: 'uppercase' },
        stakelevel: { constant: 'LOW' },
        dueDate: {},
        completedAt: { path: '' },
        metadata: { a: { constant: null }, b: 'order.id' },
      }),
    ).toEqual([
      ['mapping.eventType', 'required'],
      ['mapping.stakelevel', 'unrecognized'],
      ['mapping.userId.transform', 'invalid_value'],
      ['mapping.dueDate', 'required'],
      ['mapping.completedAt.path', 'too_small'],
      ['mapping.metadata.a.constant', 'invalid_type'],
      ['mapping.metadata.b', 'invalid_type'],
    ]);
  });

  test('is refused as INGEST_MAPPING_INVALID with the first error in the message and all in the details', () => {
    expect(() => usableMapping({})).toThrow(
      expect.objectContaining({
        code: 'INGEST_MAPPING_INVALID',
        status: 400,
        message: expect.stringContaining('mapping.userId'),
        details: [
          expect.objectContaining({ path: 'mapping.userId' }),
          expect.objectContaining({ path: 'mapping.eventType' }),
        ],
      }),
    );
  });

  test.each([
    ['null', null],
    ['a text', 'userId'],
    ['an array', [rules()]],
    ['a number', 5],
  ])('is no %s', (_what, raw) => {
    expect(errorsOf(raw)).toEqual([['mapping', 'invalid_type']]);
  });

  test.each<[string, unknown, string, string]>([
    ['a rule that is a text', 'status', 'mapping.stakeLevel', 'invalid_type'],
    ['a rule that is null', null, 'mapping.stakeLevel', 'invalid_type'],
    ['a rule that is a list', [{ path: 'a' }], 'mapping.stakeLevel', 'invalid_type'],
    ['a rule that reads nothing', {}, 'mapping.stakeLevel', 'required'],
    ['a default alone', { default: 'LOW' }, 'mapping.stakeLevel', 'required'],
    ['a transform alone', { transform: 'trim' }, 'mapping.stakeLevel', 'required'],
    ['a path and a constant', { path: 'a', constant: 'LOW' }, 'mapping.stakeLevel', 'custom'],
    [
      'a constant with a transform',
      { constant: 'LOW', transform: 'trim' },
      'mapping.stakeLevel.transform',
      'custom',
    ],
    [
      'a constant with a default',
      { constant: 'LOW', default: 'LOW' },
      'mapping.stakeLevel.default',
      'custom',
    ],
    [
      'a constant with a table',
      { constant: 'LOW', table: { a: 'LOW' } },
      'mapping.stakeLevel.table',
      'custom',
    ],
    [
      'a table with a transform',
      { path: 'a', table: { a: 'LOW' }, transform: 'trim' },
      'mapping.stakeLevel',
      'custom',
    ],
    ['an unknown part', { path: 'a', tranform: 'trim' }, 'mapping.stakeLevel.tranform', 'unrecognized'],
    [
      'an unknown transform',
      { path: 'a', transform: 'uppercase' },
      'mapping.stakeLevel.transform',
      'invalid_value',
    ],
    [
      'an inherited transform',
      { path: 'a', transform: 'toString' },
      'mapping.stakeLevel.transform',
      'invalid_value',
    ],
    [
      'a transform that is no text',
      { path: 'a', transform: ['trim'] },
      'mapping.stakeLevel.transform',
      'invalid_value',
    ],
    [
      'a transform of another field',
      { path: 'a', transform: 'iso_date' },
      'mapping.stakeLevel.transform',
      'invalid_value',
    ],
    ['a path that is no text', { path: 5 }, 'mapping.stakeLevel.path', 'invalid_type'],
    ['an empty path', { path: '' }, 'mapping.stakeLevel.path', 'too_small'],
    ['a path with an empty step', { path: 'a..b' }, 'mapping.stakeLevel.path', 'invalid_format'],
    ['a path that starts with a dot', { path: '.a' }, 'mapping.stakeLevel.path', 'invalid_format'],
    ['a path through __proto__', { path: 'a.__proto__.b' }, 'mapping.stakeLevel.path', 'invalid_format'],
    ['too long a path', { path: 'a'.repeat(256) }, 'mapping.stakeLevel.path', 'invalid_format'],
    ['too deep a path', { path: Array(17).fill('a').join('.') }, 'mapping.stakeLevel.path', 'invalid_format'],
    ['a table that is a list', { path: 'a', table: ['LOW'] }, 'mapping.stakeLevel.table', 'invalid_type'],
    ['an empty table', { path: 'a', table: {} }, 'mapping.stakeLevel.table', 'invalid_type'],
    [
      'a table of objects',
      { path: 'a', table: { x: { y: 1 } } },
      'mapping.stakeLevel.table.x',
      'invalid_type',
    ],
    ['a table of nulls', { path: 'a', table: { x: null } }, 'mapping.stakeLevel.table.x', 'invalid_type'],
    [
      'a table to a value that no event has',
      { path: 'a', table: { x: 'HUGE' } },
      'mapping.stakeLevel.table.x',
      'invalid_value',
    ],
    [
      'a default that no event has',
      { path: 'a', default: 'low' },
      'mapping.stakeLevel.default',
      'invalid_value',
    ],
    ['a default of null', { path: 'a', default: null }, 'mapping.stakeLevel.default', 'invalid_type'],
    ['a constant that no event has', { constant: 'HUGE' }, 'mapping.stakeLevel.constant', 'invalid_value'],
    ['an empty constant', { constant: '' }, 'mapping.stakeLevel.constant', 'too_small'],
  ])('with %s is refused', (_what, rule, path, code) => {
    expect(errorsOf(rules({ stakeLevel: rule }))).toEqual([[path, code]]);
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
    for (const part of ['constant', 'default', 'table']) {
      const rule = {
        constant: { constant: value },
        default: { path: 'a', default: value },
        table: { path: 'a', table: { x: value } },
      }[part];
      const fullPath = part === 'table' ? `mapping.${field}.table.x` : `mapping.${field}.${part}`;
      expect(errorsOf(rules({ [field]: rule })).map(([path]) => path)).toEqual([fullPath]);
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
    expect(errorsOf(rules({ [field]: { constant: value } }))).toEqual([]);
  });

  test.each<[string, string[]]>([
    ['userId', ['lowercase', 'trim', 'iso_date']],
    ['eventType', ['trim']],
    ['stakeLevel', ['trim']],
    ['isVerified', ['boolean', 'trim']],
    ['transactionValue', ['cents_to_units', 'trim']],
    ['dueDate', ['iso_date', 'trim']],
    ['completedAt', ['iso_date', 'trim']],
    ['idempotencyKey', ['lowercase', 'trim', 'iso_date']],
    ['verifiedBy', ['lowercase', 'trim', 'iso_date']],
  ])('lets %s be transformed by what can give it a value: %j', (field, fitting) => {
    const all = ['cents_to_units', 'iso_date', 'lowercase', 'trim', 'boolean'];
    const taken = all.filter(
      (transform) => errorsOf(rules({ [field]: { path: 'a', transform } })).length === 0,
    );
    expect(taken.sort()).toEqual(fitting.sort());
    expect(
      errorsOf(
        rules({
          metadata: Object.fromEntries(all.map((transform) => [transform, { path: 'a', transform }])),
        }),
      ),
    ).toEqual([]);
  });

  test.each<[string, unknown, string][]>([
    [['metadata that is a list', [], 'mapping.metadata']],
    [['metadata that is a rule', { path: 'meta' }, 'mapping.metadata.path']],
    [['metadata without a name', { '': { path: 'a' } }, 'mapping.metadata.']],
    [['metadata called __proto__', JSON.parse('{"__proto__":{"path":"a"}}'), 'mapping.metadata.__proto__']],
    [
      [
        'a very long name of metadata',
        { ['n'.repeat(256)]: { path: 'a' } },
        `mapping.metadata.${'n'.repeat(61)}...`,
      ],
    ],
    [['too many entries of metadata', manyEntries(101, { path: 'a' }), 'mapping.metadata']],
    [['metadata of objects', { a: { constant: { b: 1 } } }, 'mapping.metadata.a.constant']],
  ])('with %j is refused', ([, metadata, path]) => {
    expect(errorsOf(rules({ metadata })).map(([at]) => at)).toEqual([path]);
  });

  test('with a field called __proto__ is refused', () => {
    const raw = JSON.parse('{"userId":{"path":"a"},"eventType":{"path":"b"},"__proto__":{"path":"c"}}');
    expect(errorsOf(raw)).toEqual([['mapping.__proto__', 'unrecognized']]);
  });

  test('may hold 100 entries of metadata and tables of 5000 entries, and 64 KiB in all', () => {
    expect(errorsOf(rules({ metadata: manyEntries(100, { path: 'a' }) }))).toEqual([]);
    const table = (entries: number) => ({ path: 'a', table: manyEntries(entries, 'x') });
    expect(errorsOf(rules({ idempotencyKey: table(5000) }))).toEqual([]);
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
