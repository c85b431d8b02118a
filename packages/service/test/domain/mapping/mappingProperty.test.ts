import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyMapping, readMappedEvent } from '#domain/mapping/applyMapping.js';
import { compileMapping } from '#domain/mapping/compileMapping.js';
import { EventInput } from '#domain/readOutcomeEvent.js';

const now = new Date('2026-11-21T12:00:00.000Z');

describe('any input', () => {
  const name = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'a', 'b', 'a.b', 'length', '0'),
    fc.string(),
  );
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string(),
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value')),
      tie('object'),
    ),
    object: fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map(Object.fromEntries),
  })).value;
  const scalar = fc.oneof(fc.string({ minLength: 1 }), fc.double(), fc.boolean());
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('.'));
  const rule = fc.oneof(
    fc.record(
      {
        path,
        transform: fc.constantFrom('trim', 'lowercase', 'iso_date', 'boolean', 'cents_to_units'),
        default: scalar,
      },
      { requiredKeys: ['path'] },
    ),
    fc.record(
      { path, table: fc.dictionary(name, scalar, { minKeys: 1 }), default: scalar },
      { requiredKeys: ['path', 'table'] },
    ),
    fc.record({ constant: scalar }),
  );
  const metadata = fc.array(fc.tuple(name, rule), { maxLength: 4 }).map(Object.fromEntries);

  test('is compiled or refused as a mapping, without an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          json,
          fc.dictionary(
            fc.oneof(name, fc.constantFrom(...Object.keys(EventInput.shape), 'verifiedBy')),
            fc.oneof(rule, json),
          ),
        ),
        (raw) => {
          const result = compileMapping(raw);
          if ('errors' in result) expect(result.errors.length).toBeGreaterThan(0);
          else expect(result.mapping.rules).toBe(raw);
        },
      ),
    );
  });

  test('is read or refused as a record, without an exception or access to a prototype', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(metadata, json, fc.boolean(), (entries, record, isImport) => {
        const compiled = compileMapping({
          userId: { path: 'a' },
          eventType: { constant: 'REVIEW_VERIFIED' },
          metadata: entries,
        });
        if ('errors' in compiled) return;
        const mapped = applyMapping(compiled.mapping, record);
        for (const value of Object.values(mapped.metadata ?? {})) expect(typeof value).not.toBe('function');
        expect(Object.getPrototypeOf(mapped.metadata ?? {})).toBe(Object.prototype);
        readMappedEvent(mapped, { livemode: true, now, isImport });
      }),
    );
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });
});
