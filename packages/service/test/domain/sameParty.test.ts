import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { declaredParties } from '#domain/declaredSubject.js';
import { isAnotherParty, namesOf, namesSomebody, partyKeyOf, sitesOf } from '#domain/sameParty.js';
import { words } from '#harness/words.js';

const isSameParty = (one: string, other: string) =>
  !isAnotherParty(one, namesOf([other])) && !isAnotherParty(other, namesOf([one]));

/**
 * White space, and what is drawn as nothing: also Tibetan tshegs, the blank Braille pattern, the Tifinagh
 * joiner, object replacement, blanks of hieroglyphs, the Khitan filler and the musical null notehead.
 */
const UNSEEN =
  /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u0f0b\u0f0c\u2800\u2d7f\ufffc\u{13441}\u{13442}\u{16fe4}\u{1d159}]/u;
const unseen = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint)).filter(
  (character) => UNSEEN.test(character),
);

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
    expect(isSameParty(one, other)).toBe(same);
    expect(partyKeyOf(one) === partyKeyOf(other)).toBe(same);
  });

  test.each([
    ['Ϲοmраnу', 'Company'],
    ['Harboυr', 'Harbour'],
    ['Νoνa', 'Nova'],
    ['ΗΛΙΟΣ Ltd', 'ηλιος ltd'],
    ['sеrviсe', 'Service'],
    ['(https://acme.example/)', 'acme.example'],
    ['[acme.example/team].', 'acme.example/team'],
    ['«did:key:z6Mk»;', 'did:key:z6Mk'],
  ])('%j counts as the same party as %s', (reference, name) => {
    expect(isAnotherParty(reference, namesOf([name]))).toBe(false);
  });

  test('lookalikes, crossed letters, blanks, and signs at the ends make no other party, in any mixture', () => {
    const alike = words`AaАаΑαＡ𝐀 cCсСϲϹｃ𝐜 mMмМΜ𝐦 eEеЕΕ𝐞 OoОоΟοＯ𝐎 pPрРΡρ𝐩 sSѕЅſ𝐬`;
    const blank = fc.oneof(fc.constant(''), fc.constantFrom(...unseen));
    const letters = alike.map((forms) =>
      fc.tuple(fc.constantFrom(...forms), fc.constantFrom('', '\u0336'), blank),
    );
    const signs = [...'!-()¡?*,…_@|★®、。༼༽।⸺⸻#[]{};:«»„“『』"\'<>.', '\u{1F44D}\u{1F3FD}', 'mailto:'];
    const ends = fc.array(fc.oneof(fc.constantFrom(...signs), blank), { maxLength: 4 });
    const trailing = ends.map((parts) => parts.filter((part) => part !== 'mailto:'));
    const spelling = fc.tuple(ends, fc.tuple(...letters), trailing).map((parts) => parts.flat(2).join(''));
    fc.assert(
      fc.property(spelling, (text) => {
        expect([text, isSameParty(text, 'Acme Ops')]).toEqual([text, true]);
      }),
      { numRuns: 2000 },
    );
  });

  test.each(
    words`https://acme.example/ acme.example www.acme.example HTTP://WWW.Acme.Example/imprint?x=1#top
      //acme.example https://acme.example:443/ https://acme.example. https://ops@acme.example/ did:key:z6Mk#z6Mk
      acme.example/team/seven did:web:acme.example#key-1 did:web:acme.example:team DID:KEY:z6mk`,
  )('%j is the party with that homepage and DID', (reference) => {
    expect(isAnotherParty(reference, sitesOf(['https://acme.example', 'did:key:z6Mk']))).toBe(false);
  });

  test.each(
    words`https://acme.example.org https://other.example/acme.example acme did:key:z6Mm github.com/other`,
  )('%j is another party', (reference) => {
    const names = sitesOf(['https://acme.example', 'https://github.com/acme', 'did:key:z6Mk']);
    expect(isAnotherParty(reference, names)).toBe(true);
  });

  test.each([
    ['Acme-Ops', 'Acme Ops'],
    ['Acme, Ops', 'Acme Ops'],
    ['!!!', '???'],
    ['!!!', 'acme ops'],
    ['\u2014', 'acme ops'],
    ['\u{1F642}', '\u{1F643}'],
    ['"!!!"', '"???"'],
  ])('punctuation within a name is part of it, and a name of it is a name: %j is not %j', (one, other) => {
    expect(isAnotherParty(one, namesOf([other]))).toBe(true);
    expect(isAnotherParty(other, namesOf([one]))).toBe(true);
    expect(isAnotherParty(one, namesOf([one]))).toBe(false);
    expect(namesSomebody(one)).toBe(true);
  });

  test('what is drawn as nothing makes no other party, wherever it is', () => {
    const isSeen = (blank: string) =>
      namesSomebody(blank) || !isSameParty(`${blank}Acme${blank}Ops${blank}.${blank}!`, 'Acme Ops');
    expect(unseen.length).toBeGreaterThan(4000);
    expect(unseen.filter(isSeen).map((blank) => blank.codePointAt(0)?.toString(16))).toEqual([]);
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

  test.each(['', ' \t', '\u200b', '""', '«.»', 'mailto:', '...', null])('%j names no party', (reference) => {
    expect([namesSomebody(reference), isAnotherParty(reference, namesOf(['ann']))]).toEqual([false, false]);
  });

  test.each(['bücher.example', 'xn--bcher-kva.example', 'https://bücher.example/about/us', 'SHOP ltd.'])(
    'a business is known by its name and by the host of its homepage, in both spellings: %s',
    (reference) => {
      const homepage = 'https://Bücher.example/about';
      const facts = { legalName: 'Shop Ltd', tradingName: null, homepage, did: null };
      const { self } = declaredParties({ subjectType: 'ORGANIZATION', facts }, false);
      expect(isAnotherParty(reference, self)).toBe(false);
    },
  );

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
