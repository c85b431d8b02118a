import { describe, expect, test } from 'vitest';
import { externalId, isReservedExternalId } from '#domain/externalId.js';

describe('an external id', () => {
  test.each(['a', '...', '.hidden', 'a/b?c=d#e', ' spaced ', 'ÄÖ 漢字 🙂', 'x'.repeat(255), 'test:one'])(
    'can be %j',
    (id) => {
      expect(externalId.safeParse(id)).toEqual({ success: true, data: id });
    },
  );

  test.each(['', 'x'.repeat(256), '.', '..', 'a\0b', 'a\nb', 'tab\t', '\u007f', '\u0085', '\ud800', 7, null])(
    'cannot be %j',
    (id) => {
      expect(externalId.safeParse(id).success).toBe(false);
    },
  );

  test('is reserved for test subjects exactly when it starts with test:', () => {
    expect(['test:', 'test:a', 'Test:a', 'a test:', 'testing'].map(isReservedExternalId)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
