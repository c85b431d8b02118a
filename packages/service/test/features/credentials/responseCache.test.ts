import { describe, expect, test } from 'vitest';
import { createResponseCache } from '../../../src/features/credentials/verify/responseCache.js';

const MUCH = 1_000_000;

describe('kept texts', () => {
  test('are there in the version they were kept in alone', () => {
    const kept = createResponseCache(MUCH);
    expect(kept.find('key', '1')).toBeUndefined();
    kept.set('key', '1', { text: 'one', etag: 'a' });
    expect(kept.find('key', '1')).toEqual({ text: 'one', etag: 'a' });
    kept.set('key', '2', { text: 'two', etag: 'b' });
    expect(kept.find('key', '1')).toBeUndefined();
    expect(kept.find('key', '2')).toEqual({ text: 'two', etag: 'b' });
  });

  test('never take more than they may', () => {
    const maxBytes = 100_000;
    const kept = createResponseCache(maxBytes);
    const texts = Array.from({ length: 1000 }, (_, index) => `${index} `.repeat(100));
    texts.forEach((text, index) => {
      kept.set(String(index), '1', { text, etag: '' });
    });
    const found = texts.filter((_, index) => kept.find(String(index), '1'));
    expect(found.length).toBeGreaterThan(0);
    expect(found.join('').length).toBeLessThan(maxBytes);
  });

  test('the same one kept over and over takes its place once', () => {
    const kept = createResponseCache(10_000);
    kept.set('other', '1', { text: 'other', etag: '' });
    for (let version = 0; version < 1000; version += 1) {
      kept.set('key', String(version), { text: 'the same', etag: '' });
    }
    expect(kept.find('other', '1')).toBeDefined();
  });
});
