/** Keys of all spellings of some names of one party. */
export type Names = ReadonlySet<string>;

/**
 * True if a reference names a party other than all of these: the condition for every verified
 * event, confirmation and reference. A reference that could be read as one of the names does not.
 */
export function isAnotherParty(reference: string | null, ...names: readonly Names[]): boolean {
  if (reference === null) return false;
  const readings = readingsOf(reference);
  return readings[0] !== '' && !readings.some((reading) => names.some((known) => known.has(reading)));
}

/** False for a reference of white space, invisible characters, quotes or dots alone. */
export function namesSomebody(reference: string | null): boolean {
  return reference !== null && partyKeyOf(reference) !== '';
}

export function namesOf(texts: readonly (string | null)[]): Names {
  const names = new Set<string>();
  for (const text of texts) {
    if (text === null) continue;
    for (const key of spellingsOf(text)) if (key !== '') names.add(key);
  }
  return names;
}

/** Names from web addresses and DIDs. Everything below them belongs to the party too. */
export function sitesOf(addresses: readonly (string | null)[]): Names {
  return new Set([...namesOf(addresses)].flatMap((key) => [key, `${key}/`]));
}

/**
 * The key that all spellings of a party share; empty if a reference names nobody. Ignores
 * compatibility forms, case, white space, invisible characters, lookalike letters, punctuation and
 * symbols at both ends, `mailto:` and variants of web addresses. Accents are significant: a mark is
 * dropped only if it does not combine with the letter before it.
 */
export function partyKeyOf(whole: string): string {
  const reference = whole.slice(0, MAX_LENGTH);
  const text = ASCII.test(reference) ? reference.toLowerCase() : foldedOf(reference);
  if (ORDINARY.test(text)) return text;
  const written = text.replace(/\s+/g, '');
  // A name may be punctuation alone ("!!!"). Without it, it would be the name of nobody.
  if (SIGNS_ALONE.test(written)) return written.replace(QUOTES_AND_DOTS, '');
  return bareOf(written);
}

/** Nothing longer is stored, and one character folds to up to 18. */
const MAX_LENGTH = 2048;

