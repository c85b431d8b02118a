import { canonicalJson } from '@reliability/proof';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type EventFactRow,
  eventFactText,
  type SnapshotFactRow,
  snapshotFactText,
  textHashOf,
} from '#ledger/log/facts.js';

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

test('the text of an event that is hashed is canonical JSON, and says what its row and its place say', () => {
  fc.assert(
    fc.property(
      event,
      optional(hash.map(base64)),
      time,
      fc.uint8Array({ minLength: 48, maxLength: 48 }),
      (row, previous, completeUntil, salts) => {
        const text = eventFactText(
          row,
          { previous, completeUntil: completeUntil.getTime() },
          salts.subarray(16, 32),
        );
        const { textHash, ...fact } = JSON.parse(text);
        expect(canonicalJson({ textHash, ...fact })).toBe(text);
        expect(fact).toEqual({
          kind: 'event',
          subject: row.subjectId,
          position: row.position,
          eventId: row.eventId,
          platformId: row.platformId,
          platformTier: row.platformTier,
          eventType: row.eventType,
          stakeLevel: row.stakeLevel,
          isVerified: row.isVerified,
          completedAt: row.completedAt?.toISOString() ?? null,
          dueDate: row.dueDate?.toISOString() ?? null,
          closes: row.closesEventId,
          at: row.createdAt.toISOString(),
          previous,
          completeUntil: completeUntil.toISOString(),
        });
        const hasText = row.metadata !== null || row.transactionValue !== null || row.attester !== null;
        if (!hasText) expect(textHash).toBe(row.textHash ? base64(row.textHash) : null);
        else expect(textHash).toBe(textHashOf(row, salts.subarray(16, 32))?.toString('base64'));
      },
    ),
  );
});

test('the text of a snapshot that is hashed is canonical JSON, and says what its row says', () => {
  fc.assert(
    fc.property(snapshot, members, (row, counted) => {
      const text = snapshotFactText(row, counted);
      const fact = JSON.parse(text);
      expect(canonicalJson(fact)).toBe(text);
      expect(fact).toEqual({
        kind: 'snapshot',
        subject: row.subjectId,
        finalScore: row.finalScore,
        scoreBand: row.scoreBand,
        confidence: row.confidence,
        formulaVersion: row.formulaVersion,
        asOf: new Date(row.asOf * 86_400_000).toISOString().slice(0, 10),
        at: row.computedAt.toISOString(),
        members: counted,
      });
    }),
  );
});

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
