import { expect, test } from 'vitest';
import { parsedUrl } from '#domain/parsedUrl.js';

test('a URL parses the same with and without the cache', () => {
  const text = 'https://münchen.example/größe';
  const hosts = new Set(Array.from({ length: 50_000 }, () => parsedUrl(text)?.host));
  expect(hosts).toEqual(new Set(['xn--mnchen-3ya.example']));
});

test('an invalid URL is null', () => {
  expect(['', 'example.com', 'https://', 'https://a b.example/'].map(parsedUrl)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
