import { describe, expect, test } from 'vitest';
import { judge, NOTHING_DECLARED } from '#domain/declaredSubject.js';
import { applyMapping, readMappedEvent } from '#domain/mapping/applyMapping.js';
import { usableMapping } from '#domain/mapping/compileMapping.js';
import { words } from '#harness/words.js';

const now = new Date('2026-11-21T12:00:00.000Z');

/** What one record gives: the event or the errors. */
function read(rules: Record<string, unknown>, record: unknown) {
  const mapping = usableMapping({
    userId: { path: 'who' },
    eventType: { constant: 'CONTRACT_FULFILLED' },
    ...rules,
  });
  const options = { livemode: true, now, isImport: false, path: 'records.7' };
  const result = readMappedEvent(applyMapping(mapping, record), options);
  return 'refusal' in result
    ? { details: result.refusal.details as { path: string; message: string }[] }
    : { event: result.event };
}

/** The value that a rule gives one field of the event. */
function valueFor(field: string, rule: unknown, record: Record<string, unknown>): unknown {
  const result = read({ [field]: rule }, { who: 'w', ...record });
  if (!result.event) return result.details.map(({ path, message }) => `${path}: ${message}`);
  return (result.event as unknown as Record<string, unknown>)[
    field === 'userId' ? 'externalId' : field === 'idempotencyKey' ? 'itemKey' : field
  ];
}

