import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { declaredParties } from '#domain/declaredSubject.js';
import { isAnotherParty, namesOf, namesSomebody, partyKeyOf, sitesOf } from '#domain/sameParty.js';

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, offset) => first + offset);

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

  test.each([
    ['Acme Ops!'],
    ['- Acme Ops -'],
    ['(Acme Ops)'],
    ['¡Acme Ops?!'],
    ['* Acme Ops, '],
    ['Acme Ops…'],
    ['_acmeops'],
    ['@acmeops'],
    ['acmeops_'],
    ['|Acme Ops|'],
    ['★ Acme Ops ★'],
    ['Acme Ops \u{1F44D}\u{1F3FD}'],
    ['Acme Ops ®'],
    ['、Acme Ops。'],
    ['༼Acme Ops༽'],
    ['Acme Ops।'],
    ['⸺Acme Ops⸻'],
    ['(mailto:acmeops)'],
    ['@ACME OPS@', '#acmeops'],
    ['(https://acme.example/)', 'acme.example'],
    ['[acme.example/team].', 'acme.example/team'],
    ['«did:key:z6Mk»;', 'did:key:z6Mk'],
  ])('punctuation at the ends makes no other party of %j', (reference, name = 'Acme Ops') => {
    expect(isAnotherParty(reference, namesOf([name]))).toBe(false);
    expect(isAnotherParty(name, namesOf([reference]))).toBe(false);
  });

  test.each([
    ['Acme-Ops', 'Acme Ops'],
    ['Acme, Ops', 'Acme Ops'],
    ['!!!', '???'],
    ['!!!', 'acme ops'],
    ['\u2014', 'acme ops'],
    ['\u{1F642}', '\u{1F643}'],
    ['"!!!"', '"???"'],
  ])(
    'punctuation within a name is part of it, and a name of punctuation is a name: %j is not %j',
    (one, other) => {
      expect(isAnotherParty(one, namesOf([other]))).toBe(true);
      expect(isAnotherParty(other, namesOf([one]))).toBe(true);
      expect(isAnotherParty(one, namesOf([one]))).toBe(false);
      expect(namesSomebody(one)).toBe(true);
    },
  );

  test('what is drawn as nothing makes no other party, wherever it is', () => {
    const blanks = [
      ...range(0x00, 0x1f),
      ...range(0x7f, 0x9f),
      0x00a0, // no-break space
      0x00ad, // soft hyphen
      0x034f, // combining grapheme joiner
      0x061c, // Arabic letter mark
      0x0f0b, // Tibetan tsheg
      0x0f0c, // the same, without a break
      0x115f, // Hangul fillers
      0x1160,
      0x1680, // Ogham space
      0x17b4, // Khmer inherent vowels
      0x17b5,
      ...range(0x180b, 0x180f), // Mongolian selectors
      ...range(0x2000, 0x200f), // spaces, joiners, directions
      ...range(0x2028, 0x202f),
      ...range(0x205f, 0x206f),
      0x2800, // blank Braille pattern
      0x2d7f, // Tifinagh joiner
      0x3000, // ideographic space
      0x3164, // Hangul fillers
      ...range(0xfe00, 0xfe0f), // variation selectors
      0xfeff, // byte order mark
      0xffa0,
      ...range(0xfff0, 0xfffc), // annotations, object replacement
      0x13430, // format characters and blanks of hieroglyphs
      0x13441,
      0x13442,
      0x16fe4, // Khitan filler
      ...range(0x1bca0, 0x1bca3), // shorthand format
      0x1d159, // musical null notehead
      ...range(0x1d173, 0x1d17a), // musical beams and slurs
      0xe0001, // language tag
      ...range(0xe0020, 0xe007f), // tags
      0xe0100, // variation selectors supplement
      0xe01ef,
    ].map((codePoint) => String.fromCodePoint(codePoint));
    const isSeen = (blank: string) =>
      namesSomebody(blank) ||
      [`${blank}Acme Ops`, `Acme${blank}Ops`, `Acme Ops${blank}`, `Acme Ops.${blank}!`].some(
        (reference) =>
          isAnotherParty(reference, namesOf(['Acme Ops'])) ||
          isAnotherParty('Acme Ops', namesOf([reference])),
      );
    expect(blanks.filter(isSeen).map((blank) => blank.codePointAt(0)?.toString(16))).toEqual([]);
  });

  test('signs that are not at the end are read in linear time', () => {
    const costOf = (length: number) => {
      const text = `x${'!'.repeat(length)}x`;
      const before = process.cpuUsage();
      for (let run = 0; run < 4_000_000 / length; run += 1) partyKeyOf(text);
      return process.cpuUsage(before).user;
    };
    costOf(1000); // compiles
    expect(costOf(40_000)).toBeLessThan(8 * costOf(1000));
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
