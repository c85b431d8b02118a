import { canonicalJson } from '@reliability/proof';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type EventFactRow,
  eventFact,
  eventFactText,
  type SnapshotFactRow,
  snapshotFact,
  snapshotFactText,
} from '../../../src/ledger/log/facts.js';

const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });

const event: fc.Arbitrary<EventFactRow> = fc.record({
  subjectId: fc.uuid(),
  position: fc.nat(),
  eventId: fc.uuid(),
  platformId: fc.uuid(),
  eventType: fc.constantFrom('CONTRACT_FULFILLED', 'DISPUTE_FILED'),
  stakeLevel: fc.constantFrom('LOW', 'MEDIUM', 'HIGH'),
  isVerified: fc.boolean(),
  platformTier: fc.constantFrom('GROWTH', 'ENTERPRISE'),
  completedAt: optional(time),
  dueDate: optional(time),
  closesEventId: optional(fc.uuid()),
  createdAt: time,
  metadata: optional(fc.dictionary(fc.string(), fc.integer())),
  transactionValue: optional(fc.double({ noNaN: true, noDefaultInfinity: true })),
  attester: optional(fc.string()),
  textHash: optional(hash.map((bytes) => Buffer.from(bytes))),
});

const snapshot: fc.Arbitrary<SnapshotFactRow> = fc.record({
  subjectId: fc.uuid(),
  snapshotNo: fc.nat(),
  positions: fc.dictionary(fc.uuid(), fc.nat()),
  finalScore: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
  scoreBand: fc.constantFrom('Excellent', 'High Risk'),
  confidence: fc.integer({ min: 0, max: 10_000 }).map((parts) => parts / 10_000),
  formulaVersion: fc.constant('1.0.0'),
  asOf: fc.integer({ min: 0, max: 40_000 }),
  computedAt: time,
});

const members = fc.array(fc.record({ chain: hash.map(base64), position: fc.nat() }));

test('the text of an event that is hashed is the canonical JSON of its fact', () => {
  fc.assert(
    fc.property(
      event,
      optional(hash),
      time,
      fc.uint8Array({ minLength: 48, maxLength: 48 }),
      (row, previous, completeUntil, salts) => {
        const salt = salts.subarray(16, 32);
        const place = { previous: previous && base64(previous), completeUntil: completeUntil.getTime() };
        expect(eventFactText(row, place, salts, 16)).toBe(
          canonicalJson(eventFact(row, { previous, completeUntil }, salt)),
        );
      },
    ),
  );
});

test('the text of a snapshot that is hashed is the canonical JSON of its fact', () => {
  fc.assert(
    fc.property(snapshot, members, (row, counted) => {
      expect(snapshotFactText(row, counted)).toBe(canonicalJson(snapshotFact(row, counted)));
    }),
  );
});

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
