import { asRead, latinOf } from './lookalikes.js';

/** Keys of all spellings of some names of one party. */
export type Names = ReadonlySet<string>;

/**
 * Whether a reference names somebody other than all of these: the one question behind every event, confirmation and reference that
 * counts as verified. A reference that could be read as one of the names is none of another party.
 */
export function isAnotherParty(reference: string | null, ...names: readonly Names[]): boolean {
  if (reference === null) return false;
  const readings = readingsOf(reference);
  return readings[0] !== '' && !readings.some((reading) => names.some((known) => known.has(reading)));
}

/** False for a reference of white space, quotes or dots alone. */
export function namesSomebody(reference: string | null): boolean {
  return reference !== null && partyKeyOf(reference) !== '';
}

/** The names of a party, under every spelling. What names nobody is left out. */
export function namesOf(texts: readonly (string | null)[]): Names {
  const names = new Set<string>();
  for (const text of texts) {
    if (text === null) continue;
    for (const key of spellingsOf(text)) if (key !== '') names.add(key);
  }
  return names;
}

/** The same of web addresses and DIDs: everything below them belongs to the party, too. */
export function sitesOf(addresses: readonly (string | null)[]): Names {
  return new Set([...namesOf(addresses)].flatMap((key) => [key, `${key}/`]));
}

/**
 * What all spellings of one party have in common; empty where a reference names nobody. Compatibility forms, case, white space,
 * characters that nobody sees, lookalike letters, quotes around a name, dots behind it, `mailto:` and the ways of writing a web
 * address do not tell parties apart. Accents do: a mark is dropped only where it makes no letter with the one before it.
 */
export function partyKeyOf(reference: string): string {
  const text = ASCII.test(reference) ? reference.toLowerCase() : foldedOf(reference);
  return ORDINARY.test(text) ? text : bareOf(text.replace(/\s+/g, '').replace(TRAILING, ''));
}

/** Nearly all of a file: nothing to fold but the case. */
const ASCII = /^[\t -~]*$/;
/** Nothing in it that could be left out. */
const ORDINARY = /^[a-z0-9_@+-]*$/;

function foldedOf(reference: string): string {
  // JavaScript has no case folding; upper case first makes one of what folding does (ß and SS, ς and σ).
  const folded = compatible(reference).toUpperCase().toLowerCase().normalize('NFKD');
  return latinOf(folded.replace(UNSEEN, '')).replace(/ς/g, 'σ').normalize('NFC').replace(LEFT_OVER_MARKS, '');
}

/** The lunate sigma looks like a C; normalized, it would be an ordinary sigma. */
function compatible(text: string): string {
  return text.replace(/[ϲϹ]/g, 'c').normalize('NFKD');
}

const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}]/gu;
/** Marks of no script of their own: those of a script, as vowels in Hindi, are letters. */
const LEFT_OVER_MARKS = /(?=\p{M})\p{Script=Inherited}/gu;

function bareOf(text: string): string {
  const start = LEADING.exec(text)?.[0] ?? '';
  const named = text.slice(start.length);
  return IS_ADDRESS.test(start) ? siteOf(named) : didOf(named);
}

const QUOTES = '\\p{Pi}\\p{Pf}"\'`´<>‚„‟＂＇「」『』〝〞〟′″‵❛❜❝❞❮❯';
const LEADING = new RegExp(`^(?:[${QUOTES}]|mailto:|https?:/*|//|www\\.)+`, 'u');
const TRAILING = new RegExp(`[${QUOTES}.。/]+$`, 'u');
const IS_ADDRESS = /https?:|\/\/|www\./;

/** Host and path: neither what a browser keeps to itself nor a port or user that says nothing. */
function siteOf(address: string): string {
  const [site = ''] = address.split(/[?#]/, 1);
  const named = site.replace(/^[^/@]*@/, '').replace(/^([^/]*?)\.?(?::(?:80|443))?(?=\/|$)/, '$1');
  return named.replace(TRAILING, '');
}

/** A DID without the place within it; where it is a web site's, that site. */
function didOf(text: string): string {
  if (!text.startsWith('did:')) return text;
  const [did = ''] = text.split(/[?#/]/, 1);
  const site = /^did:web:([^:]+\.[^:]+)((?::[^:]*)*)$/.exec(did);
  return site ? `${site[1]}${site[2]}`.replaceAll(':', '/').replace('%3a', ':') : did;
}

function spellingsOf(text: string): string[] {
  const key = partyKeyOf(text);
  if (ASCII.test(text)) return [key];
  const read = partyKeyOf(asRead(compatible(text)));
  return read === key ? [key] : [key, read];
}

/** All that a reference may mean, the key first; of an address also everything that it lies below. */
function readingsOf(reference: string): string[] {
  return spellingsOf(reference).flatMap((key) => [key, ...placesAbove(key)]);
}

function placesAbove(key: string): string[] {
  return [...key.matchAll(/\//g)].map(({ index }) => key.slice(0, index + 1));
}
