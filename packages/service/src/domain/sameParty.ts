/**
 * Whether two references name the same party: compatibility forms, case and white space do not tell people apart (DECISIONS 6).
 * Neither do characters that nobody sees; without that, one of them would turn a subject into its own witness.
 */
export function isSameParty(one: string, other: string): boolean {
  return partyKeyOf(one) === partyKeyOf(other);
}

/** A reference to somebody other than the subject. */
export function isAnotherParty(reference: string | null, externalId: string): boolean {
  return namesSomebody(reference) && !isSameParty(reference ?? '', externalId);
}

/** False for a reference of white space alone. */
export function namesSomebody(reference: string | null): boolean {
  return reference !== null && partyKeyOf(reference) !== '';
}

/** What all spellings of one party have in common; empty where a reference names nobody. */
export function partyKeyOf(reference: string): string {
  if (PLAIN.test(reference)) return reference.toLowerCase();
  // JavaScript has no case folding; upper case first makes one of what folding does (ß and SS, ς and σ).
  const folded = reference.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  return folded.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '').replace(/ς/g, 'σ');
}

/** Nearly all of a file: nothing to normalize, nothing to leave out. */
const PLAIN = /^[!-~]*$/;