/** Fast path for most texts: only case to fold. */
const ASCII = /^[\t -~]*$/;
/** Contains no character that is ignored. */
const ORDINARY = /^(?![_@+-])[a-z0-9_@+-]*(?<![_@+-])$/;
const SIGNS_ALONE = /^[\p{P}\p{S}]+$/u;
const QUOTES_AND_DOTS =
  /[\p{Pi}\p{Pf}"'`<>\u201A\u201E\u2032\u2035\u275B-\u275E\u276E\u276F\u300C-\u300F\u301D-\u301F./\u3002]/gu;

function foldedOf(reference: string): string {
  // JavaScript has no case folding; upper case first makes one of what folding does (ß and SS, ς
  // and σ).
  const folded = compatible(reference).toUpperCase().toLowerCase().normalize('NFKD');
  return latinOf(folded.replace(UNSEEN, ''))
    .replaceAll('ς', 'σ')
    .normalize('NFC')
    .replace(LEFT_OVER_MARKS, '');
}

/** Four for each character of the longest reference: more than any written language decomposes into. */
const MAX_FOLDED = 1024;

/**
 * The lunate sigma looks like a C; normalized, it would be an ordinary sigma. Compared are the first
 * 1024 characters: one ligature can become eighteen, and folding a name of such took 0.3 ms.
 */
function compatible(text: string): string {
  const whole = text.replaceAll('ϲ', 'c').replaceAll('Ϲ', 'c').normalize('NFKD');
  return whole.length <= MAX_FOLDED ? whole : text.replace(UNSEEN, '').normalize('NFKD').slice(0, MAX_FOLDED);
}

/**
 * White space, and what is drawn as nothing although Unicode does not call it ignorable: format
 * characters of annotations and hieroglyphs, the blank Braille pattern, fillers, joiners and null
 * signs of some scripts. The Tibetan tsheg separates syllables, as a space does.
 */
const UNSEEN =
  /[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u0F0B\u0F0C\u2800\u2D7F\uFFFC\u{13441}\u{13442}\u{16FE4}\u{1D159}]/gu;
/** Marks of no script of their own: those of a script, as vowels in Hindi, are letters. */
const LEFT_OVER_MARKS = /(?=\p{M})\p{Script=Inherited}/gu;

function bareOf(text: string): string {
  const start = LEADING.exec(text)?.[0] ?? '';
  const named = withoutTrailingSigns(text.slice(start.length));
  return IS_ADDRESS.test(start) ? siteOf(named) : didOf(named);
}

const LEADING = /^(?:mailto:|https?:\/*|\/\/|www\.|[\p{P}\p{S}])+/u;
const IS_ADDRESS = /https?:|\/\/|www\./;

/** Host and path, without fragment, default port or user. */
function siteOf(address: string): string {
  const [site = ''] = address.split(/[?#]/, 1);
  const named = site.replace(/^[^/@]*@/, '').replace(/^([^/]*?)\.?(?::(?:80|443))?(?=\/|$)/, '$1');
  return withoutTrailingSigns(named);
}

/** Not a regular expression: `[…]+$` takes quadratic time for signs that are not at the end. */
function withoutTrailingSigns(text: string): string {
  let end = text.length;
  while (end > 0) {
    const last = text.codePointAt(end - 2) ?? 0;
    const start = last > 0xffff ? end - 2 : end - 1;
    if (!SIGNS_ALONE.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}

/** A DID without path and fragment; for did:web the site. */
function didOf(text: string): string {
  if (!text.startsWith('did:')) return text;
  const [did = ''] = text.split(/[?#/]/, 1);
  const site = /^did:web:([^:]+\.[^:]+)((?::[^:]*)*)$/.exec(did);
  return site ? `${site[1]}${site[2]}`.replaceAll(':', '/').replace('%3a', ':') : did;
}

function spellingsOf(whole: string): string[] {
  const text = whole.slice(0, MAX_LENGTH);
  const key = partyKeyOf(text);
  if (ASCII.test(text)) return [key];
  const read = partyKeyOf(asRead(compatible(text)));
  return read === key ? [key] : [key, read];
}

/** All readings of a reference, the key first; for an address also all addresses above it. */
function readingsOf(reference: string): string[] {
  return spellingsOf(reference).flatMap((key) => [
    key,
    ...Array.from(key.matchAll(/\//g), ({ index }) => key.slice(0, index + 1)),
  ]);
}

/** Pairs of a letter and the Latin one that it looks like. */
function pairs(text: string): readonly [string, string][] {
  return text.split(' ').map((pair) => [...pair] as [string, string]);
}

/**
 * Cyrillic and Greek letters that look like a Latin one, as a capital or in both cases, by their
 * lower case. Letters of one script share a Latin one only where they look alike themselves, so
 * that names within a script stay apart.
 */
const ALIKE: ReadonlyMap<string, string> = new Map([
  ...pairs('аa вb сc ԁd еe ԍg һh нh іi јj кk ӏl мm оo рp ԛq ѕs тt ѵv ԝw хx уy үy ӕæ әə'),
  ...pairs('αa βb εe ζz ηh ιi ϳj κk μm νn οo ρp τt υy χx'),
]);

/** Small letters whose capital looks like another letter, or like none. */
const SMALL_ALIKE: ReadonlyMap<string, string> = new Map([
  ...pairs('гr иu пn ьb з3 б6'),
  ...pairs('γy ηn μu νv σo υu ωw'),
]);

const CYRILLIC_OR_GREEK = /[\p{Script=Cyrillic}\p{Script=Greek}]/gu;

/** @param text in lower case and decomposed, so that accents are apart from their letters. */
function latinOf(text: string): string {
  return text.replace(CYRILLIC_OR_GREEK, (letter) => ALIKE.get(letter) ?? letter);
}

/** What the eye makes of small letters. @param text as written, decomposed. */
function asRead(text: string): string {
  return text.replace(CYRILLIC_OR_GREEK, (letter) => SMALL_ALIKE.get(letter) ?? letter);
}
