import { randomBytes } from 'node:crypto';
import {
  appendLeaves,
  canonicalJson,
  inclusionProof,
  type JsonValue,
  leafHash,
  sha256,
  toBase64,
} from '@reliability/proof';
import { describe, expect, test } from 'vitest';
import { breadth } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { insertInto } from '#kit/db/rows.js';
import { LOWEST_ID } from '#kit/ids.js';
import { addToBlocks, blockRows, hashReader } from '#ledger/log/blocks.js';
import { otherFactText, saltedHash, textHashOf } from '#ledger/log/facts.js';
import { inclusionProofs } from '#ledger/log/inclusion.js';

describe.each(breadth)('inclusion proofs on %s', (engine) => {
  const database = ownDatabase(engine);

  test('of many leaves at once are those of RFC 9162, for every leaf and for the log as it was at any size', async () => {
    const leaves = Array.from({ length: 300 }, (_, index) =>
      leafHash(Uint8Array.of(index % 256, index >> 8)),
    );
    const blocks = addToBlocks(new Map(), appendLeaves({ size: 0, hashes: [] }, leaves).added);
    await insertInto('log_block', blockRows, [...blocks.values()]).execute(database.db);
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

test('a commitment is the hash of the salt and the text of the fact, wherever the salt begins', () => {
  const salts = randomBytes(64);
  for (const text of ['{"kind":"note","at":"now"}', '"ü€"', 'x'.repeat(100_000)]) {
    const expected = sha256(Buffer.concat([salts.subarray(16, 32), Buffer.from(text)]));
    expect(saltedHash(salts.subarray(16, 32), text)).toBe(Buffer.from(expected).toString('base64'));
  }
});

test('a fact of another kind is canonical JSON, in whatever order the database names its parts', () => {
  const fact = { kind: 'note', at: 'now', ü: '€"\\', a: 1e21 };
  const row = { subjectId: LOWEST_ID, kind: 9, ref: 1, fact, hashed: null };
  expect(otherFactText(row, Buffer.alloc(16))).toBe(canonicalJson(fact));
  const hashed = '{"b":12345678901234567890,"a":null}';
  const salt = Buffer.alloc(16, 7);
  const factsHash = saltedHash(salt, '{"a":null,"b":12345678901234567890}');
  expect(otherFactText({ ...row, hashed }, salt)).toBe(canonicalJson({ ...fact, factsHash }));
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
