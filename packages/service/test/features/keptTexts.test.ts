import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeptTexts } from '../../src/features/verify/keptTexts.js';
import { withJwtPacked, withJwtUnpacked } from '../../src/features/verify/packedJwt.js';

const MUCH = 1_000_000;
const piece = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));

describe('kept texts', () => {
  test('come back to the letter, whatever their words are', () => {
    fc.assert(
      fc.property(fc.array(piece), fc.array(piece), piece, (words, others, etag) => {
        const kept = createKeptTexts(MUCH);
        const text = [...words, ...others, ...words].join('');
        kept.keep('key', '1', { text, etag }, words);
        expect(kept.find('key', '1')).toEqual({ text, etag });
      }),
    );
  });

  test('are told apart where they are alike but for their words', () => {
    const kept = createKeptTexts(MUCH);
    const named = (name: string) => ({ text: `Hello ${name}, is it ${name}?`, etag: `"${name}"` });
    for (const name of ['Ada', 'Grace', 'is', '']) kept.keep(name, '1', named(name), [name]);
    for (const name of ['Ada', 'Grace', 'is', '']) expect(kept.find(name, '1')).toEqual(named(name));
  });

  test('are there in the version they were kept in alone', () => {
    const kept = createKeptTexts(MUCH);
    expect(kept.find('key', '1')).toBeUndefined();
    kept.keep('key', '1', { text: 'one', etag: 'a' }, ['one']);
    kept.keep('key', '2', { text: 'two', etag: 'b' }, ['two']);
    expect(kept.find('key', '1')).toBeUndefined();
    expect(kept.find('key', '2')).toEqual({ text: 'two', etag: 'b' });
  });

  test('never take more than they may, also when no two are alike', () => {
    const maxBytes = 100_000;
    for (const wordsOf of [(text: string) => [text], () => []]) {
      const kept = createKeptTexts(maxBytes);
      const texts = Array.from({ length: 1000 }, (_, index) => `${index} `.repeat(100));
      texts.forEach((text, index) => {
        kept.keep(String(index), '1', { text, etag: '' }, wordsOf(text));
      });
      const found = texts.filter((_, index) => kept.find(String(index), '1'));
      expect(found.join('').length).toBeLessThan(maxBytes);
    }
  });

  test('the same one kept over and over takes its place once', () => {
    const kept = createKeptTexts(10_000);
    kept.keep('other', '1', { text: 'other', etag: '' }, []);
    for (let version = 0; version < 1000; version += 1) {
      kept.keep('key', String(version), { text: 'the same', etag: '' }, []);
    }
    expect(kept.find('other', '1')).toBeDefined();
  });
});

test('a text with a JWT in it is packed and unpacked to the letter', () => {
  fc.assert(
    fc.property(fc.json(), piece, piece, (json, before, after) => {
      const jwt = `e30.${Buffer.from(json).toString('base64url')}.c2ln`;
      const text = `${before}|${jwt}|${after}`;
      const packed = withJwtPacked(text, jwt);
      expect(packed).toContain(json);
      expect(withJwtUnpacked(packed)).toBe(text);
    }),
  );
});
