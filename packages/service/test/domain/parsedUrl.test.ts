import { expect, test } from 'vitest';
import { parsedUrl } from '../../src/domain/parsedUrl.js';

test('a URL is read the same however often URLs have been read before', () => {
  const text = 'https://münchen.example/größe';
  const hosts = new Set(Array.from({ length: 50_000 }, () => parsedUrl(text)?.host));
  expect(hosts).toEqual(new Set(['xn--mnchen-3ya.example']));
});

test('what is no URL is null', () => {
  expect(['', 'example.com', 'https://', 'https://a b.example/'].map(parsedUrl)).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
