import type { DeclaredParties } from './declaredSubject.js';
import { fail } from './errors.js';
import { isAnotherParty, type Names, namesOf, namesSomebody } from './sameParty.js';

export type Evidence =
  /** Events of the dispute engine, which copy the disputed event. */
  | { readonly by: 'engine' }
  /** Only the reporter; no attester is named. */
  | { readonly by: 'reporter' }
  /** A party named by the reporter: ingest and imports. */
  | { readonly by: 'named'; readonly platform: Names }
  /** A counterparty who answered a confirmation request. */
  | { readonly by: 'counterparty'; readonly platform: Names };

/** The parties that cannot attest outcomes of a subject. */
export interface Insiders {
  readonly externalId: string;
  readonly platform: Names;
  readonly declared: DeclaredParties;
}

export function isAttester(
  reference: string | null,
  { externalId, platform, declared: { self, operator } }: Insiders,
): boolean {
  return isAnotherParty(reference, namesOf([externalId]), platform, self, operator);
}

/** The decision on an event that was reported as verified. */
export interface Judgement {
  readonly isVerified: boolean;
  /** The attester as reported; null if unverified or none was named. */
  readonly attester: string | null;
  /** Attested by the subject's own operator. */
  readonly isByOperator: boolean;
  readonly reduced: Reduction;
}

/**
 * Why an event reported as verified is recorded as unverified; null: it is recorded as verified.
 */
export type Reduction = 'own' | 'nobodyElse' | null;

/**
 * The single rule for verification. A platform can verify events of subjects that it does not run
 * itself, and so can a party that it names, unless that is an insider. An answered confirmation
 * verifies any subject's event; one by an insider throws CONFIRMATION_SELF.
 * @param claimed an event reported as verified, with the named attester.
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
