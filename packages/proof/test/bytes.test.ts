import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromBase64, toBase64 } from '../src/index.js';

test('base64 is as node writes it, and comes back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = toBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64'));
      expect(fromBase64(text)).toEqual(bytes);
    }),
  );
});

test('a text is read only if it is the one that its bytes are written as', () => {
  const digits = fc.string({
    unit: fc.constantFrom('A', 'B', 'f', '/', '+', '9', '=', '-', '_', ' ', '\n', 'é', '\u0141'),
  });
  fc.assert(
    fc.property(digits, (text) => {
      const bytes = Buffer.from(text, 'base64');
      const isCanonical = bytes.toString('base64') === text;
      expect(fromBase64(text)).toEqual(isCanonical ? new Uint8Array(bytes) : null);
    }),
    { numRuns: 3000 },
  );
});
