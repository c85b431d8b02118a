/** A subject as its platform knows it. */
export interface Searchable {
  platformId: string;
  livemode: boolean;
  externalId: string;
  displayName: string | null;
}

type Names = Pick<Searchable, 'externalId' | 'displayName'>;

/**
 * Case does not count, nor how an accented letter is encoded. By capitals, because they are alike
 * where small letters are not: the Greek sigma has two, and the Turkish i has one with and one without
 * a dot. Bound the text first.
 */
export function folded(text: string): string {
  return text.normalize('NFC').toUpperCase().replaceAll('İ', 'I');
}

/** Id and name. Neither has control characters. Cut, because it is part of index entries. */
export function searchTextOf({ externalId, displayName }: Names): string {
  const texts = displayName === null ? [externalId] : [externalId, displayName];
  return texts.map(folded).join('\n').slice(0, MAX_SEARCH_TEXT);
}

/** As long as the longest id and name. A few letters become longer in capitals. */
const MAX_SEARCH_TEXT = 255 + 1 + 120;

/** What the index holds of a subject, as the text of a `tsvector` (0002_ledger.sql). */
export function gramsOf(subject: Searchable): string {
  const texts = [subject.externalId, subject.displayName ?? ''];
  const found = texts.flatMap((text) => gramsIn([...folded(text)]));
  return quoted(new Set(found), subject).join(' ');
}

/** What a search asks the index for, as the text of a `tsquery`. Other subjects may match as well. */
export function gramQuery(search: string, owner: Owner): string {
  const characters = [...folded(search)];
  if (characters.length < GRAM) return `${quoted([characters.join('')], owner)}:*`;
  const whole = gramsIn(characters).slice(0, 1 - GRAM);
  return quoted([...new Set(whole)].slice(0, MAX_ASKED), owner).join(' & ');
}

const GRAM = 3;
/** Enough that hardly anything else matches. */
const MAX_ASKED = 16;

/** From each character on, shorter at the end. */
function gramsIn(characters: readonly string[]): string[] {
  return characters.map((_, at) => characters.slice(at, at + GRAM).join(''));
}

type Owner = Pick<Searchable, 'platformId' | 'livemode'>;

/** Behind a mark, so that a search reads entries of its platform and mode, and hardly any others. */
function quoted(grams: Iterable<string>, { platformId, livemode }: Owner): string[] {
  const mark = `${platformId.slice(-3)}${livemode ? 'L' : 'T'}`;
  return Array.from(grams, (gram) => `'${mark}${gram.replace(/['\\]/g, '$&$&')}'`);
}
