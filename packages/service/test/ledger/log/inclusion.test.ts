import {
  appendLeaves,
  canonicalJson,
  inclusionProof,
  type JsonValue,
  leafHash,
  sha256,
  toBase64,
} from '@reliability/proof';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToBlocks, blockValues, hashReader } from '../../../src/ledger/log/blocks.js';
import {
  commitmentOf,
  eventFact,
  type Fact,
  snapshotFact,
  textHashOf,
} from '../../../src/ledger/log/facts.js';
import { inclusionProofs } from '../../../src/ledger/log/inclusion.js';
import { breadth, openTestDatabase, type TestDatabase } from '../../harness/engines.js';

describe.each(breadth)('inclusion proofs on %s', (engine) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.close());

  test('of many leaves at once are those of RFC 9162, for every leaf and for the log as it was at any size', async () => {
    const leaves = Array.from({ length: 300 }, (_, index) =>
      leafHash(Uint8Array.of(index % 256, index >> 8)),
    );
    const blocks = addToBlocks(new Map(), appendLeaves({ size: 0, hashes: [] }, leaves).added);
    await database.db.execute(
      `insert into log_block (level, block_index, filled, hashes)
       select * from unnest($1::smallint[], $2::bigint[], $3::smallint[], $4::bytea[])`,
      blockValues([...blocks.values()]),
    );
    for (const size of [1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 100, 255, 256, 257, 300]) {
      const indexes = Array.from({ length: size }, (_, index) => index);
      const expected = indexes.map((index) => inclusionProof(index, size, hashReader(blocks)).map(toBase64));
      expect(await inclusionProofs(database.db, indexes, size), `${size} leaves`).toEqual(expected);
    }
    for (const index of [0, 17, 299]) {
      const expected = inclusionProof(index, 300, hashReader(blocks)).map(toBase64);
      expect(await inclusionProofs(database.db, [index], 300)).toEqual([expected]);
    }
  });

  test('of a log that lacks a block fail', async () => {
    await expect(inclusionProofs(database.db, [0], 5000)).rejects.toThrow('the log');
  });
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
    { previous: Buffer.alloc(32, 1), completeUntil: at },
    salt,
  );
  const snapshot = snapshotFact(
    {
      subjectId: id,
      snapshotNo: 1,
      positions: { [id]: 1 },
      finalScore: 33.6,
      scoreBand: 'Unproven',
      confidence: 0.2063,
      formulaVersion: '1.0.0',
      asOf: 20_000,
      computedAt: at,
    },
    [{ chain: 'a', position: 1 }],
  );
  for (const fact of [event, snapshot, { kind: 'note', at: 'now', ü: '€"\\', a: 1e21 }] as Fact[]) {
    const canonical = canonicalJson(fact);
    expect(commitmentOf(salt, fact).equals(sha256(Buffer.concat([salt, Buffer.from(canonical)])))).toBe(true);
  }
  expect(Object.keys(event)).toEqual(Object.keys(event).sort());
  expect(Object.keys(snapshot)).toEqual(Object.keys(snapshot).sort());
});

test('the hash of a text is that of its canonical JSON, whatever form the text was stored in', () => {
  const salt = Buffer.alloc(16, 7);
  for (const metadata of [
    '{"a":1,"b":"as agreed","c":null}',
    '{"b":1, "a":"ü \\u00fc \\n"}',
    '{"10":1,"9":2}',
    '{"a":{"d":1,"c":[2,{"z":1,"y":2}]}}',
    '[3,1]',
    '"text"',
    '{"n":12345678901234567890,"m":1.50}',
    '{"a":1,"a":2}',
  ]) {
    const text = { metadata: parsedExactly(metadata), transactionValue: 9.5, attester: 'Ana "A" Ü' };
    const expected = sha256(Buffer.concat([salt, Buffer.from(canonicalJson(text))]));
    const hash = textHashOf({ metadata, transactionValue: 9.5, attester: 'Ana "A" Ü' }, salt);
    expect(hash?.equals(expected), metadata).toBe(true);
  }
  expect(textHashOf({ metadata: null, transactionValue: null, attester: null }, salt)).toBeNull();
});

function parsedExactly(metadata: string): JsonValue {
  const value = JSON.parse(metadata);
  return metadata.includes('12345678901234567890') ? { ...value, n: 12345678901234567890n } : value;
}
