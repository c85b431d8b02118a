import { describe, expect, test } from 'vitest';
import { createResponseCache } from '../../../src/features/sharing/verify/responseCache.js';

describe('the response cache', () => {
  test('never exceeds its size limit', () => {
    const maxBytes = 100_000;
    const cache = createResponseCache(maxBytes);
    const texts = Array.from({ length: 1000 }, (_, index) => `${index} `.repeat(100));
    texts.forEach((text, index) => {
      cache.set(String(index), '1', { text, etag: '' });
    });
    const found = texts.filter((_, index) => cache.find(String(index), '1'));
    expect(found.length).toBeGreaterThan(0);
    expect(found.join('').length).toBeLessThan(maxBytes);
  });

  test('counts a response that is stored again only once', () => {
    const cache = createResponseCache(10_000);
    cache.set('other', '1', { text: 'other', etag: '' });
    for (let version = 0; version < 1000; version += 1) {
      cache.set('key', String(version), { text: 'the same', etag: '' });
    }
    expect(cache.find('other', '1')).toBeDefined();
  });
});
