import { describe, expect, test } from 'vitest';
import { judge, NOTHING_DECLARED } from '#domain/declaredSubject.js';
import { applyMapping, readMappedEvent } from '#domain/mapping/applyMapping.js';
import { usableMapping } from '#domain/mapping/compileMapping.js';

const now = new Date('2026-11-21T12:00:00.000Z');

/** The result for one record: the event and its warnings, or the code and the errors. */
function read(rules: Record<string, unknown>, record: unknown, { isImport = false, livemode = true } = {}) {
  const mapping = usableMapping({
    userId: { path: 'who' },
    eventType: { constant: 'CONTRACT_FULFILLED' },
    ...rules,
  });
  const result = readMappedEvent(applyMapping(mapping, record), {
    livemode,
    now,
    isImport,
    path: 'records.7',
  });
  if ('refusal' in result) {
    const { code, details, message } = result.refusal;
    return { code, message, details: details as { path: string; message: string }[] };
  }
  return { event: result.event, warnings: result.warnings.map((warning) => warning.code) };
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
    expect(['done', '5', 5, true, 'true'].map((a) => valueFor('stakeLevel', rule, { a }))).toEqual([
      'LOW',
      'HIGH',
      'HIGH',
      'MEDIUM',
      'MEDIUM',
    ]);
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
    expect(['', null, undefined, 'x', 'y'].map((a) => valueFor('stakeLevel', rule, { a }))).toEqual([
      'LOW',
      'LOW',
      'LOW',
      'HIGH',
      'MEDIUM',
    ]);
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

  test('with a transform returns the transformed value', () => {
    expect(valueFor('transactionValue', { path: 'a', transform: 'cents_to_units' }, { a: '48050' })).toBe(
      480.5,
    );
    expect(valueFor('dueDate', { path: 'a', transform: 'iso_date' }, { a: '2024-03-01' })).toEqual(
      new Date('2024-03-01T00:00:00Z'),
    );
    expect(valueFor('userId', { path: 'a', transform: 'lowercase' }, { a: 'BOB' })).toBe('bob');
    expect(valueFor('userId', { path: 'a', transform: 'trim' }, { a: 4711 })).toBe('4711');
    expect(meta({ path: 'a', transform: 'boolean' }, { a: 'no' })).toBe(false);
    expect(meta({ path: 'a', transform: 'iso_date' }, { a: '2024-03-01' })).toBe('2024-03-01T00:00:00.000Z');
  });
});

describe('a record', () => {
  test('without a required value fails and names the source path', () => {
    expect(read({ eventType: { path: 'order.kind' } }, {})).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'records.7.userId: is required (read from "who") (and 1 more, see details)',
      details: [
        expect.objectContaining({ path: 'records.7.userId', code: 'required' }),
        expect.objectContaining({
          path: 'records.7.eventType',
          code: 'required',
          message: 'is required (read from "order.kind")',
        }),
      ],
    });
  });

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

  test.each([['a text'], [5], [null], [['w']], [undefined]])('is no %j', (record) => {
    expect(read({}, record)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'records.7', code: 'invalid_type' }],
    });
  });

  test('about a reserved subject is refused in live mode alone', () => {
    expect(read({}, { who: 'test:w' })).toMatchObject({ code: 'RESERVED_EXTERNAL_ID' });
    expect(read({}, { who: 'test:w' }, { livemode: false })).toMatchObject({ warnings: [] });
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
  const rules = { isVerified: { path: 'ok', transform: 'boolean' }, verifiedBy: { path: 'by' } };

  /** What the event is recorded as, of a subject that nothing is declared of. */
  function judged(given: Record<string, unknown>, record: unknown) {
    const { event } = read(given, record);
    if (!event) throw new Error('the record was refused');
    if (!event.isVerified) return { isVerified: false, attester: event.attester, reduced: null };
    return judge(event, { by: 'named', platform: new Set(['market']) }, NOTHING_DECLARED);
  }

  test.each([
    ['Miller', 'Miller'],
    [77, '77'],
  ])('by %j counts and adds nothing to the metadata', (by, attester) => {
    expect(judged(rules, { who: 'w', ok: 'yes', by })).toMatchObject({ isVerified: true, attester });
    expect(read(rules, { who: 'w', ok: 'yes', by }).event?.metadata).toBeNull();
  });

  test.each([
    ['nobody', undefined],
    ['an empty text', ''],
    ['white space', '  '],
    ['the subject', 'w'],
    ['the subject in other letters', ' W\u200b'],
    ['the platform', '„Mаrket“'],
    ['no name', { name: 'x' }],
    ['a yes', true],
    ['too long a name', 'x'.repeat(256)],
  ])('by %s is reduced', (_what, by) => {
    expect(judged(rules, { who: 'w', ok: 'yes', by })).toMatchObject({
      isVerified: false,
      attester: null,
      reduced: 'nobodyElse',
    });
  });

  test('is reduced when the mapping names no verifier or an unknown one', () => {
    const reduced = { isVerified: false, reduced: 'nobodyElse' };
    expect(judged({ isVerified: { constant: true } }, { who: 'w' })).toMatchObject(reduced);
    const table = { ...rules, verifiedBy: { path: 'by', table: { m: 'Miller' } } };
    expect(judged(table, { who: 'w', ok: true, by: 'x' })).toMatchObject(reduced);
  });

  test('is not reduced when it was not claimed', () => {
    expect(judged(rules, { who: 'w', ok: 'no' })).toMatchObject({ isVerified: false, reduced: null });
  });

  test('leaves the metadata to the mapping', () => {
    const metadata = { verifiedBy: { path: 'signed' } };
    expect(
      read({ ...rules, metadata }, { who: 'w', ok: 1, by: 'Miller', signed: 'M. Miller' }),
    ).toMatchObject({ event: { attester: 'Miller', metadata: { verifiedBy: 'M. Miller' } } });
  });
});

describe('auto-imported activity', () => {
  const high = { stakeLevel: { constant: 'HIGH' } };

  test('is every imported event: marked, capped, and outside the velocity guard', () => {
    const metadata = { autoImported: { constant: false }, no: { path: 'no' } };
    expect(read({ ...high, metadata }, { who: 'w', no: '5' }, { isImport: true })).toMatchObject({
      event: { imported: true, stakeLevel: 'MEDIUM', metadata: { autoImported: true, no: '5' } },
      warnings: ['STAKE_CAPPED'],
    });
  });

  test('is, in an ingest, every event that its mapping marks', () => {
    expect(read(high, { who: 'w' })).toMatchObject({
      event: { imported: false, stakeLevel: 'HIGH', metadata: null },
      warnings: [],
    });
    expect(read({ ...high, metadata: { autoImported: { constant: true } } }, { who: 'w' })).toMatchObject({
      event: { imported: false, stakeLevel: 'MEDIUM', metadata: { autoImported: true } },
      warnings: ['STAKE_CAPPED'],
    });
  });
});
