import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactInteger } from '#domain/exactInteger.js';
import { EventInput, plainInput, readOutcomeEvent } from '#domain/readOutcomeEvent.js';
import { words } from '#harness/words.js';

const now = new Date('2026-11-21T12:00:00.000Z');
const usual = {
  userId: 'worker-1',
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'HIGH',
  isVerified: true,
  transactionValue: 12.5,
  dueDate: '2024-03-01T00:00:00.000Z',
  completedAt: '2024-02-29T23:59:59.999Z',
  metadata: { orderId: 'A-1' },
  idempotencyKey: 'order-1',
};
const values = fc.oneof(
  fc.constantFrom(
    ...words`. w test:1 ä LOW low DISPUTE_FILED CONTRACT_FULFILLED true 2024-02-30T00:00:00.000Z
      0000-03-01T00:00:00.000Z 2024-03-01T00:00:00.000Z 2024-03-01T00:00:00+01:00 2030-03-01T00:00:00.000Z`,
    ...['', 'a\u0000', 'k'.repeat(255), 'k'.repeat(256)],
  ),
  fc.constantFrom(
    0,
    -1,
    1e15,
    1.1e15,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new ExactInteger('9'.repeat(20)),
  ),
  fc.constantFrom<unknown>(undefined, null, true, [], {}, { autoImported: true }, { constructor: 'x' }),
  fc.constantFrom({ text: '"'.repeat(5000) }, { deep: { deep: [{ deep: {} }] } }),
  fc.string(),
  fc.double(),
  fc.jsonValue(),
);
const names = fc.oneof(
  fc.constantFrom(...Object.keys(usual), 'is_verified', 'note', 'constructor'),
  fc.string(),
);
const changes = fc.array(fc.tuple(names, values), { maxLength: 3 }).map((pairs) => Object.fromEntries(pairs));
const left = fc.subarray(Object.keys(usual));

test('an event is read, warned about and refused in the same way on the fast path as through the schema', () => {
  fc.assert(
    fc.property(fc.oneof(changes, fc.jsonValue()), left, fc.boolean(), (changed, without, livemode) => {
      const isBody = typeof changed === 'object' && changed !== null && !Array.isArray(changed);
      const kept = Object.entries(usual).filter(([name]) => !without.includes(name));
      const body = isBody ? { ...Object.fromEntries(kept), ...changed } : changed;
      const options = { livemode, now };
      expect(readOutcomeEvent(body, options)).toEqual(readOutcomeEvent(throughSchema(body), options));
    }),
    { numRuns: 1000 },
  );
  expect(plainInput(usual, new Set(Object.keys(EventInput.shape))), 'the fast path').not.toBeNull();
});

/** The fast path takes objects of JSON only, which have a prototype. */
function throughSchema(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.assign(Object.create(null), body);
}
