import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { EMPTY_CHAIN, nextChain, toHex } from '../src/index.js';

test('a chain is the SHA-256 of the chain before and the data of the next leaf, from 32 zero bytes on', () => {
  let chain: Uint8Array = EMPTY_CHAIN;
  let expected: Uint8Array = Buffer.alloc(32);
  for (let position = 1; position <= 5; position += 1) {
    const data = createHash('sha256').update(`leaf ${position}`).digest();
    chain = nextChain(chain, data);
    expected = createHash('sha256').update(expected).update(data).digest();
    expect(toHex(chain)).toBe(toHex(expected));
  }
});
