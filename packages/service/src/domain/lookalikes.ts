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
export function latinOf(text: string): string {
  return text.replace(CYRILLIC_OR_GREEK, (letter) => ALIKE.get(letter) ?? letter);
}

/** What the eye makes of small letters. @param text as written, decomposed. */
export function asRead(text: string): string {
  return text.replace(CYRILLIC_OR_GREEK, (letter) => SMALL_ALIKE.get(letter) ?? letter);
}