describe('a rule', () => {
  const meta = (rule: unknown, record: Record<string, unknown>) =>
    (valueFor('metadata', { x: rule }, record) as Record<string, unknown> | null)?.x;

  test.each<[string, Record<string, unknown>, unknown]>([
    ['a.b', { a: { b: 1 } }, 1],
    ['a.b', { 'a.b': 'whole', a: { b: 1 } }, 'whole'],
    ['a.b', { 'a.b': '', a: { b: 1 } }, undefined],
    ['a.1.b', { a: [{ b: 'x' }, { b: 'y' }] }, 'y'],
    ['a.length', { a: [1, 2] }, undefined],
    ['a.length', { a: 'text' }, undefined],
    ['a.b', { a: null }, undefined],
    ['No.', { 'No.': 'N-1' }, 'N-1'],
    ['Ref. No.', { 'Ref. No.': 'N-2' }, 'N-2'],
    ['a', { a: { deep: [true] } }, { deep: [true] }],
    ['a', { a: null }, undefined],
    ['a', { a: false }, false],
    ['a', { a: 0 }, 0],
    ['constructor', {}, undefined],
    ['constructor.name', {}, undefined],
    ['toString', {}, undefined],
    ['constructor', { constructor: 'Ferrari' }, 'Ferrari'],
    ['prototype', { prototype: 'first' }, 'first'],
  ])('with the path %s reads of %j: %j', (path, record, value) => {
    expect(meta({ path }, record)).toEqual(value);
  });

  test('uses its default for an absent, null, empty or blank value', () => {
    const rule = { path: 'a', default: 'LOW' };
    for (const a of [undefined, null, '']) expect(valueFor('stakeLevel', rule, { a })).toBe('LOW');
    expect(valueFor('stakeLevel', { ...rule, transform: 'trim' }, { a: '  ' })).toBe('LOW');
    expect(valueFor('stakeLevel', rule, { a: 'HIGH' })).toBe('HIGH');
    expect(valueFor('stakeLevel', { path: 'a' }, {})).toBe('MEDIUM');
  });

  test('does not use its default for an unreadable value', () => {
    expect(valueFor('transactionValue', { path: 'a', default: 0 }, { a: '12,5' })).toEqual([
      expect.stringContaining('records.7.transactionValue: must be a number'),
    ]);
    expect(valueFor('stakeLevel', { path: 'a', default: 'LOW' }, { a: 'HUGE' })).toEqual([
      'records.7.stakeLevel: must be one of HIGH, MEDIUM, LOW (read from "a")',
    ]);
  });

  test('looks up values in its table, numbers and booleans as text', () => {
    const rule = { path: 'a', table: { done: 'LOW', 5: 'HIGH', true: 'MEDIUM' } };
    const values = ['done', '5', 5, true, 'true'].map((a) => valueFor('stakeLevel', rule, { a }));
    expect(values).toEqual(words`LOW HIGH HIGH MEDIUM MEDIUM`);
  });

  test('fails on a value missing from its table, unless it has a default', () => {
    const rule = { path: 'a.b', table: { done: 'LOW' } };
    expect(valueFor('stakeLevel', rule, { a: { b: 'x'.repeat(100) } })).toEqual([
      `records.7.stakeLevel: "${'x'.repeat(61)}..." is not in the table, which has no default (read from "a.b")`,
    ]);
    for (const b of ['Done', 'toString', 'constructor', '__proto__']) {
      expect(valueFor('stakeLevel', rule, { a: { b } })).toEqual([
        expect.stringContaining('is not in the table'),
      ]);
      expect(valueFor('stakeLevel', { ...rule, default: 'HIGH' }, { a: { b } })).toBe('HIGH');
    }
    expect(valueFor('stakeLevel', rule, { a: { b: {} } })).toEqual([
      expect.stringContaining('to be looked up'),
    ]);
    expect(valueFor('stakeLevel', rule, {})).toBe('MEDIUM');
  });

  test('whose table has the empty text uses that entry for a missing value', () => {
    const rule = { path: 'a', table: { '': 'LOW', x: 'HIGH' }, default: 'MEDIUM' };
    const values = ['', null, undefined, 'x', 'y'].map((a) => valueFor('stakeLevel', rule, { a }));
    expect(values).toEqual(words`LOW LOW LOW HIGH MEDIUM`);
  });

  test.each<[string, unknown, unknown]>([
    ['userId', 4711, '4711'],
    ['userId', ' spaced ', ' spaced '],
    ['idempotencyKey', 12, '12'],
    ['isVerified', 'TRUE', true], // nobody verified it
    ['transactionValue', '480.50', 480.5],
    ['transactionValue', ' 1.2e3 ', 1200],
    ['transactionValue', '.5', 0.5],
    ['transactionValue', 480.5, 480.5],
    ['dueDate', '2026-03-01T09:30:00+01:00', new Date('2026-03-01T08:30:00Z')],
    ['dueDate', '2026-03-01T08:30:00.5Z', new Date('2026-03-01T08:30:00.500Z')],
  ])('without a transform reads the %s %j as %j', (field, a, value) => {
    expect(valueFor(field, { path: 'a' }, { a })).toEqual(value);
  });

  test.each<[string, unknown, string]>([
    ['userId', 1.5, 'must be text or a whole number, not 1.5'],
    ['userId', 2 ** 53, 'must be text or a whole number'],
    ['userId', true, 'must be text or a whole number, not true'],
    ['userId', { id: 1 }, 'must be text or a whole number, not an object'],
    ['userId', [1], 'must be text or a whole number, not an array'],
    ['userId', '..', 'must not contain control characters'],
    ['isVerified', 'yes', 'must be true or false, not "yes"; the transform boolean'],
    ['isVerified', 1, 'must be true or false, not 1'],
    ['transactionValue', '1,234.50', 'must be a number with a decimal point, not "1,234.50"'],
    ['transactionValue', '0x10', 'must be a number'],
    ['transactionValue', '1e999', 'must be a number'],
    ['transactionValue', true, 'must be a number'],
    ['transactionValue', '-5', 'must be at least 0'],
    ['transactionValue', 2e15, 'must be at most 1000000000000000'],
    ['dueDate', '2026-03-01', 'must be an RFC 3339 timestamp, not "2026-03-01"; the transform iso_date'],
    ['dueDate', '2026-02-30T00:00:00.000Z', 'must be an RFC 3339 timestamp'],
    ['dueDate', '2026-03-01T08:30Z', 'must be an RFC 3339 timestamp, not "2026-03-01T08:30Z"'],
    ['dueDate', 1709284200, 'must be an RFC 3339 timestamp, not 1709284200'],
    ['completedAt', '2026-11-21T12:05:00.001Z', 'must not lie more than 5 minutes in the future'],
    ['idempotencyKey', 'k'.repeat(256), 'must have at most 255 characters'],
  ])('does not take the %s %j', (field, a, message) => {
    expect(valueFor(field, { path: 'a' }, { a })).toEqual([
      expect.stringContaining(`records.7.${field}: ${message}`),
    ]);
  });

  test.each([
    ['transactionValue', 'cents_to_units', '48050', 480.5],
    ['dueDate', 'iso_date', '2024-03-01', new Date('2024-03-01T00:00:00Z')],
    ['userId', 'lowercase', 'BOB', 'bob'],
    ['userId', 'trim', 4711, '4711'],
  ])('gives %s by the transform %s of %j: %j', (field, transform, a, value) => {
    expect(valueFor(field, { path: 'a', transform }, { a })).toEqual(value);
  });

  test('with a transform gives the metadata what it becomes', () => {
    expect(meta({ path: 'a', transform: 'boolean' }, { a: 'no' })).toBe(false);
    expect(meta({ path: 'a', transform: 'iso_date' }, { a: '2024-03-01' })).toBe('2024-03-01T00:00:00.000Z');
  });
});

