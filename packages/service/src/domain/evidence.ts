import type { DeclaredParties } from './declaredSubject.js';
import { fail } from './errors.js';
import { isAnotherParty, type Names, namesOf, namesSomebody } from './sameParty.js';

/** On whose word events are reported. */
export type Evidence =
  /** The dispute engine's: what it writes copies the event that it is about. */
  | { readonly by: 'engine' }
  /** The reporter's alone, which names nobody. */
  | { readonly by: 'reporter' }
  /** That of a party whom the reporter names: ingest and imports. */
  | { readonly by: 'named'; readonly platform: Names }
  /** That of a counterparty who has answered a request for confirmation. */
  | { readonly by: 'counterparty'; readonly platform: Names };

/** Who confirms nothing about a subject. */
export interface Insiders {
  readonly externalId: string;
  /** The names of the platform that reports it. */
  readonly platform: Names;
  readonly declared: DeclaredParties;
}

/** Whether a reference names a party that can confirm something about the subject: none of its insiders. */
export function isAttester(
  reference: string | null,
  { externalId, platform, declared: { self, operator } }: Insiders,
): boolean {
  return isAnotherParty(reference, namesOf([externalId]), platform, self, operator);
}

/** What an event said to be verified comes to. */
export interface Judgement {
  readonly isVerified: boolean;
  /** Who confirmed it, as written; null where it is not verified, or nobody was named. */
  readonly attester: string | null;
  /** It rests on the word of the one who runs its subject. */
  readonly isByOperator: boolean;
  readonly reduced: Reduction;
}

/** Why an event that was reported as verified is recorded as unverified; null: it is not. */
export type Reduction = 'own' | 'nobodyElse' | null;

/**
 * The one rule on what counts as verified. A platform's own word counts on subjects that it does not run itself, and so does that of
 * a party whom it names there, unless that is an insider. An answered confirmation counts everywhere; one by an insider throws
 * CONFIRMATION_SELF.
 * @param claimed an event said to be verified, with the party named.
 */
export function judge(
  { externalId, attester }: { readonly externalId: string; readonly attester: string | null },
  evidence: Exclude<Evidence, { by: 'engine' }>,
  declared: DeclaredParties,
): Judgement {
  if (evidence.by === 'reporter') return declared.isOwn ? REDUCED_AS_OWN : ON_WORD_ALONE;
  if (evidence.by === 'named' && declared.isOwn) return REDUCED_AS_OWN;
  if (isAttester(attester, { externalId, platform: evidence.platform, declared })) {
    return { isVerified: true, attester, isByOperator: false, reduced: null };
  }
  if (evidence.by === 'counterparty') fail('CONFIRMATION_SELF');
  const isByOperator = namesSomebody(attester) && !isAnotherParty(attester, declared.operator);
  return { isVerified: false, attester: null, isByOperator, reduced: 'nobodyElse' };
}

const ON_WORD_ALONE: Judgement = { isVerified: true, attester: null, isByOperator: false, reduced: null };
const REDUCED_AS_OWN: Judgement = { isVerified: false, attester: null, isByOperator: true, reduced: 'own' };
