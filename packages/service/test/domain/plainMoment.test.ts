import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainMomentMs } from '#domain/timestamp.js';

/** The slow way: accepts a text that a Date prints back unchanged. */
function reference(text: string): number | null {
  const ms = new Date(text).getTime();
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text && !text.startsWith('0000') ? ms : null;
}

const two = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));

test('a timestamp parses as a Date does, and only in the format of toISOString', () => {
  const date = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
  const written = date.map((value) => value.toISOString());
  const nearly = fc
    .tuple(
      fc.constantFrom('1900', '2000', '2023', '2024', '0100', '0099', '0000'),
      two(13),
      two(32),
      two(24),
      two(60),
      two(60),
    )
    .map(
      ([year, month, day, hour, minute, second]) =>
        `${year}-${month}-${day}T${hour}:${minute}:${second}.120Z`,
    );
  const spoilt = fc
    .tuple(written, fc.nat({ max: 23 }), fc.constantFrom('x', ' ', '+', '-', '٣', '/', ':', '0', '9'))
    .map(([text, at, letter]) => text.slice(0, at) + letter + text.slice(at + 1));
  fc.assert(
    fc.property(fc.oneof(written, nearly, spoilt, fc.string()), (text) => {
      expect(plainMomentMs(text)).toBe(reference(text));
    }),
    { numRuns: 5000 },
  );
});