describe('a record', () => {
  test('lists all errors of the mapping and the event, each field once', () => {
    const { details } = read(
      {
        transactionValue: { path: 'a' },
        metadata: { m: { path: 'a', transform: 'iso_date' } },
        idempotencyKey: { path: 'k' },
      },
      { a: 'x', k: 'k'.repeat(300) },
    );
    expect(details?.map(({ path }) => path)).toEqual([
      'records.7.transactionValue',
      'records.7.metadata.m',
      'records.7.userId',
      'records.7.idempotencyKey',
    ]);
  });

  test('with more metadata than an event takes fails', () => {
    const record = { who: 'w', a: 'é'.repeat(4090) };
    expect(read({ metadata: { a: { path: 'a' } } }, record)).toMatchObject({
      event: { metadata: { a: record.a } },
    });
    expect(read({ metadata: { abcdef: { path: 'a' } } }, { ...record, a: `${record.a}é` })).toMatchObject({
      details: [{ path: 'records.7.metadata' }],
    });
    const copies = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`n${n}`, { path: 'a' }]));
    for (const a of [
      'x'.repeat(10_000_000),
      Array(500_000).fill('abc'),
      { b: { c: 'x'.repeat(1_000_000) } },
    ]) {
      expect(read({ metadata: copies }, { who: 'w', a }).details).toEqual([
        expect.objectContaining({ path: 'records.7.metadata', code: 'custom' }),
      ]);
    }
    const deep = JSON.parse(`${'{"a":'.repeat(8)}1${'}'.repeat(8)}`);
    expect(read({ metadata: { a: { path: 'a' } } }, { who: 'w', a: deep })).toMatchObject({
      details: [{ path: 'records.7.metadata' }],
    });
  });
});

describe('verification', () => {
  const rules = { isVerified: { constant: true }, verifiedBy: { path: 'by' } };

  test.each([
    ['another party', 'Miller', null],
    ['a number, which is a name', 77, null],
    ['white space', '  ', 'nobodyElse'],
    ['the subject in other letters', ' W\u200b', 'nobodyElse'],
    ['the platform', '„Mаrket“', 'nobodyElse'],
    ['no name', { name: 'x' }, 'nobodyElse'],
    ['a yes', true, 'nobodyElse'],
    ['too long a name', 'x'.repeat(256), 'nobodyElse'],
  ])('by %s is reduced: %s, %s', (_what, by, reduced) => {
    const { event } = read(rules, { who: 'w', by });
    if (!event) throw new Error('the record was refused');
    expect(judge(event, { by: 'named', platform: new Set(['market']) }, NOTHING_DECLARED)).toMatchObject({
      isVerified: reduced === null,
      attester: reduced === null ? String(by) : null,
      reduced,
    });
  });

  test('leaves the metadata to the mapping', () => {
    const metadata = { verifiedBy: { path: 'signed' } };
    const record = { who: 'w', by: 'Miller', signed: 'M. Miller' };
    expect(read(rules, record)).toMatchObject({ event: { attester: 'Miller', metadata: null } });
    expect(read({ ...rules, metadata }, record)).toMatchObject({
      event: { attester: 'Miller', metadata: { verifiedBy: 'M. Miller' } },
    });
  });
});
