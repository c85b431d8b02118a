import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256, toHex } from '../src/index.js';

test('hashes bytes of every length around its blocks as node does', () => {
  for (let length = 0; length <= 260; length += 1) {
    const data = Uint8Array.from({ length }, (_, i) => (i * 131 + length * 7) & 0xff);
    expect(toHex(sha256(data)), `${length} bytes`).toBe(createHash('sha256').update(data).digest('hex'));
  }
});

test('hashes a million bytes, and a part of a larger buffer', () => {
  const data = new Uint8Array(1_000_000).fill(0x61);
  expect(toHex(sha256(data))).toBe('cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0');
  expect(toHex(sha256(data.subarray(7, 10)))).toBe(createHash('sha256').update('aaa').digest('hex'));
});
