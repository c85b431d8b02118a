import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { declaredParties } from '../../src/domain/declaredSubject.js';
import { isAnotherParty, namesOf, namesSomebody, partyKeyOf, sitesOf } from '../../src/domain/sameParty.js';

describe('whether two references name the same party', () => {
  test('a name of ligatures is folded to a bounded length, and its spellings stay equal', () => {
    const name = '\ufdfa'.repeat(255);
    expect(partyKeyOf(name).length).toBeLessThanOrEqual(1024);
    expect(partyKeyOf(`\u200b${name.slice(1)}\u200b`)).toBe(partyKeyOf(name));
    // Four for each of 255 characters: more than any written language decomposes into.
    const long = '\u1f82'.repeat(254);
    expect(partyKeyOf(`${long}a`)).not.toBe(partyKeyOf(`${long}b`));
  });

  test.each([
    ['Worker-1', 'worker-1', true],
    ['Ｗｏｒｋｅｒ １', 'WORKER1', true],
    ['ﬁne', 'FINE', true],
    ['straße', 'STRASSE', true],
    ['Ὀδυσσεύς', 'ὈΔΥΣΣΕΎΣ', true],
    ['e\u0301', 'É', true],
    ['a\u200b\u2060b', 'ab', true],
    ['worker-1', 'worker-2', false],
    ['worker-1', 'worker1', false],
    ['İ', 'i', true],
    ['José', 'Jose', false],
    ['कि', 'कु', false],
    ['Иван', 'Петр', false],
    ['Ηλιος', 'Νλιος', false],
  ])('%j and %j: %s', (one, other, same) => {
    expect(isAnotherParty(one, namesOf([other]))).toBe(!same);
    expect(isAnotherParty(other, namesOf([one]))).toBe(!same);
    expect(partyKeyOf(one) === partyKeyOf(other)).toBe(same);
  });

  test.each([
    ['mailto:Acme Ops.'],
    ['«Acme Ops»'],
    ['„Acme Ops“'],
    ['『Acme Ops』。'],
    [' "mailto:acme  ops".. '],
    ['<ACME OPS>'],
    ['Αcme Οps'],
    ['Аcme Oрs'],
    ['ＡＣＭＥ　ＯＰＳ'],
    ['Ac\u00adme Ops'],
    ['Acme\u200dOps\ufe0f'],
    ['A\u0336c\u0336me Ops'],
    ['𝐀𝐜𝐦𝐞 𝐎𝐩𝐬'],
    ['Ϲοmраnу', 'Company'],
    ['Harboυr', 'Harbour'],
    ['Νoνa', 'Nova'],
    ['ΗΛΙΟΣ Ltd', 'ηλιος ltd'],
    ['sеrviсe', 'Service'],
  ])('%j counts as the same party', (reference, name = 'Acme Ops') => {
    expect(isAnotherParty(reference, namesOf([name]))).toBe(false);
  });

  test.each([
    ['https://acme.example/'],
    ['acme.example'],
    ['www.acme.example'],
    ['HTTP://WWW.Acme.Example/imprint?x=1#top'],
    ['//acme.example'],
    ['https://acme.example:443/'],
    ['https://acme.example.'],
    ['https://ops@acme.example/'],
    ['acme.example/team/seven'],
    ['did:web:acme.example#key-1'],
    ['did:web:acme.example:team'],
    ['did:key:z6Mk#z6Mk'],
    ['DID:KEY:z6mk'],
  ])('%j is the party with that homepage and DID', (reference) => {
    expect(isAnotherParty(reference, sitesOf(['https://acme.example', 'did:key:z6Mk']))).toBe(false);
  });

  test.each([
    ['https://acme.example.org'],
    ['https://other.example/acme.example'],
    ['acme'],
    ['did:key:z6Mm'],
    ['github.com/other'],
  ])('%j is another party', (reference) => {
    const names = sitesOf(['https://acme.example', 'https://github.com/acme', 'did:key:z6Mk']);
    expect(isAnotherParty(reference, names)).toBe(true);
  });

  test('white space, quotes and dots name no party', () => {
    for (const reference of ['', ' \t', '\u200b', '""', '«.»', 'mailto:', '...']) {
      expect([namesSomebody(reference), isAnotherParty(reference, namesOf(['ann']))]).toEqual([false, false]);
    }
    expect(isAnotherParty(null, namesOf(['ann']))).toBe(false);
  });

  test('a homepage matches its host in both spellings', () => {
    const facts = {
      legalName: 'Shop Ltd',
      tradingName: null,
      homepage: 'https://Bücher.example/about',
      did: null,
    };
    const { self } = declaredParties({ subjectType: 'ORGANIZATION', facts }, false);
    for (const name of [
      'bücher.example',
      'xn--bcher-kva.example',
      'https://bücher.example/about/us',
      'SHOP ltd.',
    ]) {
      expect(isAnotherParty(name, self)).toBe(false);
    }
  });

  test('folds 2048 characters of a text at most', () => {
    const folded = partyKeyOf('ﷺ'.repeat(2048));
    expect(partyKeyOf('ﷺ'.repeat(100_000))).toBe(folded);
    expect(namesSomebody(`${'.'.repeat(100_000)}x`)).toBe(false);
    expect(isAnotherParty('a'.repeat(100_000), namesOf(['a'.repeat(99_999)]))).toBe(false);
  });

  test('any text matches itself in any case, in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 255 }), (text) => {
        for (const spelling of [text, text.toUpperCase(), ` ${text} `, text.normalize('NFD')]) {
          expect(isAnotherParty(spelling, namesOf([text]))).toBe(false);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
