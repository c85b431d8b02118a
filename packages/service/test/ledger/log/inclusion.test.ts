import { appendLeaves, canonicalJson, inclusionProof, leafHash, sha256, toBase64 } from '@reliability/proof';
import { expect, test } from 'vitest';
import type { Queryable } from '../../../src/kit/db/database.js';
import { addToBlocks, hashReader } from '../../../src/ledger/log/blocks.js';
import { commitmentOf, eventFact, type Fact, snapshotFact } from '../../../src/ledger/log/facts.js';
import { inclusionProofs } from '../../../src/ledger/log/inclusion.js';

test('proofs of many leaves at once are those of RFC 9162, for every leaf and size', async () => {
  for (const size of [1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 100, 255, 256, 257, 300]) {
    const leaves = Array.from({ length: size }, (_, index) =>
      leafHash(Uint8Array.of(index % 256, index >> 8)),
    );
    const blocks = addToBlocks(new Map(), appendLeaves({ size: 0, hashes: [] }, leaves).added);
    const rows = [...blocks.values()].map(({ index, ...block }) => ({ ...block, blockIndex: index }));
    const db = { query: async () => rows } as unknown as Queryable;
    const indexes = leaves.map((_, index) => index);
    const expected = indexes.map((index) => inclusionProof(index, size, hashReader(blocks)).map(toBase64));
    expect(await inclusionProofs(db, indexes, size)).toEqual(expected);
  }
});

test('a commitment is the hash of the salt and the canonical JSON, in whatever order the names are', () => {
  const at = new Date('2026-03-01T15:45:02.118Z');
  const id = '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34';
  const salt = Buffer.alloc(16, 7);
  const event = eventFact(
    {
      subjectId: id,
      position: 1,
      eventId: id,
      platformId: id,
      eventType: 'CONTRACT_FULFILLED',
      stakeLevel: 'HIGH',
      isVerified: true,
      platformTier: 'GROWTH',
      completedAt: at,
      dueDate: null,
      closesEventId: null,
      createdAt: at,
      metadata: '{"ü":"\\n€","n":12345678901234567890}',
      transactionValue: 0.1,
      attester: 'Somebody',
    },
    Buffer.alloc(32, 1),
    salt,
  );
  const snapshot = snapshotFact(
    {
      subjectId: id,
      snapshotNo: 1,
      position: 1,
      finalScore: 33.6,
      scoreBand: 'Unproven',
      confidence: 0.2063,
      formulaVersion: '1.0.0',
      asOf: 20_000,
      computedAt: at,
    },
    null,
  );
  for (const fact of [event, snapshot, { kind: 'note', at: 'now', ü: '€"\\', a: 1e21 }] as Fact[]) {
    const canonical = canonicalJson(fact);
    expect(commitmentOf(salt, fact).equals(sha256(Buffer.concat([salt, Buffer.from(canonical)])))).toBe(true);
  }
  expect(Object.keys(event)).toEqual(Object.keys(event).sort());
  expect(Object.keys(snapshot)).toEqual(Object.keys(snapshot).sort());
});
