import { domainToUnicode } from 'node:url';
import { fail } from './errors.js';
import { parsedUrl } from './parsedUrl.js';
import { isAnotherParty, type Names, namesOf, namesSomebody, sitesOf } from './sameParty.js';

export interface Operator {
  readonly name: string | null;
  readonly homepage: string | null;
  readonly did: string | null;
}

/** Declared facts of an agent. They are unchecked. */
export interface AgentFacts {
  readonly name: string | null;
  readonly description: string | null;
  readonly operator: Operator;
}

export interface BusinessFacts {
  readonly legalName: string | null;
  readonly tradingName: string | null;
  readonly homepage: string | null;
  readonly did: string | null;
}

export type Declared =
  | { readonly subjectType: 'AGENT'; readonly facts: AgentFacts }
  | { readonly subjectType: 'ORGANIZATION'; readonly facts: BusinessFacts };

/** The parties that cannot attest outcomes of the subject. */
export interface DeclaredParties {
  /** The platform that reports the subject operates or controls it itself. */
  readonly isOwn: boolean;
  readonly self: Names;
  readonly operator: Names;
}

export const NOTHING_DECLARED: DeclaredParties = { isOwn: false, self: new Set(), operator: new Set() };

export function declaredParties(declared: Declared, isOwn: boolean): DeclaredParties {
  if (declared.subjectType === 'AGENT') {
    const { name, operator } = declared.facts;
    return { isOwn, self: namesOf([name]), operator: identityNames([operator.name], operator) };
  }
  const { legalName, tradingName } = declared.facts;
  const self = identityNames([legalName, tradingName], declared.facts);
  return { isOwn, self, operator: new Set() };
}

/** The host of a homepage is a name too, with and without `www.`. */
function identityNames(
  names: readonly (string | null)[],
  { homepage, did }: Pick<Operator, 'homepage' | 'did'>,
): Names {
  const host = homepage === null ? null : (parsedUrl(homepage)?.host ?? null);
  const hosts = namesOf(host === null ? [] : [host, domainToUnicode(host)]);
  return new Set([...namesOf(names), ...hosts, ...sitesOf([homepage, did])]);
}

export type Change<T> = { readonly [Key in keyof T]?: T[Key] | undefined };

/** Absent keys keep their value; null removes it. */
export function changed<T extends object>(before: T, change: Change<T>): T {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(given) };
}

export function changesBetween(
  before: object,
  after: object,
): Record<string, { readonly from: unknown; readonly to: unknown }> {
  const [old, now] = [new Map(leavesOf(before)), new Map(leavesOf(after))];
  const names = [...now.keys()].filter((name) => now.get(name) !== (old.get(name) ?? null));
  return Object.fromEntries(names.map((name) => [name, { from: old.get(name) ?? null, to: now.get(name) }]));
}

function leavesOf(value: object, path = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    typeof inner === 'object' && inner !== null
      ? leavesOf(inner, `${path}${name}.`)
      : [[`${path}${name}`, inner]],
  );
}

export type Evidence =
  | { readonly by: 'engine' }
  | { readonly by: 'reporter' }
  | { readonly by: 'named'; readonly platform: Names }
  | { readonly by: 'counterparty'; readonly platform: Names };

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

export interface Judgement {
  readonly isVerified: boolean;
  /** The attester as reported; null if unverified or none was named. */
  readonly attester: string | null;
  readonly isByOperator: boolean;
  readonly reduced: Reduction;
}

/** Why an event reported as verified is recorded as unverified; null: it is recorded as verified. */
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
